/* Small layouts for tests. */
#include "tests/arch/wse/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/wse/layout.h"
#include "arch/wse_dsd.h"

ArchParams *wse_rig_load(const char *chip)
{
    g_autofree char *path =
        g_strconcat(GRIDLOOM_SOURCE_DIR "/arch/chips/", chip, ".ini", NULL);
    g_autoptr(GError) error = NULL;
    ArchParams *params = arch_params_load(path, &error);

    assert_non_null(params);
    return params;
}

ArchWseLayout *wse_rig_layout_new(const ArchParams *params, guint columns, guint rows)
{
    g_autoptr(GError) error = NULL;
    ArchWseLayout *layout = arch_wse_layout_new(params, columns, rows, &error);

    assert_non_null(layout);
    return layout;
}

ArchWseTiles wse_rig_all(const ArchWseLayout *layout)
{
    return (ArchWseTiles){
        .x1 = layout->columns - 1, .y1 = layout->rows - 1, .dx = 1, .dy = 1};
}

ArchWseTiles wse_rig_one(guint x, guint y)
{
    return (ArchWseTiles){.x0 = x, .y0 = y, .x1 = x, .y1 = y, .dx = 1, .dy = 1};
}

/* Takes the colors of `received` through input queues, in order, and sends those of
 * `sent`. */
ArchWseProgram *wse_rig_program_new(const ArchParams *params,
                                    const char *name,
                                    guint32 received,
                                    guint32 sent)
{
    ArchWseProgram *program = arch_wse_program_new(params, name);
    guint queue = 0;

    for (guint color = 0; color < WSE_COLORS; color++) {
        if ((received >> color & 1) != 0) {
            assert_true(arch_wse_program_input_queue(program, queue, color, NULL));
            queue++;
        }
        if ((sent >> color & 1) != 0) {
            const ArchWseFaboutDsd fabout = {
                .color = color, .queue = 0, .extent = 1, .elements_per_wavelet = 1};
            guint dsd = 0;

            assert_true(arch_wse_program_fabout_dsd(program, &fabout, &dsd, NULL));
        }
    }
    return program;
}

void wse_rig_set_code(ArchWseLayout *layout,
                      ArchWseTiles tiles,
                      ArchWseProgram *program)
{
    g_autoptr(GError) error = NULL;

    if (!arch_wse_layout_set_tile_code(layout, tiles, program, &error)) {
        fail_msg("%s", error->message);
    }
}

void wse_rig_set_config(ArchWseLayout *layout,
                        ArchWseTiles tiles,
                        guint color,
                        const ArchWseColorConfig *config)
{
    g_autoptr(GError) error = NULL;

    if (!arch_wse_layout_set_color_config(layout, tiles, color, config, &error)) {
        fail_msg("%s", error->message);
    }
}

void wse_rig_set_route(
    ArchWseLayout *layout, ArchWseTiles tiles, guint color, guint rx, guint tx)
{
    const ArchWseColorConfig config = {
        .position_count = 1, .positions = {{.rx = (uint8_t) rx, .tx = (uint8_t) tx}}};

    wse_rig_set_config(layout, tiles, color, &config);
}

void wse_rig_finish(ArchWseLayout *layout)
{
    g_autoptr(GError) error = NULL;

    if (!arch_wse_layout_finish(layout, &error)) {
        fail_msg("%s", error->message);
    }
}

void wse_rig_assert_error(const GError *error, const char *message)
{
    assert_non_null(error);
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, message);
}

void wse_rig_assert_not_finished(ArchWseLayout *layout, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(arch_wse_layout_finish(layout, &error));
    wse_rig_assert_error(error, message);
}

const WseRoute *
wse_rig_route_at(const ArchWseLayout *layout, guint x, guint y, guint color)
{
    const WseRouter *router = &g_array_index(
        layout->routers, WseRouter, layout->router_of[wse_layout_pe(layout, x, y)]);

    return router->slots[color] == 0xff ? NULL : &router->routes[router->slots[color]];
}
