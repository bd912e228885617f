/* Calls the functions that scripts have on a family of chips, with arguments that the
 * input draws (api.lua): a run ends well or with an error, never otherwise,
 * and no self-check of a chip finds anything. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/chip.h"
#include "sim/platform.h"
#include "sim/system.h"
#include "tests/fuzz/fuzz.h"
#include "workloads/connection.h"
#include "workloads/run.h"

enum {
    CHIPS_MOST = 2,
    BYTES_MOST = 400, /* of input: each call takes a few */
    CYCLES_MOST = 200000,
    SECONDS_MOST = 30, /* of processor time */
};

typedef struct {
    const char *chip;
    const char *system;
} Setting;

/* The first byte of the input chooses. */
static const Setting settings[] = {
    {"wormhole_n150", "default"},
    {"wse2", "default"},
    {"nero_ad9h7", "default"},
    {"wormhole_n300", "n300"},
};

/* api.lua with the input before it. */
static char *script_of(const uint8_t *data, size_t size)
{
    GString *text = g_string_new("local input = '");
    g_autofree char *rest = NULL;
    const bool is_read = g_file_get_contents(GRIDLOOM_SOURCE_DIR "/tests/fuzz/api.lua",
                                             &rest, NULL, NULL);

    g_assert_true(is_read);
    for (size_t i = 0; i < size; i++) {
        g_string_append_printf(text, "\\%03u", data[i]);
    }
    g_string_append_printf(text, "'\n%s", rest);
    return g_string_free(text, FALSE);
}

static ArchChip *make_chip(const char *name)
{
    g_autofree char *path =
        g_strdup_printf(GRIDLOOM_SOURCE_DIR "/arch/chips/%s.ini", name);

    return arch_chip_new(arch_params_load(path, NULL), 1, NULL);
}

static void
set_links(SimSystem *system, const SimPlatform *platform, const ArchChip *chip)
{
    for (guint i = 0; i < sim_platform_link_count(platform); i++) {
        const SimPlatformLink *link = sim_platform_link(platform, i);
        ArchLink numbers = {0};

        if (arch_chip_link(chip, link->kind, &numbers, NULL)) {
            sim_system_set_link(system, link->name, numbers.latency_seconds,
                                numbers.bytes_per_second * link->lanes);
        }
    }
}

static void show_line(gpointer data, const char *line)
{
    (void) data;
    if (g_getenv("FUZZ_SHOW") != NULL) {
        (void) fprintf(stderr, "%s\n", line);
    }
}

static void run_script(WlScript *script, const Setting *setting)
{
    g_autofree char *path =
        g_strdup_printf(GRIDLOOM_SOURCE_DIR "/arch/systems/%s.xml", setting->system);
    g_autoptr(SimPlatform) platform = sim_platform_load(path, NULL);
    g_autoptr(SimSystem) system = sim_system_new(platform, NULL, NULL);
    WlChip chips[CHIPS_MOST] = {0};
    WlMachine machine = {.system = system,
                         .chips = chips,
                         .host = sim_platform_main_host(platform)->name,
                         .limit_cycles = CYCLES_MOST,
                         .is_self_checked = true};
    g_autoptr(WlOutcome) outcome = NULL;
    GError *error = NULL;

    for (guint i = 0; i < sim_platform_host_count(platform); i++) {
        const SimPlatformHost *host = sim_platform_host(platform, i);

        if (host->chip != NULL && machine.chip_count < CHIPS_MOST) {
            chips[machine.chip_count++] =
                (WlChip){make_chip(setting->chip), host->name};
        }
    }
    set_links(system, platform, chips[0].chip);
    g_assert_true(wl_connect(platform, chips, machine.chip_count, NULL));
    g_assert_true(wl_script_choose_family(
        script, arch_params_family(arch_chip_params(chips[0].chip))));
    outcome = wl_run(script, &machine, &error);
    g_assert_true((outcome == NULL) == (error != NULL));
    g_assert_true(error == NULL || strstr(error->message, "self-check") == NULL);
    if (error != NULL) {
        g_assert_true(g_utf8_validate(error->message, -1, NULL));
        show_line(NULL, error->message);
        g_error_free(error);
    }
    for (guint i = 0; i < machine.chip_count; i++) {
        arch_chip_free(chips[i].chip);
    }
}

/* In a process of its own, because SimGrid allows one system in each. */
static void run_alone(const uint8_t *data, size_t size)
{
    const Setting *setting = &settings[data[0] % G_N_ELEMENTS(settings)];
    const WlSandboxConfig config = {
        .memory_bytes = 64 << 20, .steps = 2000000, .seed = 1, .print = show_line};
    const struct rlimit seconds = {SECONDS_MOST, SECONDS_MOST};
    g_autofree char *text = script_of(data + 1, MIN(size - 1, BYTES_MOST));
    g_auto(FuzzFile) file = fuzz_file_new((const uint8_t *) text, strlen(text));
    GError *error = NULL;
    g_autoptr(WlScript) script = wl_script_load(file.path, &config, &error);

    if (script == NULL) {
        g_error("%s", error->message);
    }
    (void) setrlimit(RLIMIT_CPU, &seconds);
    run_script(script, setting);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int status = 0;
    pid_t child;

    if (size == 0) {
        return 0;
    }
    (void) fflush(NULL);
    child = fork();
    if (child == 0) {
        g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
        run_alone(data, size);
        _exit(EXIT_SUCCESS); /* exit() would be a finding of libFuzzer's */
    }
    /* libFuzzer's own alarm may interrupt it. */
    while (waitpid(child, &status, 0) < 0) {
        g_assert_true(errno == EINTR);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS) {
        g_error("a run ended with status %d", status);
    }
    return 0;
}
