/* What a watcher is told of transfers on links. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "sim/platform.h"
#include "sim/system.h"

static const char system_path[] = GRIDLOOM_SOURCE_DIR "/arch/systems/n300.xml";

typedef struct {
    const SimPlatform *platform;
    GString *told;
} Watcher;

static void see(gpointer data, const SimLinkDeed *deed)
{
    const Watcher *self = data;

    g_string_append_printf(self->told, "%s %s %s>%s %.0f %s@%.0f%s\n",
                           sim_platform_link(self->platform, deed->link)->name,
                           deed->program, deed->from, deed->to, (double) deed->bytes,
                           deed->is_over ? "over" : "begins", deed->now * 1e9,
                           deed->under_way > 1 ? " of several" : "");
    assert_true(deed->is_over || deed->begin == deed->now);
}

static void send_back(SimSystem *system, gpointer data)
{
    (void) data;
    assert_string_equal(sim_system_program(system), "back");
    sim_system_send(system, "chip1", "chip0", 100);
}

static void send_all(SimSystem *system, gpointer data)
{
    SimProgram *other = sim_system_start(system, "chip1", "back", send_back, data);

    sim_system_transfer(system, "chip0", "chip1", 200);
    sim_system_join(system, other);
}

static void tells_of_both_ends(void **state)
{
    g_autoptr(SimPlatform) platform = sim_platform_load(system_path, NULL);
    g_autoptr(SimSystem) system = sim_system_new(platform, NULL, NULL);
    Watcher watcher = {.platform = platform, .told = g_string_new(NULL)};

    (void) state;
    for (guint link = 0; link < sim_platform_link_count(platform); link++) {
        sim_system_set_link(system, sim_platform_link(platform, link)->name, 1e-7, 1e9);
    }
    sim_system_watch_links(system, see, &watcher);
    sim_system_add_program(system, "host", "main", send_all, &watcher);

    sim_system_run(system);

    assert_string_equal(watcher.told->str,
                        "eth_1_to_0 back chip1>chip0 100 begins@0\n"
                        "eth_0_to_1 main chip0>chip1 200 begins@100\n"
                        "eth_1_to_0 back chip1>chip0 100 over@100\n"
                        "eth_0_to_1 main chip0>chip1 200 over@300\n");
    g_string_free(watcher.told, TRUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tells_of_both_ends)};

    return cmocka_run_group_tests_name("sim.system_links", tests, NULL, NULL);
}
