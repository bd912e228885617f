/* How a router treats a color: routes, switches, filter, teardown. */
#pragma once

#include "workloads/csl/meaning/value.h"

/* Bits of sets of directions: 1 << CslDirection. */
typedef enum {
    CSL_POP_NONE,
    CSL_POP_ALWAYS,
    CSL_POP_ON_ADVANCE,
    CSL_POP_ON_ADVANCE_NOP,
} CslPopMode;

typedef struct {
    uint8_t rx; /* a set, or 0: as position 0 */
    uint8_t tx;
    bool is_invalid; /* nothing passes */
} CslSwitchPosition;

typedef struct {
    uint8_t rx; /* sets of directions */
    uint8_t tx;
    bool swaps_x;
    bool swaps_y;
    CslSwitchPosition positions[3]; /* 1 to 3 */
    uint8_t position;               /* that it starts in */
    bool is_ring;
    CslPopMode pop_mode;
    bool has_teardown;
    const CslStruct *filter; /* as the program gave it, or NULL */
} CslColorConfig;
