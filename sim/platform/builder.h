/* Puts a platform together element by element, each checked as it comes. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/platform/parts.h"

typedef struct {
    SimPlatform *platform;
    GHashTable *line_by_id; /* guint; ids of zone, hosts and links are unique, as traces
                             * need */
    bool is_in_link;        /* the element whose properties are being read is a link */
    int lanes;              /* of that link; negative if the file does not say */
    bool has_numbers;       /* that link has its own bandwidth or latency */
    guint line;             /* where the reader is; goes into every error */
} SimPlatformBuilder;

void sim_platform_builder_init(SimPlatformBuilder *self, SimPlatform *platform);
void sim_platform_builder_clear(SimPlatformBuilder *self);

/* Sets "file:line: what" and returns false, so that a check can return it. */
bool sim_platform_builder_fail(const SimPlatformBuilder *self,
                               GError **error,
                               const char *format,
                               ...) G_GNUC_PRINTF(3, 4);

/* Start of an element. `values` are its attributes in the order named below. */
typedef bool
SimPlatformStart(SimPlatformBuilder *self, const char *const *values, GError **error);

SimPlatformStart sim_platform_builder_platform; /* version */
SimPlatformStart sim_platform_builder_zone;     /* id, routing */
SimPlatformStart sim_platform_builder_host;     /* id, speed */
SimPlatformStart sim_platform_builder_link;     /* id, bandwidth, latency */
SimPlatformStart sim_platform_builder_prop;     /* id, value */
SimPlatformStart sim_platform_builder_route;    /* src, dst, symmetrical */
SimPlatformStart sim_platform_builder_link_ctn; /* id */

/* End of an element: checks that its content is complete. */
bool sim_platform_builder_end_link(SimPlatformBuilder *self, GError **error);
bool sim_platform_builder_end_route(SimPlatformBuilder *self, GError **error);
bool sim_platform_builder_end_zone(SimPlatformBuilder *self, GError **error);
