/* Programs that start others and wait for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "sim/platform.h"
#include "sim/system.h"

static const char system_path[] = GRIDLOOM_SOURCE_DIR "/arch/systems/default.xml";

typedef struct {
    GString *trail;
    SimGate *gate;
    const char *name;
    double seconds;
} Part;

static void leave(const Part *self, SimSystem *system, const char *what)
{
    g_string_append_printf(self->trail, " %s.%s@%.0f", self->name, what,
                           sim_system_now(system) * 1e9);
}

static void sleep_long(SimSystem *system, gpointer data)
{
    const Part *self = data;
    sim_system_sleep(system, self->seconds);
    leave(self, system, "end");
}

static void pass_gate(SimSystem *system, gpointer data)
{
    const Part *self = data;
    sim_gate_pass(self->gate);
    leave(self, system, "pass");
}

static void join_two(SimSystem *system, Part *self)
{
    Part a = {.trail = self->trail, .name = "a", .seconds = 5e-9};
    Part b = {.trail = self->trail, .name = "b", .seconds = 2e-9};
    SimProgram *first = sim_system_start(system, "chip0", "a", sleep_long, &a);
    SimProgram *second = sim_system_start(system, "host", "b", sleep_long, &b);
    sim_system_join(system, first);
    leave(self, system, "joined");
    sim_system_join(system, second); /* has returned before */
    leave(self, system, "joined");
}

static void open_gate(SimSystem *system, Part *self)
{
    g_autoptr(SimGate) gate = sim_gate_new();
    Part c = {.trail = self->trail, .name = "c", .gate = gate};
    Part d = {.trail = self->trail, .name = "d", .gate = gate};
    SimProgram *first = sim_system_start(system, "host", "c", pass_gate, &c);
    SimProgram *second = sim_system_start(system, "host", "d", pass_gate, &d);
    sim_system_sleep(system, 1e-9);
    sim_gate_open(gate);
    sim_system_sleep(system, 1e-9);
    sim_gate_open(gate);
    sim_system_join(system, first);
    sim_system_join(system, second);
    sim_gate_open(gate);
    sim_gate_pass(gate); /* opened before: nobody waits */
    leave(self, system, "pass");
}

static void run_all(SimSystem *system, gpointer data)
{
    join_two(system, data);
    open_gate(system, data);
}

static void starts_joins_and_lets_pass(void **state G_GNUC_UNUSED)
{
    g_autoptr(SimPlatform) platform = sim_platform_load(system_path, NULL);
    g_autoptr(SimSystem) system = sim_system_new(platform, NULL, NULL);
    GString *trail = g_string_new(NULL);
    Part main_part = {.trail = trail, .name = "main"};
    sim_system_add_program(system, "host", "main", run_all, &main_part);

    sim_system_run(system);

    assert_string_equal(trail->str, " b.end@2 a.end@5 main.joined@5 main.joined@5"
                                    " c.pass@6 d.pass@7 main.pass@7");
    g_string_free(trail, TRUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(starts_joins_and_lets_pass)};

    return cmocka_run_group_tests_name("sim.system_start", tests, NULL, NULL);
}
