/* The parts of a platform, for the code that builds it. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/platform.h"

typedef struct {
    guint from;
    guint to;
    GArray *links; /* guint, in the order of the way */
    guint line;
} SimPlatformRoute;

struct SimPlatform {
    char *path;
    GStringChunk *names;
    GArray *hosts;             /* SimPlatformHost */
    GArray *links;             /* SimPlatformLink */
    GArray *routes;            /* SimPlatformRoute */
    GHashTable *route_by_ends; /* "from to" -> guint, index of the route */
    guint main_host;
    guint first_chip;
    bool is_completed; /* the file names routes between neighbours only */
};

/* Returns false if no host has that name. */
bool sim_platform_find_host(const SimPlatform *self, const char *name, guint *index);
bool sim_platform_find_link(const SimPlatform *self, const char *name, guint *index);

/* NULL if there is none. */
const SimPlatformRoute *
sim_platform_find_route(const SimPlatform *self, const char *from, const char *to);
