/* Fuzzes sweep files: no input may crash, and what is accepted has values for all runs.
 */
#define _GNU_SOURCE /* memfd_create() */

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib.h>

#include "workloads/sweep.h"

enum {
    DIGITS_MAXIMUM = 3, /* in a row: large axes are slow, and the business of limits */
    RUNS_LOOKED_AT = 1000,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_small(const uint8_t *data, size_t size)
{
    size_t digits = 0;

    for (size_t i = 0; i < size; i++) {
        digits = g_ascii_isdigit(data[i]) ? digits + 1 : 0;
        if (digits > DIGITS_MAXIMUM) {
            return false;
        }
    }
    /* A filter is asked about all combinations, which may be millions. */
    return memmem(data, size, "where", strlen("where")) == NULL &&
           memmem(data, size, "rep", strlen("rep")) == NULL;
}

static void check(const WlSweep *sweep)
{
    g_assert(wl_sweep_run_count(sweep) > 0 && wl_sweep_record_count(sweep) > 0);
    g_assert(g_utf8_validate(wl_sweep_summary(sweep), -1, NULL));
    for (guint run = 0; run < MIN(wl_sweep_run_count(sweep), RUNS_LOOKED_AT); run++) {
        for (guint i = 0; i < wl_sweep_axis_count(sweep); i++) {
            g_assert(wl_sweep_run_value(sweep, run, i) <
                     wl_sweep_axis(sweep, i)->value_count);
            g_assert(*wl_sweep_run_text(sweep, run, i) != '\0');
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const WlSandboxConfig config = {
        .memory_bytes = 16 << 20, .steps = 100000, .seed = 1};
    const int file = memfd_create("sweep", MFD_CLOEXEC);
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", file);
    g_autoptr(WlSweep) sweep = NULL;

    if (is_small(data, size) && write(file, data, size) == (ssize_t) size) {
        g_autoptr(GError) error = NULL;

        sweep = wl_sweep_load(path, &config, &error);
        g_assert((sweep == NULL) == (error != NULL));
        g_assert(error == NULL || g_utf8_validate(error->message, -1, NULL));
    }
    if (sweep != NULL) {
        check(sweep);
    }
    (void) close(file);
    return 0;
}
