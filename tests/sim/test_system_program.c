/* Programs on hosts: what they may do, and how a system begins and ends. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "sim/error.h"
#include "sim/platform.h"
#include "sim/system.h"

enum {
    STACK_BYTES = 4 << 20, /* more than a script needs, less than there is */
    FRAME_BYTES = 1 << 14,
};

static const char system_path[] = GRIDLOOM_SOURCE_DIR "/arch/systems/default.xml";

typedef struct {
    double start;
    double end;
    int thread_failure;
    int thread_result;
    int depth;
} Report;

static void *forty_two(void *data)
{
    *(int *) data = 42;
    return NULL;
}

static int descend(int bytes_left)
{
    volatile char frame[FRAME_BYTES];
    frame[0] = 1;
    frame[FRAME_BYTES - 1] = 1;
    int below = bytes_left > FRAME_BYTES ? descend(bytes_left - FRAME_BYTES) : 0;
    return below + frame[0] * frame[FRAME_BYTES - 1];
}

static void try_everything(SimSystem *system, gpointer data)
{
    Report *report = data;
    report->start = sim_system_now(system);
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, forty_two, &report->thread_result);
    sim_system_sleep(system, 2e-9);
    report->thread_failure = failure != 0 ? failure : pthread_join(thread, NULL);
    report->depth = descend(STACK_BYTES);
    report->end = sim_system_now(system);
}

static void do_nothing(SimSystem *system G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
}

static void has_threads_and_a_deep_stack(SimSystem *system)
{
    Report report = {.start = -1};
    sim_system_add_program(system, "chip0", "main", try_everything, &report);

    sim_system_run(system);

    assert_true(report.start == 0);
    assert_true(report.end == 2e-9);
    assert_int_equal(report.thread_failure, 0);
    assert_int_equal(report.thread_result, 42);
    assert_int_equal(report.depth, STACK_BYTES / FRAME_BYTES);
}

/* All in one test: a process has one system. */
static void runs_programs_once_per_process(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(SimPlatform) platform = sim_platform_load(system_path, NULL);

    SimSystem *unwritable = sim_system_new(platform, "/nonexistent/a.paje", &error);
    assert_null(unwritable);
    assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_PLATFORM));
    assert_non_null(strstr(error->message, "/nonexistent/a.paje: No such file"));
    g_clear_error(&error);

    SimSystem *system = sim_system_new(platform, NULL, &error);
    assert_non_null(system);
    has_threads_and_a_deep_stack(system);

    assert_null(sim_system_new(platform, NULL, &error));
    assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_PLATFORM));
    assert_non_null(strstr(error->message, "one system per process"));
    g_clear_error(&error);

    sim_system_free(system);
    sim_system_free(NULL);
    assert_null(sim_system_new(platform, NULL, NULL));
}

/* In a child that writes what it prints to `path`; gives its exit status. */
static int run_child(void (*func)(void), const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        if (freopen(path, "w", stdout) == NULL || dup2(fileno(stdout), 2) != 2) {
            _exit(1);
        }
        func();
        exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void make_a_run(void)
{
    g_autoptr(SimPlatform) platform = sim_platform_load(system_path, NULL);
    g_autoptr(SimSystem) system = sim_system_new(platform, NULL, NULL);
    sim_system_set_link(system, "pcie_up", 0, 1);
    sim_system_add_program(system, "host", "main", do_nothing, NULL);
    sim_system_run(system);
}

static void leave_before_the_run(void)
{
    g_autoptr(SimPlatform) platform = sim_platform_load(system_path, NULL);
    g_autoptr(SimSystem) system = sim_system_new(platform, NULL, NULL);
    sim_system_add_program(system, "host", "main", do_nothing, NULL);
}

static void assert_quiet(void (*func)(void))
{
    g_autofree char *path = NULL;
    g_autofree char *text = NULL;
    int file = g_file_open_tmp("system-XXXXXX.txt", &path, NULL);
    assert_int_equal(close(file), 0);

    int status = run_child(func, path);

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, "");
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    g_unlink(path);
}

static void prints_nothing(void **state G_GNUC_UNUSED)
{
    assert_quiet(make_a_run);
}

static void may_end_without_a_run(void **state G_GNUC_UNUSED)
{
    assert_quiet(leave_before_the_run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_nothing),
        cmocka_unit_test(may_end_without_a_run),
        cmocka_unit_test(runs_programs_once_per_process),
    };
    return cmocka_run_group_tests_name("sim.system_program", tests, NULL, NULL);
}
