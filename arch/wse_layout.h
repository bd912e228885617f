/* A rectangle of PEs of a wafer: their programs, and how routers treat each color. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/wse_program.h"

typedef struct ArchWseLayout ArchWseLayout;

typedef enum {
    ARCH_WSE_WEST,
    ARCH_WSE_EAST,
    ARCH_WSE_NORTH, /* towards row 0 */
    ARCH_WSE_SOUTH,
    ARCH_WSE_RAMP,
    ARCH_WSE_DIRECTIONS,
} ArchWseDirection;

const char *arch_wse_direction_name(ArchWseDirection direction); /* EAST */
bool arch_wse_direction_find(const char *name, ArchWseDirection *direction);

enum {
    ARCH_WSE_POSITIONS = 4,
    ARCH_WSE_COMMANDS = 8,
};

/* Sets of directions are bits: 1 << ARCH_WSE_EAST. */
typedef struct {
    uint8_t rx; /* 0: as in the position before */
    uint8_t tx;
} ArchWsePosition;

typedef enum {
    ARCH_WSE_NO_POP,
    ARCH_WSE_ALWAYS_POP,
    ARCH_WSE_POP_ON_ADVANCE, /* if the position moves */
    ARCH_WSE_POP_ON_ADVANCE_NOP,
} ArchWsePopMode;

typedef enum {
    ARCH_WSE_FILTER_NONE,
    ARCH_WSE_FILTER_COUNTER, /* the CE gets wavelets while the counter is <= limit1 */
    ARCH_WSE_FILTER_SPARSE,  /* while limit1 <= counter <= limit2 */
    ARCH_WSE_FILTER_RANGE,   /* whose index is limit1..limit2 */
    ARCH_WSE_FILTER_TWICE,   /* as counter, up to `maximum`, then limit2, then off */
} ArchWseFilterKind;

typedef struct {
    ArchWseFilterKind kind;
    bool is_data_counted;
    bool is_control_counted;
    bool is_control_filtered;
    bool is_control_exact; /* those that are filtered pass at limit1 alone, as in CSL */
    uint16_t initial;
    uint16_t limit1;
    uint16_t limit2;
    uint16_t maximum; /* after this the counter begins again at 0 */
} ArchWseFilter;

/* The host sends to the CE, or takes from it; the color goes from RAMP to RAMP. */
typedef enum {
    ARCH_WSE_NO_HOST,
    ARCH_WSE_HOST_SENDS,
    ARCH_WSE_HOST_TAKES,
} ArchWseHost;

typedef struct {
    guint position_count; /* 1..4; position 0 has both rx and tx */
    ArchWsePosition positions[ARCH_WSE_POSITIONS];
    guint current;
    ArchWsePopMode pop_mode;
    ArchWseFilter filter;
    bool is_ring;
    bool is_torn_down;
    bool is_unrouted_allowed; /* position 0 may lack rx or tx at first */
    bool is_swapped_x; /* color c from E or W is taken as c ^ 1, which swaps, too; of */
    bool is_swapped_y; /* N or S; with both, from RAMP as well */
    ArchWseHost host;
    const char *names[ARCH_WSE_POSITIONS]; /* of positions, for watchers; or NULL */
} ArchWseColorConfig;

/* The PEs x0, x0 + dx, ... <= x1 of the rows y0, y0 + dy, ... <= y1; none where x0 > x1
 * or y0 > y1. */
typedef struct {
    guint x0;
    guint y0;
    guint x1;
    guint y1;
    guint dx; /* at least 1 */
    guint dy;
} ArchWseTiles;

/* Fails with ARCH_ERROR_INVALID when the wafer is smaller. `params` is borrowed. */
ArchWseLayout *arch_wse_layout_new(const ArchParams *params,
                                   guint columns,
                                   guint rows,
                                   GError **error);
void arch_wse_layout_free(ArchWseLayout *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchWseLayout, arch_wse_layout_free)

/* Takes `program`, even on failure, and finishes it; it may be set several times, and
 * replaces an earlier one. Fails like arch_wse_program_finish(), or if tiles lie
 * outside the rectangle. */
bool arch_wse_layout_set_tile_code(ArchWseLayout *self,
                                   ArchWseTiles tiles,
                                   ArchWseProgram *program,
                                   GError **error);

/* Replaces the configuration of the color in these PEs. Fails with ARCH_ERROR_INVALID:
 * no such color, position 0 without rx or tx, a later one with both
 * (router.position_fields) or with neither or with several rx, positions of a color
 * that does not switch (router.switch_colors), no position `current`, tiles outside the
 * rectangle. */
bool arch_wse_layout_set_color_config(ArchWseLayout *self,
                                      ArchWseTiles tiles,
                                      guint color,
                                      const ArchWseColorConfig *config,
                                      GError **error);

/* Routes may lead nowhere, colors may lack a queue or a route: only a wavelet that
 * takes such a way stops the run, with PE, color and cycle. What goes over the edge of
 * the layout is lost: see arch_wse_loss(). Call it before arch_wse_layout_finish(). */
void arch_wse_layout_allow_loose_ends(ArchWseLayout *self);

/* Checks the whole layout: every PE has a program, no route leads off the rectangle or
 * to a router that never takes the color from there, every color that ends in a PE has
 * an input queue there, and every color a program sends has a route that takes it from
 * RAMP. Names the first PE, row by row, and its lowest color. Positions that a program
 * sets at run time (arch_wse_program_route()) count as inputs, not as outputs. The
 * layout cannot change afterwards. */
bool arch_wse_layout_finish(ArchWseLayout *self, GError **error);

/* The payload of a control wavelet: up to 8 commands and the task it activates, 0..63
 * (31: none, as in CSL). Commands beyond `count` are NOP, not filtered. */
typedef enum {
    ARCH_WSE_NOP,
    ARCH_WSE_SWITCH_ADV,
    ARCH_WSE_SWITCH_RST,
    ARCH_WSE_TEARDOWN,
} ArchWseCommand;
typedef struct {
    ArchWseCommand command;
    bool is_ce_filtered;
} ArchWseControl;
uint32_t
arch_wse_control_payload(const ArchWseControl *controls, guint count, guint task);
