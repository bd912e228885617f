/* A system description (SimGrid platform XML), read and checked before SimGrid sees it.
 */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct SimPlatform SimPlatform;

/* A host of the platform. `chip` is the value of its property "chip": the name of the
 * chip it carries, or "any" for the one the user chooses; NULL for a plain host. */
typedef struct {
    const char *name;
    const char *chip;
} SimPlatformHost;

/* A link. `kind` is the value of its property "kind". For host_to_device,
 * device_to_host and ethernet, bandwidth and latency come from the chip file; the 1GBps
 * and 1us in the system file only satisfy SimGrid. A link of kind "host" keeps the
 * numbers of the system file. */
#define SIM_PLATFORM_HOST_LINK "host"
typedef struct {
    const char *name;
    const char *kind;
    int from_port;    /* Ethernet port at its start; negative if the file names none */
    int to_port;      /* Ethernet port at its end, likewise */
    guint lanes;      /* parallel links, at least 1; multiplies the bandwidth */
    bool is_reserved; /* for dispatch; never part of a route between chips */
} SimPlatformLink;

/* A route between two hosts: the indices of its links, in order. */
typedef struct {
    const guint *links;
    guint count;
} SimPlatformWay;

/* Fails with SIM_ERROR_PLATFORM and "file:line: problem, what is allowed". */
SimPlatform *sim_platform_load(const char *path, GError **error);
void sim_platform_free(SimPlatform *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimPlatform, sim_platform_free)

const char *sim_platform_path(const SimPlatform *self);

/* With Floyd routing the file names only routes between neighbours, and the loader
 * finds the rest. Returns the platform for SimGrid with all routes written out, or NULL
 * if the file names them all. The caller frees it. */
char *sim_platform_expanded(const SimPlatform *self);

guint sim_platform_host_count(const SimPlatform *self);
const SimPlatformHost *sim_platform_host(const SimPlatform *self, guint index);
guint sim_platform_link_count(const SimPlatform *self);
const SimPlatformLink *sim_platform_link(const SimPlatform *self, guint index);

/* The first host without a chip, which runs the host program; and the first host with a
 * chip. */
const SimPlatformHost *sim_platform_main_host(const SimPlatform *self);
const SimPlatformHost *sim_platform_first_chip(const SimPlatform *self);

/* Whether the platform has a route from one host to the other. It always has one
 * between the main host and a chip. */
bool sim_platform_has_route(const SimPlatform *self, const char *from, const char *to);

/* Returns false if there is no route. `way` is borrowed from the platform. */
bool sim_platform_way(const SimPlatform *self,
                      const char *from,
                      const char *to,
                      SimPlatformWay *way);
