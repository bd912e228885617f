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

/* A link. `kind` is its property "kind": which numbers of the chip file it gets
 * (host_to_device, device_to_host, ethernet; the file says 1GBps and 1us, which SimGrid
 * wants and nothing comes of), or that it is one of the host's own, which keeps those
 * of the system's file. */
#define SIM_PLATFORM_HOST_LINK "host"
typedef struct {
    const char *name;
    const char *kind;
    int from_port;    /* of the chip at its begin, Ethernet only; negative: not told */
    int to_port;      /* of the chip at its end */
    guint lanes;      /* links side by side: bandwidth times that; at least 1 */
    bool is_reserved; /* for dispatch: no way from chip to chip uses it */
} SimPlatformLink;

/* The links of a way between two hosts, in their order, as indices. */
typedef struct {
    const guint *links;
    guint count;
} SimPlatformWay;

/* Fails with SIM_ERROR_PLATFORM and "file:line: what, what is allowed". */
SimPlatform *sim_platform_load(const char *path, GError **error);
void sim_platform_free(SimPlatform *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimPlatform, sim_platform_free)

const char *sim_platform_path(const SimPlatform *self);

/* Where routing is Floyd the file names routes between neighbours only, and those
 * between all others are found: NULL, or the platform with all of them written out, for
 * SimGrid. The caller frees it. */
char *sim_platform_expanded(const SimPlatform *self);

guint sim_platform_host_count(const SimPlatform *self);
const SimPlatformHost *sim_platform_host(const SimPlatform *self, guint index);
guint sim_platform_link_count(const SimPlatform *self);
const SimPlatformLink *sim_platform_link(const SimPlatform *self, guint index);

/* The first host without a chip, where the host program runs, and the first with one.
 */
const SimPlatformHost *sim_platform_main_host(const SimPlatform *self);
const SimPlatformHost *sim_platform_first_chip(const SimPlatform *self);

/* Whether the platform says how data gets from one host to the other. It always does
 * between the main host and a chip. */
bool sim_platform_has_route(const SimPlatform *self, const char *from, const char *to);

/* False where there is none. Borrowed from the platform. */
bool sim_platform_way(const SimPlatform *self,
                      const char *from,
                      const char *to,
                      SimPlatformWay *way);
