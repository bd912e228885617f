/* Memory channels of FPGA boards, ports and moves of bursts, cycle by cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/nero/channel.h"
#include "arch/nero/move.h"
#include "tests/arch/probe_log.h"
#include "tests/arch/shipped.h"

#define BURST UINT64_C(512)

enum {
    ARRIVALS = 64,
};

/* 300 MHz and 12.8 GB/s: 128 bytes take 3 cycles, a burst 12. */
static const char *const numbers[] = {
    "chip.clock_hz=300000000",
    "memory.channel_bytes_per_second=12800000000",
    "memory.latency_cycles=40",
    "memory.turnaround_cycles=5",
    "memory.activate_ns=0",
    "memory.precharge_ns=0",
    "memory.row_cycle_ns=0",
    "memory.refresh_interval_ns=0",
    NULL,
};

typedef struct {
    ArchParams *params;
    SimEngine *engine;
    SimRegion *region;
    NeroChannel channel;
    NeroPort port;
    NeroMove move;
    guint arrived;
    guint begun;
    GString *trail; /* of bursts that were served */
    SimTime arrivals[ARRIVALS];
} Bench;

static void bench_init(Bench *self, const char *override)
{
    self->params = shipped_params_with("nero_ad9h7", numbers);
    assert_true(override == NULL || arch_params_override(self->params, override, NULL));
    self->engine = sim_engine_new(sim_engine_config_default());
    self->region = sim_engine_region(self->engine, 0);
    nero_channel_init(&self->channel, self->region, sim_key(1, 0),
                      sim_engine_lane(self->engine, "channel"),
                      (NeroChannelPlace){0, 1}, self->params);
    self->port.beat_bytes = 32;
    self->trail = g_string_new(NULL);
}

static void bench_clear(Bench *self)
{
    nero_move_clear(&self->move);
    nero_channel_clear(&self->channel);
    g_string_free(self->trail, TRUE);
    sim_engine_free(self->engine);
    arch_params_free(self->params);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Bench, bench_clear)

static void run(const Bench *self)
{
    assert_true(sim_engine_run(self->engine, SIM_TIME_NEVER, NULL));
}

static void note_span(gpointer data, uint64_t bytes, NeroSpan span)
{
    g_string_append_printf(data, " %u@%u..%u", (guint) bytes, (guint) span.begin,
                           (guint) span.end);
}

static void request(Bench *self, NeroDirection direction, uint64_t bytes)
{
    nero_channel_request(&self->channel, &(NeroBurst){.direction = direction,
                                                      .bytes = bytes,
                                                      .served = note_span,
                                                      .data = self->trail});
}

static void a_burst_takes_its_bytes_and_the_latency(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    request(&bench, NERO_READ, BURST);
    run(&bench);

    assert_string_equal(bench.trail->str, " 512@40..52");
}

static void bursts_are_served_in_the_order_in_which_they_come(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    request(&bench, NERO_READ, BURST);
    request(&bench, NERO_READ, 256);
    request(&bench, NERO_READ, 128);
    run(&bench);

    assert_string_equal(bench.trail->str, " 512@40..52 256@52..58 128@58..61");
}

/* The write comes first and is under way; of those that wait reads go first. */
static void reads_go_before_writes_that_wait(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, "memory.turnaround_cycles=0");
    request(&bench, NERO_WRITE, BURST);
    request(&bench, NERO_WRITE, 256);
    request(&bench, NERO_READ, 128);
    request(&bench, NERO_READ, BURST);
    run(&bench);

    assert_string_equal(bench.trail->str,
                        " 512@40..52 128@52..55 512@55..67 256@67..73");
}

static void a_change_of_direction_costs_its_pause_and_only_a_change(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    request(&bench, NERO_READ, BURST);
    request(&bench, NERO_WRITE, BURST);
    request(&bench, NERO_WRITE, 256);
    run(&bench);
    request(&bench, NERO_READ, 128);
    run(&bench);

    assert_string_equal(bench.trail->str,
                        " 512@40..52 512@57..69 256@69..75 128@80..83");
    assert_int_equal(bench.channel.bytes[NERO_READ], BURST + 128);
    assert_int_equal(bench.channel.bytes[NERO_WRITE], BURST + 256);
}

/* 12.8125 GB/s are 24 cycles for 1025 bytes: 1025 bursts take 12288. */
static void fractions_of_cycles_are_not_lost(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, "memory.channel_bytes_per_second=12812500000");
    for (guint i = 0; i < 1025; i++) {
        request(&bench, NERO_READ, BURST);
    }
    run(&bench);

    assert_true(g_str_has_suffix(bench.trail->str, "..12328"));
    assert_int_equal(bench.channel.server.busy_cycles, 12288);
}

static void a_port_passes_a_beat_a_cycle_as_bytes_come(void **state)
{
    (void) state;
    NeroPort port = {.beat_bytes = 32};

    assert_int_equal(nero_port_pass(&port, (NeroSpan){40, 52}, BURST), 56);
    assert_int_equal(nero_port_pass(&port, (NeroSpan){52, 64}, BURST), 72);
    assert_int_equal(nero_port_pass(&port, (NeroSpan){100, 140}, BURST), 140);
    assert_int_equal(nero_port_cycles(&port, 33), 2);
}

static void pass_port(gpointer data, uint64_t bytes, NeroSpan span)
{
    Bench *self = data;

    nero_move_leave(&self->move, 0, nero_port_pass(&self->port, span, bytes));
}

static void through_port(gpointer data, uint64_t bytes)
{
    Bench *self = data;

    nero_channel_request(&self->channel, &(NeroBurst){.direction = NERO_READ,
                                                      .bytes = bytes,
                                                      .served = pass_port,
                                                      .data = self});
}

static void ten_cycles(gpointer data, uint64_t bytes)
{
    Bench *self = data;

    (void) bytes;
    nero_move_leave(&self->move, 1, sim_region_now(self->region) + 10);
}

static void note(gpointer data, uint64_t bytes)
{
    Bench *self = data;

    (void) bytes;
    self->arrivals[self->arrived++] = sim_region_now(self->region);
}

static void note_begun(gpointer data)
{
    ((Bench *) data)->begun++;
}

static void move_init(Bench *self, guint limit, guint hops)
{
    nero_move_init(&self->move, &(NeroMoveConfig){
                                    .region = self->region,
                                    .burst_bytes = BURST,
                                    .limit = limit,
                                    .hop_count = hops,
                                    .hops = {through_port, ten_cycles},
                                    .arrived = note,
                                    .begun = note_begun,
                                    .data = self,
                                });
}

/* Enough under way: the port is never idle. */
static void many_bursts_under_way_hide_the_latency(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    move_init(&bench, 8, 1);
    nero_move_add(&bench.move, 20 * BURST, true);
    run(&bench);

    assert_int_equal(bench.arrived, 20);
    assert_int_equal(bench.arrivals[0], 56);
    assert_int_equal(bench.arrivals[19], 56 + 19 * 16);
}

/* One at a time: each pays the latency, and 16 beats of which the first comes with its
 * first byte. */
static void a_single_burst_under_way_pays_it_each_time(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    move_init(&bench, 1, 1);
    nero_move_add(&bench.move, 4 * BURST, true);
    run(&bench);

    assert_int_equal(bench.arrivals[3], 4 * 56);
    assert_int_equal(bench.begun, 1);
}

static void bytes_wait_until_they_fill_a_burst_or_are_the_last(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    move_init(&bench, 4, 1);
    nero_move_add(&bench.move, BURST - 1, false);
    run(&bench);
    assert_int_equal(bench.arrived, 0);

    nero_move_add(&bench.move, 2, false);
    run(&bench);
    assert_int_equal(bench.arrived, 1);

    nero_move_add(&bench.move, 0, true);
    run(&bench);
    assert_int_equal(bench.arrived, 2);
    assert_int_equal(bench.channel.bytes[NERO_READ], BURST + 1);
}

static void a_second_place_adds_its_time(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    move_init(&bench, 4, 2);
    nero_move_add(&bench.move, 2 * BURST, true);
    run(&bench);

    assert_int_equal(bench.arrivals[0], 66);
    assert_int_equal(bench.arrivals[1], 82);
}

static void use_channel(SimRegion *region, gpointer data)
{
    (void) region;
    request(data, NERO_READ, BURST);
    request(data, NERO_READ, BURST);
    request(data, NERO_WRITE, BURST);
}

static void flush_channel(SimRegion *region, gpointer data)
{
    (void) region;
    nero_server_flush(&((Bench *) data)->channel.server);
}

static void watchers_see_reads_writes_and_turnarounds(void **state)
{
    (void) state;
    g_auto(Bench) bench = {0};
    ProbeLog log = {0};

    bench_init(&bench, NULL);
    probe_log_open(&log, bench.engine);
    sim_region_at(bench.region, 0, sim_key(0, 0), use_channel, &bench);
    sim_region_at(bench.region, 100, sim_key(0, 0), flush_channel, &bench);
    run(&bench);

    g_autofree char *text = probe_log_lane(&log, "channel");

    assert_string_equal(text, "read 0..24 dram_bytes=1024\n"
                              "(turnaround 24..29)\n"
                              "write 29..41 dram_bytes=512\n");
    probe_log_close(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_burst_takes_its_bytes_and_the_latency),
        cmocka_unit_test(bursts_are_served_in_the_order_in_which_they_come),
        cmocka_unit_test(reads_go_before_writes_that_wait),
        cmocka_unit_test(a_change_of_direction_costs_its_pause_and_only_a_change),
        cmocka_unit_test(fractions_of_cycles_are_not_lost),
        cmocka_unit_test(a_port_passes_a_beat_a_cycle_as_bytes_come),
        cmocka_unit_test(many_bursts_under_way_hide_the_latency),
        cmocka_unit_test(a_single_burst_under_way_pays_it_each_time),
        cmocka_unit_test(bytes_wait_until_they_fill_a_burst_or_are_the_last),
        cmocka_unit_test(a_second_place_adds_its_time),
        cmocka_unit_test(watchers_see_reads_writes_and_turnarounds),
    };

    return cmocka_run_group_tests_name("arch.nero_channel", tests, NULL, NULL);
}
