/* Which PEs can be in step, and what their rings are called in a rank. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/fabric.h"
#include "arch/wse/kind.h"

enum {
    WSE_FIT_INPUTS = WSE_COLORS * ARCH_WSE_DIRECTIONS,
    WSE_FIT_OUTPUTS = WSE_FIT_INPUTS + WSE_INPUT_QUEUES,
    WSE_FIT_KEYS = WSE_FIT_OUTPUTS + WSE_OUTPUT_QUEUES,
};

/* Where PEs go on in step; it changes nothing but how long that takes. */
typedef enum {
    WSE_FIT_WHERE_IT_PAYS,
    WSE_FIT_WHEREVER_IT_CAN,
    WSE_FIT_NOWHERE,
} WseFitWanted;

/* Rings of different kinds that tokens of a color reach from the same side have one
 * key, and so have those of a queue. */
typedef struct {
    bool is_fit;
    guint ring_count;
    guint router_rings;         /* of these, the first ones */
    uint8_t keys[WSE_FIT_KEYS]; /* by ring */
} WseFit;

/* Whether PEs of the fabric can be in step at all, and may be long enough that it pays:
 * some have long streams. So many threads would else go on side by side. */
bool wse_fit_suits(const WseFabric *fabric, guint threads);

/* Whether that is still so: nobody watches PEs or looks for races. */
bool wse_fit_may_go_on(const WseFabric *fabric);

/* Of a kind of PE. Others go on one by one. */
WseFit wse_fit_of(const WseKind *kind);

/* Cycles on the way into a ring with that key. */
uint32_t wse_fit_latency(const WseNumbers *numbers, guint key);
