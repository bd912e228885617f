/* Puts a platform together element by element, each checked as it comes. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/platform/parts.h"

typedef struct {
    SimPlatform *platform;
    GHashTable *line_by_id; /* guint; of zone, hosts and links, unique for a trace */
    bool is_in_link;        /* the element that takes properties is a link */
    int lanes;              /* of that link; negative: not told */
    bool has_numbers;       /* that link: bandwidth or latency of its own */
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

/* End of an element: checks what its content had to bring. */
bool sim_platform_builder_end_link(SimPlatformBuilder *self, GError **error);
bool sim_platform_builder_end_route(SimPlatformBuilder *self, GError **error);
bool sim_platform_builder_end_zone(SimPlatformBuilder *self, GError **error);
