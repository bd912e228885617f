/* The options of `gridloom noc traffic`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/traffic/traffic.h"
#include "tools/gridloom/noc/map.h"

typedef struct {
    ArchNocTrafficConfig config; /* without the rate and the routing file */
    const char *topology;
    char *routing; /* a word, or a file that ends in .lua */
    bool is_routing_file;
    uint32_t root; /* of a tree, or ARCH_NOC_ALL_ROOTS */
    char *rate;    /* as given; parsed into the members below */
    double first_rate;
    double rate_step;
    guint rate_count; /* 1: no sweep */
    CmdNocOutput output;
} CmdNocTrafficOptions;

/* The rate of a point of the sweep, as a person would write it. */
double cmd_noc_traffic_options_rate(const CmdNocTrafficOptions *self, guint point);

/* Takes CmdNocTrafficOptions. */
int cmd_noc_traffic_run(gpointer options);
