/* A layout as the fabric reads it: programs and routers by class, and the classes of
 * every PE. Nothing in it changes after arch_wse_layout_finish(). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/program/program.h"
#include "arch/wse_layout.h"

enum {
    WSE_SWAP_X = 1,
    WSE_SWAP_Y = 2,
};

/* One color of one router. The positions are complete: fields left open have been
 * filled in by router.switch_rule. */
typedef struct {
    uint8_t color;
    uint8_t position_count;
    uint8_t rx[ARCH_WSE_POSITIONS];
    uint8_t tx[ARCH_WSE_POSITIONS];
    uint8_t current;
    uint8_t pop_mode;
    bool is_ring;
    bool is_torn_down;
    uint8_t swaps;     /* WSE_SWAP_X, WSE_SWAP_Y */
    uint8_t host;      /* ArchWseHost */
    uint8_t sources;   /* directions from which wavelets may come in any position,
                        * including changes of position 0 by the PE's program */
    uint16_t names;    /* index of its positions' names in the layout */
    uint16_t switches; /* their register as the PE has written it, and bit 15; or 0 */
    ArchWseFilter filter;
} WseRoute;

/* The color on which wavelets of the route come in from there. */
static inline guint wse_route_arrival(const WseRoute *self, guint origin)
{
    const guint axes = origin == ARCH_WSE_WEST || origin == ARCH_WSE_EAST ? WSE_SWAP_X
                       : origin == ARCH_WSE_RAMP ? WSE_SWAP_X | WSE_SWAP_Y
                                                 : WSE_SWAP_Y;

    return self->color ^ ((self->swaps & axes) == axes ? 1U : 0U);
}

/* Names of a color's positions, interned; NULL for those without one. */
typedef struct {
    const char *names[ARCH_WSE_POSITIONS];
} WseNames;

/* The router of a class of PEs. */
typedef struct {
    guint route_count;
    WseRoute routes[WSE_COLORS]; /* by color, those without a route left out */
    uint8_t slots[WSE_COLORS];   /* index of a color's route; 0xff: none */
    uint8_t sends[WSE_COLORS];   /* the same for what the CE sends on a color */
} WseRouter;

struct ArchWseLayout {
    const ArchParams *params;
    guint columns;
    guint rows;
    GPtrArray *programs; /* of ArchWseProgram */
    GArray *routers;     /* of WseRouter */
    GArray *names;       /* of WseNames; [0] has none */
    bool has_loose_ends;
    uint16_t *program_of; /* by y * columns + x; ARCH_WSE_NONE before it has one */
    uint16_t *router_of;  /* after arch_wse_layout_finish() */
    struct WseRouting *routing; /* settings by color; freed by arch_wse_layout_finish()
                                 */
};

static inline guint wse_layout_pe(const ArchWseLayout *self, guint x, guint y)
{
    return y * self->columns + x;
}

/* Commands and task of a control payload; the inverse of arch_wse_control_payload(). */
ArchWseControl wse_control_at(uint32_t payload, guint index);
guint wse_control_task(uint32_t payload);
/* The payload without its first command: the others move up, and the last becomes a NOP
 * that is not filtered. */
uint32_t wse_control_pop(uint32_t payload);

/* Checks a layout whose routers are known. Fails with ARCH_ERROR_INVALID and one line
 * about the first wrong PE, row by row, and its lowest wrong color. */
bool wse_route_check(const ArchWseLayout *layout, GError **error);
