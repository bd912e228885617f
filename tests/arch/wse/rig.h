/* Small layouts for tests: programs that only take and send colors, routes, and what
 * they must be refused with. Everything fails the test where it does not work. */
#pragma once

#include "arch/wse/layout.h"

enum {
    W = 1 << ARCH_WSE_WEST,
    E = 1 << ARCH_WSE_EAST,
    N = 1 << ARCH_WSE_NORTH,
    S = 1 << ARCH_WSE_SOUTH,
    R = 1 << ARCH_WSE_RAMP,
};

ArchParams *wse_rig_load(const char *chip);
ArchWseLayout *wse_rig_layout_new(const ArchParams *params, guint columns, guint rows);
ArchWseTiles wse_rig_all(const ArchWseLayout *layout);
ArchWseTiles wse_rig_one(guint x, guint y);

/* Takes the colors of `received` through input queues, in order, and sends those of
 * `sent`. */
ArchWseProgram *wse_rig_program_new(const ArchParams *params,
                                    const char *name,
                                    guint32 received,
                                    guint32 sent);

void wse_rig_set_code(ArchWseLayout *layout,
                      ArchWseTiles tiles,
                      ArchWseProgram *program);
void wse_rig_set_config(ArchWseLayout *layout,
                        ArchWseTiles tiles,
                        guint color,
                        const ArchWseColorConfig *config);
/* One position. */
void wse_rig_set_route(
    ArchWseLayout *layout, ArchWseTiles tiles, guint color, guint rx, guint tx);
void wse_rig_finish(ArchWseLayout *layout);

void wse_rig_assert_error(const GError *error, const char *message);
void wse_rig_assert_not_finished(ArchWseLayout *layout, const char *message);

/* NULL where the PE has none for the color. */
const WseRoute *
wse_rig_route_at(const ArchWseLayout *layout, guint x, guint y, guint color);
