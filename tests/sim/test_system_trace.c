/* SimGrid's Paje trace of a system: complete, in order, and fine enough. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "sim/platform.h"
#include "sim/system.h"

/* Events with a time stamp, as the header of the trace numbers them. */
enum {
    FIRST_TIMED_EVENT = 6,
    PUSH_STATE = 12,
    POP_STATE = 13,
    DIGIT_COUNT = 12,
    CONTAINER_LIMIT = 32,
};

static void send_and_work(SimSystem *system, gpointer data G_GNUC_UNUSED)
{
    sim_system_transfer(system, "host", "chip0", 24000000);
    sim_system_sleep(system, 17e-9);
    sim_system_transfer(system, "chip0", "host", 1);
    sim_system_sleep(system, 0);
}

static void send_to_the_second_chip(SimSystem *system, gpointer data G_GNUC_UNUSED)
{
    for (int at = 0; at < 50; at++) {
        sim_system_sleep(system, 3e-9);
        sim_system_transfer(system, "host", "chip1", 4096);
    }
}

/* A blank in the path: SimGrid's option parser would cut it there. */
static char *trace_a_run(void)
{
    g_autofree char *folder = g_dir_make_tmp("system trace-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "run 1.paje", NULL);
    char *text = NULL;
    g_autoptr(SimPlatform) platform =
        sim_platform_load(GRIDLOOM_SOURCE_DIR "/arch/systems/n300.xml", NULL);
    g_autoptr(SimSystem) system = sim_system_new(platform, path, NULL);
    assert_non_null(system);
    sim_system_set_link(system, "pcie_up", 1342e-9, 24e9);
    sim_system_set_link(system, "pcie_down", 1342e-9, 24e9);
    sim_system_add_program(system, "host", "main", send_and_work, NULL);
    sim_system_add_program(system, "host", "other", send_to_the_second_chip, NULL);

    sim_system_run(system);

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_unlink(path);
    g_rmdir(folder);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("no '%s' in the trace", part);
    }
}

/* Number of the event, its time and what follows; false for lines without a time. */
static bool parse_event(const char *line, long *event, double *seconds, char **rest)
{
    char *at = NULL;
    if (!g_ascii_isdigit(line[0])) {
        return false;
    }
    *event = strtol(line, &at, 10);
    if (*event < FIRST_TIMED_EVENT) {
        return false;
    }
    const char *point = strchr(at, '.');
    assert_non_null(point);
    assert_int_equal(strspn(point + 1, "0123456789"), DIGIT_COUNT);
    *seconds = g_ascii_strtod(at, rest);
    return true;
}

static void assert_in_order(char *const *lines)
{
    double last = 0;
    double seconds = 0;
    long event = 0;
    char *rest = NULL;
    for (; *lines != NULL; lines++) {
        if (parse_event(*lines, &event, &seconds, &rest)) {
            assert_true(seconds >= last);
            last = seconds;
        }
    }
    assert_true(last > 1e-3);
}

/* Every state that ends has begun: viewers stumble over others. */
static void assert_states_nest(char *const *lines)
{
    int depths[CONTAINER_LIMIT] = {0};
    double seconds = 0;
    long event = 0;
    char *rest = NULL;
    guint push_count = 0;
    for (; *lines != NULL; lines++) {
        if (!parse_event(*lines, &event, &seconds, &rest) ||
            (event != PUSH_STATE && event != POP_STATE)) {
            continue;
        }
        g_auto(GStrv) words = g_strsplit(rest + 1, " ", -1);
        long container = strtol(words[1], NULL, 10);
        assert_in_range(container, 1, CONTAINER_LIMIT - 1);
        depths[container] += event == PUSH_STATE ? 1 : -1;
        push_count += event == PUSH_STATE;
        assert_true(depths[container] >= 0);
    }
    assert_true(push_count > 100);
}

static void shows_hosts_links_and_programs(void **state G_GNUC_UNUSED)
{
    g_autofree char *text = trace_a_run();
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    assert_has(text, "%EventDef PajeDefineContainerType 0\n");
    assert_has(text, "%EventDef PajePushState 12\n");
    assert_has(text, "%EventDef PajePopState 13\n");
    assert_has(text, " \"host\"\n");
    assert_has(text, " \"chip0\"\n");
    assert_has(text, " \"chip1\"\n");
    assert_has(text, " \"pcie_up\"\n");
    assert_has(text, " \"eth_1_to_0\"\n");
    assert_has(text, " \"main-1\"\n");
    assert_has(text, " \"other-2\"\n");
    assert_has(text, " ACTOR_STATE\n");
    assert_has(text, " sleep \"");
    assert_has(text, " send \"");
    assert_has(text, " bandwidth_used \"");
    /* A link's bandwidth, and what a transfer used of it. */
    assert_has(text, " 24000000000.000000000000\n");
    assert_has(text, "\n9 ");
    /* 1342 ns of latency; the default 6 digits would show 1 us. */
    assert_has(text, "0.000001342000 ");
    assert_in_order(lines);
    assert_states_nest(lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_hosts_links_and_programs),
    };
    return cmocka_run_group_tests_name("sim.system_trace", tests, NULL, NULL);
}
