/* The wheel of visits: a visit comes in its cycle, however far away it was added. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/wse/wheel.h"

/* Adds a visit at cycle 0 for `when`; the first cycle in which the wheel gives it. */
static uint32_t given_at(uint32_t when)
{
    WseWheel *wheel = wse_wheel_new(WSE_WHEEL_CYCLES);
    WseChunk *chunk = NULL;
    uint32_t now = 0;

    wse_wheel_add(wheel, 0, when, 7);
    while (chunk == NULL) {
        const uint32_t step = wse_wheel_next(wheel, now);

        assert_in_range(step, 1, WSE_WHEEL_CYCLES);
        now += step;
        chunk = wse_wheel_take(wheel, now);
    }
    assert_int_equal(chunk->count, 1);
    assert_int_equal(chunk->entries[0], 7);
    wse_wheel_give(wheel, chunk);
    assert_int_equal(wse_wheel_next(wheel, now), 0);
    wse_wheel_free(wheel);
    return now;
}

static void visits_come_in_their_cycle(void **state G_GNUC_UNUSED)
{
    static const uint32_t turn = WSE_WHEEL_CYCLES;
    const uint32_t whens[] = {1,        63,       64,           turn - 1,
                              turn,     turn + 1, 3 * turn / 2, 3 * turn / 2 + 1,
                              2 * turn, 5 * turn, 5 * turn + 1};

    for (gsize i = 0; i < G_N_ELEMENTS(whens); i++) {
        assert_int_equal(given_at(whens[i]), whens[i]);
    }
}

/* Half a turn after they were added, those a turn away are still not near. */
static void a_visit_a_turn_away_stays_beyond(void **state G_GNUC_UNUSED)
{
    const uint32_t half = WSE_WHEEL_CYCLES / 2;
    WseWheel *wheel = wse_wheel_new(WSE_WHEEL_CYCLES);

    wse_wheel_add(wheel, 0, half + WSE_WHEEL_CYCLES, 7);
    assert_null(wse_wheel_take(wheel, half));

    assert_int_equal(wheel->beyond->len, 1);
    assert_false(wse_wheel_has(wheel, half));
    wse_wheel_free(wheel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(visits_come_in_their_cycle),
        cmocka_unit_test(a_visit_a_turn_away_stays_beyond),
    };

    return cmocka_run_group_tests_name("arch.wse_wheel", tests, NULL, NULL);
}
