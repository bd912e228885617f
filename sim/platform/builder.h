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

/* Start of an element. `values` are its attributes in the order named here. */

/* version */
bool sim_platform_builder_platform(SimPlatformBuilder *self,
                                   const char *const *values,
                                   GError **error);
/* id, routing */
bool sim_platform_builder_zone(SimPlatformBuilder *self,
                               const char *const *values,
                               GError **error);
/* id, speed */
bool sim_platform_builder_host(SimPlatformBuilder *self,
                               const char *const *values,
                               GError **error);
/* id, bandwidth, latency */
bool sim_platform_builder_link(SimPlatformBuilder *self,
                               const char *const *values,
                               GError **error);
/* id, value */
bool sim_platform_builder_prop(SimPlatformBuilder *self,
                               const char *const *values,
                               GError **error);
/* src, dst, symmetrical */
bool sim_platform_builder_route(SimPlatformBuilder *self,
                                const char *const *values,
                                GError **error);
/* id */
bool sim_platform_builder_link_ctn(SimPlatformBuilder *self,
                                   const char *const *values,
                                   GError **error);

/* End of an element: checks what its content had to bring. */
bool sim_platform_builder_end_link(SimPlatformBuilder *self, GError **error);
bool sim_platform_builder_end_route(SimPlatformBuilder *self, GError **error);
bool sim_platform_builder_end_zone(SimPlatformBuilder *self, GError **error);
