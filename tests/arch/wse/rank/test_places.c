/* Where PEs are in ranks: each has a place of its own, and finds its neighbours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/wse/rank/places.h"
#include "arch/wse/rank/planes.h"

/* The place that a rank says a neighbour has; UINT32_MAX where the wafer ends. */
static uint32_t beside(WseRank *ranks, uint32_t place, guint link)
{
    WseRank *rank = &ranks[place / WSE_RANK_LANES];
    const guint lane = place % WSE_RANK_LANES;
    const WseRankLink *way = &rank->links[link];
    const guint to = (lane - way->turn) % WSE_RANK_LANES;

    if (wse_planes_have(way->inside, lane)) {
        assert_false(wse_planes_have(way->outside, lane));
        return (uint32_t) (rank - ranks) * WSE_RANK_LANES + to;
    }
    if (wse_planes_have(way->outside, lane)) {
        return (uint32_t) (way->beside - ranks) * WSE_RANK_LANES + to;
    }
    return UINT32_MAX;
}

static void check_pe(const WsePlaces *places, WseRank *ranks, guint x, guint y)
{
    const uint32_t number = y * places->columns + x;
    const uint32_t *place = &places->places[number];
    const uint32_t wanted[WSE_LINKS] = {
        [ARCH_WSE_WEST] = x > 0 ? place[-1] : UINT32_MAX,
        [ARCH_WSE_EAST] = x + 1 < places->columns ? place[1] : UINT32_MAX,
        [ARCH_WSE_NORTH] = y > 0 ? *(place - places->columns) : UINT32_MAX,
        [ARCH_WSE_SOUTH] = y + 1 < places->rows ? place[places->columns] : UINT32_MAX,
    };

    assert_true(*place / WSE_RANK_LANES < places->rank_count);
    assert_int_equal(
        wse_rank_number(&ranks[*place / WSE_RANK_LANES], *place % WSE_RANK_LANES),
        number);
    for (guint link = 0; link < WSE_LINKS; link++) {
        assert_int_equal(beside(ranks, *place, link), wanted[link]);
    }
}

static void check(guint columns, guint rows, guint rank_count)
{
    WsePlaces places;

    wse_places_init(&places, columns, rows);
    assert_int_equal(places.rank_count, rank_count);
    g_autofree WseRank *ranks = g_new0(WseRank, places.rank_count);

    wse_places_link(&places, ranks);
    for (guint y = 0; y < rows; y++) {
        for (guint x = 0; x < columns; x++) {
            check_pe(&places, ranks, x, y);
        }
    }
    wse_places_clear(&places);
}

static void narrow_wafers_fill_their_ranks(void **state)
{
    (void) state;
    check(1, 1, 1);
    check(1, 200, 4);
    check(25, 29, 12);
    check(32, 5, 3);
    check(63, 64, 63);
}

static void rows_of_others_begin_with_a_rank(void **state)
{
    (void) state;
    check(64, 3, 3);
    check(65, 3, 6);
    check(200, 2, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_wafers_fill_their_ranks),
        cmocka_unit_test(rows_of_others_begin_with_a_rank),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
