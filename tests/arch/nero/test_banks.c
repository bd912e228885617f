/* DRAM banks behind memory channels: rows that are opened, and refreshes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/nero/channel.h"
#include "tests/arch/shipped.h"

enum {
    PAGE = 1024,
    BANKS = 16,
};

/* A cycle is 10 ns. */
static const char *const numbers[] = {
    "chip.clock_hz=100000000",
    "memory.controller_count=1",
    "memory.bank_count=16",
    "memory.page_bytes=1024",
    "memory.activate_ns=150",
    "memory.precharge_ns=100",
    "memory.row_cycle_ns=500",
    "memory.refresh_ns=2600",
    "memory.refresh_interval_ns=39000",
    "memory.channel_bytes_per_second=12800000000", /* 128 a cycle */
    "memory.latency_cycles=40",
    "memory.turnaround_cycles=0",
    NULL,
};

static void open_banks(NeroBanks *banks, guint channel, guint channels)
{
    g_autoptr(ArchParams) params = shipped_params_with("nero_ad9h7", numbers);

    nero_banks_init(banks, params, channel, channels);
}

static void a_row_is_opened_once_and_then_at_hand(void **state)
{
    (void) state;
    NeroBanks banks;

    open_banks(&banks, 0, 1);
    assert_int_equal(nero_banks_open(&banks, 0, 512, 100, 100), 115);
    nero_banks_close(&banks, 0, 512, 119);
    assert_int_equal(nero_banks_open(&banks, 512, 512, 119, 119), 119);
    assert_int_equal(banks.openings, 1);
    nero_banks_clear(&banks);
}

/* It came at 100 and could be opened while others moved data until 400. */
static void a_bank_opens_while_others_move_data(void **state)
{
    (void) state;
    NeroBanks banks;

    open_banks(&banks, 0, 1);
    assert_int_equal(nero_banks_open(&banks, PAGE, 512, 100, 400), 400);
    nero_banks_clear(&banks);
}

/* The data end at 20, then 10 to close and 15 to open; but 50 from one activation to
 * the next. */
static void another_row_of_a_bank_waits_for_the_first(void **state)
{
    (void) state;
    NeroBanks banks;

    open_banks(&banks, 0, 1);
    nero_banks_open(&banks, 0, 512, 0, 0);
    nero_banks_close(&banks, 0, 512, 20);
    assert_int_equal(nero_banks_open(&banks, BANKS * PAGE, 512, 0, 20), 50 + 15);
    nero_banks_close(&banks, BANKS * PAGE, 512, 200);
    assert_int_equal(nero_banks_open(&banks, 0, 512, 0, 200), 200 + 10 + 15);
    nero_banks_clear(&banks);
}

static void refreshes_close_all_rows_and_take_their_time(void **state)
{
    (void) state;
    NeroBanks banks;

    open_banks(&banks, 0, 1);
    nero_banks_open(&banks, 0, 512, 0, 0);
    assert_int_equal(nero_banks_refresh(&banks, 0, 3899), 3899);
    assert_int_equal(nero_banks_refresh(&banks, 3890, 3900), 3900 + 260);
    assert_int_equal(banks.refreshes, 1);
    assert_int_equal(nero_banks_open(&banks, 0, 512, 3900, 4160), 4160 + 15);
    /* Nobody waits for those of idle times. */
    assert_int_equal(nero_banks_refresh(&banks, 4200, 100000), 100000);
    assert_int_equal(banks.refreshes, 25);
    nero_banks_clear(&banks);
}

/* Of 16 channels in one controller all come together, of one in 8 each on its own. */
static void controllers_refresh_one_after_another(void **state)
{
    (void) state;
    NeroBanks first;
    NeroBanks last;

    open_banks(&first, 0, 16);
    open_banks(&last, 15, 16);
    assert_int_equal(first.next_refresh, last.next_refresh);
    nero_banks_clear(&first);
    nero_banks_clear(&last);

    g_autoptr(ArchParams) params = shipped_params_with("nero_ad9h7", numbers);

    assert_true(arch_params_override(params, "memory.controller_count=8", NULL));
    nero_banks_init(&first, params, 1, 16);
    nero_banks_init(&last, params, 2, 16);
    assert_int_equal(first.next_refresh, 487);
    assert_int_equal(last.next_refresh, 975);
    nero_banks_clear(&first);
    nero_banks_clear(&last);
}

static void note_span(gpointer data, uint64_t bytes, NeroSpan span)
{
    (void) bytes;
    *(SimTime *) data = span.end;
}

/* 1000 pages in a row: 8 cycles each, a row of the first bank, and two refreshes, after
 * which one row is opened. Activations of all other banks hide behind data. */
static void a_stream_of_pages_pays_for_refreshes_only(void **state)
{
    (void) state;
    g_autoptr(ArchParams) params = shipped_params_with("nero_ad9h7", numbers);
    g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());
    NeroChannel channel;
    SimTime end = 0;

    nero_channel_init(&channel, sim_engine_region(engine, 0), sim_key(1, 0),
                      sim_engine_lane(engine, "channel"), (NeroChannelPlace){0, 1},
                      params);
    for (guint i = 0; i < 1000; i++) {
        nero_channel_request(&channel, &(NeroBurst){.direction = NERO_READ,
                                                    .bytes = PAGE,
                                                    .address = (uint64_t) i * PAGE,
                                                    .served = note_span,
                                                    .data = &end});
    }
    assert_true(sim_engine_run(engine, SIM_TIME_NEVER, NULL));

    assert_int_equal(end, 15 + 8000 + 2 * (260 + 15) + 40);
    assert_int_equal(channel.banks.refreshes, 2);
    assert_int_equal(channel.banks.openings, 1000);
    nero_channel_clear(&channel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_opened_once_and_then_at_hand),
        cmocka_unit_test(a_bank_opens_while_others_move_data),
        cmocka_unit_test(another_row_of_a_bank_waits_for_the_first),
        cmocka_unit_test(refreshes_close_all_rows_and_take_their_time),
        cmocka_unit_test(controllers_refresh_one_after_another),
        cmocka_unit_test(a_stream_of_pages_pays_for_refreshes_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
