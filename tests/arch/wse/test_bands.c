/* Bands: every strip does every cycle once, after those beside it have done the one
 * before, and nothing that goes on at the same time touches the same strip. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/wse/bands.h"
#include "sim/random.h"

enum {
    MOST_STRIPS = 1024,
    CYCLES = 12,
    NOBODY = 0xff,
};

typedef struct {
    WseBands bands;
    guint done[WSE_MOST_BANDS];    /* parts */
    bool is_at_it[WSE_MOST_BANDS]; /* in the next one */
    uint32_t cycles[MOST_STRIPS];  /* done, by strip */
    guint8 band[MOST_STRIPS];      /* that touches it now */
} Wafer;

static guint done_by(const Wafer *self, guint band)
{
    return band < self->bands.band_count ? self->done[band] : G_MAXUINT;
}

static bool is_of_part(const Wafer *self, guint band, guint strip)
{
    const WseStrips middle = wse_bands_middle(&self->bands, band);
    const bool is_in_middle = strip >= middle.first && strip < middle.end;

    return is_in_middle != wse_bands_is_at_border(band, self->done[band]);
}

/* What a strip does in a cycle changes PEs of those beside it. */
static void touch(Wafer *self, guint band, guint strip)
{
    const guint first = strip == 0 ? 0 : strip - 1;
    const guint last = MIN(strip + 1, self->bands.strip_count - 1);
    const uint32_t cycle = self->done[band] / WSE_BAND_PARTS;

    assert_int_equal(self->cycles[strip], cycle);
    for (guint i = first; i <= last; i++) {
        assert_in_range(self->cycles[i], cycle, cycle + 1);
        assert_true(self->band[i] == NOBODY || self->band[i] == band);
        self->band[i] = (guint8) band;
    }
    self->cycles[strip]++;
}

/* A part takes from here until end_part(), and all that time it may touch its strips.
 */
static void begin_part(Wafer *self, guint band)
{
    const WseStrips all = wse_bands_all(&self->bands, band);

    self->is_at_it[band] = true;
    for (guint strip = all.first; strip < all.end; strip++) {
        if (is_of_part(self, band, strip)) {
            touch(self, band, strip);
        }
    }
}

static void end_part(Wafer *self, guint band)
{
    for (guint strip = 0; strip < self->bands.strip_count; strip++) {
        self->band[strip] = self->band[strip] == band ? NOBODY : self->band[strip];
    }
    self->is_at_it[band] = false;
    self->done[band]++;
}

static bool may_begin(const Wafer *self, guint band)
{
    return self->done[band] < WSE_BAND_PARTS * CYCLES &&
           wse_bands_may_begin(band, self->done[band], done_by(self, band - 1),
                               done_by(self, band + 1));
}

/* Begins or ends a part of a band, if there is one. */
static bool turn(Wafer *self, guint band)
{
    if (self->is_at_it[band]) {
        end_part(self, band);
        return true;
    }
    if (may_begin(self, band)) {
        begin_part(self, band);
        return true;
    }
    return false;
}

static bool is_stuck(const Wafer *self)
{
    for (guint band = 0; band < self->bands.band_count; band++) {
        if (self->is_at_it[band] || may_begin(self, band)) {
            return false;
        }
    }
    return true;
}

/* Rows are those of strips one after another, and all strips have rows. */
static void check_strips(const WseBands *self)
{
    guint before = 0;

    assert_int_equal(wse_bands_strip(self, 0), 0);
    for (guint row = 1; row < self->rows; row++) {
        const guint strip = wse_bands_strip(self, row);

        assert_in_range(strip, before, before + 1);
        before = strip;
    }
    assert_int_equal(before, self->strip_count - 1);
    assert_in_range(before, 0, MOST_STRIPS - 1);
}

static void check(guint rows, guint most, guint threads, uint64_t seed)
{
    Wafer wafer = {.bands = wse_bands_cut(rows, most, threads)};
    const WseBands *bands = &wafer.bands;
    uint64_t random = seed;

    assert_in_range(bands->band_count, 1, MIN(MIN(most, threads), WSE_MOST_BANDS));
    check_strips(bands);
    memset(wafer.band, NOBODY, sizeof wafer.band);
    while (!is_stuck(&wafer)) {
        (void) turn(&wafer, (guint) (sim_random_next(&random) % bands->band_count));
    }
    for (guint i = 0; i < bands->strip_count; i++) {
        assert_int_equal(wafer.cycles[i], CYCLES);
    }
}

static void all_strips_do_all_cycles_in_order(void **state)
{
    (void) state;
    for (guint rows = 1; rows <= 120; rows++) {
        for (guint threads = 1; threads <= 8; threads++) {
            check(rows, WSE_MOST_BANDS, threads, rows * 8 + threads);
        }
    }
    check(994, 31, 2, 1);
    check(994, 31, 31, 2);
    check(994, 2, 8, 3);
}

/* Two bands beside each other can both be at a part at any time but when one of them is
 * a whole part behind. */
static void bands_beside_each_other_go_on_together(void **state)
{
    Wafer wafer = {.bands = wse_bands_cut(40, 2, 2)};

    (void) state;
    assert_int_equal(wafer.bands.band_count, 2);
    memset(wafer.band, NOBODY, sizeof wafer.band);
    for (guint part = 0; part < WSE_BAND_PARTS * CYCLES; part++) {
        assert_true(turn(&wafer, 0));
        assert_true(turn(&wafer, 1));
        assert_true(turn(&wafer, 0));
        assert_true(turn(&wafer, 1));
    }
    assert_true(is_stuck(&wafer));
    assert_int_equal(wafer.done[1], WSE_BAND_PARTS * CYCLES);
}

static void few_rows_are_one_band(void **state)
{
    const WseBands small = wse_bands_cut(7, 15, 2);
    const WseBands one = wse_bands_cut(994, 1, 1);

    (void) state;
    assert_int_equal(small.band_count, 1);
    assert_int_equal(small.strip_count, 1);
    assert_int_equal(one.strip_count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_strips_do_all_cycles_in_order),
        cmocka_unit_test(bands_beside_each_other_go_on_together),
        cmocka_unit_test(few_rows_are_one_band),
    };

    return cmocka_run_group_tests_name("arch.wse_bands", tests, NULL, NULL);
}
