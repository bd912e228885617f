/* The options of `gridloom noc traffic`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/traffic/rates.h"
#include "arch/traffic/traffic.h"
#include "tools/gridloom/noc/map.h"

/* A routing that is run: a word, or a file that ends in .lua. */
typedef struct {
    const char *name;
    bool is_file;
    ArchNocRouting kind;
} CmdNocTrafficRouting;

typedef struct {
    ArchNocTrafficConfig config; /* without the rate and the routing */
    const char *topology;
    char *routing; /* one, or ... */
    char *compare; /* ... several with commas between them; NULL: none */
    char **names;  /* of routings */
    GArray *routings;
    char *pattern; /* a word, or a file; NULL: uniform */
    uint32_t root; /* of a tree, or ARCH_NOC_ALL_ROOTS */
    char *rate;    /* as given; parsed into `rates` */
    ArchNocRates rates;
    bool is_search;    /* for the rate at which the network saturates */
    double resolution; /* of that */
    char *svg;         /* latency over the rate; NULL: none */
    CmdNocOutput output;
} CmdNocTrafficOptions;

const CmdNocTrafficRouting *
cmd_noc_traffic_options_routing(const CmdNocTrafficOptions *self, guint index);

/* Takes CmdNocTrafficOptions. */
int cmd_noc_traffic_run(gpointer options);
