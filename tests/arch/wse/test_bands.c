/* Bands: every strip runs every cycle of a window once, after those beside it have run
 * the cycle before, and jobs that run side by side touch different strips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/wse/bands.h"

enum {
    MOST_STRIPS = 1024,
    NOBODY = 0xff,
};

typedef struct {
    WseBands bands;
    uint32_t done[MOST_STRIPS]; /* cycles, by strip */
    guint8 job[MOST_STRIPS];    /* that touches it in this phase */
} Wafer;

typedef WseStrips (*StripsFunc)(const WseBands *self, guint job, uint32_t cycle);

static void touch(Wafer *self, guint strip, guint job)
{
    assert_true(self->job[strip] == NOBODY || self->job[strip] == job);
    self->job[strip] = (guint8) job;
}

/* What a strip does in a cycle changes PEs of those beside it. */
static void run_strip(Wafer *self, guint strip, guint job, uint32_t cycle)
{
    const guint first = strip == 0 ? 0 : strip - 1;
    const guint last = MIN(strip + 1, self->bands.strip_count - 1);

    assert_int_equal(self->done[strip], cycle);
    for (guint i = first; i <= last; i++) {
        assert_true(self->done[i] >= cycle && self->done[i] <= cycle + 1);
        touch(self, i, job);
    }
    self->done[strip]++;
}

static void run_phase(Wafer *self, guint jobs, StripsFunc strips_of, uint32_t cycles)
{
    memset(self->job, NOBODY, sizeof self->job);
    for (guint job = 0; job < jobs; job++) {
        for (uint32_t cycle = 0; cycle < cycles; cycle++) {
            const WseStrips strips = strips_of(&self->bands, job, cycle);

            for (guint i = strips.first; i < strips.end; i++) {
                run_strip(self, i, job, cycle);
            }
        }
    }
}

static void check(guint rows, guint most, guint threads)
{
    Wafer wafer = {.bands = wse_bands_cut(rows, most, threads)};
    const WseBands *bands = &wafer.bands;

    assert_in_range(bands->band_count, 1, most);
    assert_in_range(bands->strip_count, 1, MOST_STRIPS);
    assert_true(bands->strip_count * bands->strip_rows >= rows);
    assert_true((bands->strip_count - 1) * bands->strip_rows < rows);
    for (uint32_t cycles = 1; cycles <= bands->depth; cycles++) {
        memset(wafer.done, 0, sizeof wafer.done);
        run_phase(&wafer, bands->band_count, wse_bands_inside, cycles);
        run_phase(&wafer, bands->band_count - 1, wse_bands_beside, cycles);
        for (guint i = 0; i < bands->strip_count; i++) {
            assert_int_equal(wafer.done[i], cycles);
        }
    }
}

static void all_strips_run_all_cycles_in_order(void **state)
{
    (void) state;
    for (guint rows = 1; rows <= 120; rows++) {
        for (guint threads = 1; threads <= 8; threads++) {
            check(rows, 31, threads);
            check(rows, threads, threads);
        }
    }
    check(994, 31, 2);
    check(994, 31, 8);
}

static void wide_wafers_get_long_windows(void **state)
{
    const WseBands small = wse_bands_cut(3, 15, 2);
    const WseBands one = wse_bands_cut(994, 1, 1);
    const WseBands two = wse_bands_cut(994, 15, 2);

    (void) state;
    assert_int_equal(small.band_count, 1);
    assert_int_equal(one.strip_count, 1);
    assert_int_equal(one.depth, 1);
    assert_int_equal(two.band_count, 8);
    assert_in_range(two.depth, 8, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_strips_run_all_cycles_in_order),
        cmocka_unit_test(wide_wafers_get_long_windows),
    };

    return cmocka_run_group_tests_name("arch.wse_bands", tests, NULL, NULL);
}
