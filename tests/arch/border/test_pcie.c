/* The PCIe tile, cycle by cycle: service, latency, fractions, queue, both directions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/border/pcie.h"
#include "sim/counter.h"
#include "sim/probe.h"

#define CHIP_FILE GRIDLOOM_SOURCE_DIR "/arch/chips/wormhole_n300.ini"

enum {
    COMMAND_LIMIT = 200,
};

/* A tile with numbers that are easy to add up in the head. */
static const char *const numbers[] = {
    "pcie.read_request_cycles=100",  "pcie.read_bytes_per_cycle=4",
    "pcie.read_latency_cycles=1000", "pcie.write_request_cycles=50",
    "pcie.write_bytes_per_cycle=8",  "pcie.write_latency_cycles=300",
    "pcie.queue_commands=4",
};

typedef struct {
    ArchParams *params;
    SimEngine *engine;
    ArchPcie *pcie;
    GString *trail; /* of probes */
} Bench;

static void bench_clear(Bench *self)
{
    arch_pcie_free(self->pcie);
    sim_engine_free(self->engine);
    arch_params_free(self->params);
    g_string_free(self->trail, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Bench, bench_clear)

static void leave_slice(gpointer data, const SimProbeRecord *record)
{
    g_string_append_printf(data, " %s@%" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT,
                           record->name, record->begin, record->end);
}

static ArchParams *parse_numbers(const char *const *overrides)
{
    g_autofree char *text = NULL;
    gsize length = 0;
    ArchParams *params;

    assert_true(g_file_get_contents(CHIP_FILE, &text, &length, NULL));
    params = arch_params_parse("tile.ini", text, length, NULL);
    assert_non_null(params);
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        assert_true(arch_params_override(params, numbers[i], NULL));
    }
    for (; overrides != NULL && *overrides != NULL; overrides++) {
        assert_true(arch_params_override(params, *overrides, NULL));
    }
    return params;
}

/* `overrides` come on top of the numbers above and may be NULL. */
static void bench_init(Bench *self, const char *const *overrides)
{
    self->params = parse_numbers(overrides);
    self->engine = sim_engine_new(sim_engine_config_default());
    self->trail = g_string_new(NULL);
    sim_engine_watch(
        self->engine,
        &(SimWatch){.func = leave_slice, .data = self->trail, .to = SIM_TIME_NEVER});
    self->pcie =
        arch_pcie_new(sim_engine_region(self->engine, 0), sim_key(0, 0), self->params);
}

/* Issues its commands as fast as the queue takes them. */
typedef struct {
    const Bench *bench;
    ArchPcieDirection direction;
    uint64_t bytes;
    guint count;
    SimProcess *process;
    guint issued;
    guint refusals;
    guint arrived;
    SimTime issues[COMMAND_LIMIT];
    SimTime arrivals[COMMAND_LIMIT];
} Issuer;

static void note_arrival(gpointer data)
{
    Issuer *self = data;

    self->arrivals[self->arrived++] = sim_engine_now(self->bench->engine);
}

static SimProcessStatus issue(SimProcess *process, gpointer data)
{
    Issuer *self = data;

    while (self->issued < self->count) {
        const ArchPcieCommand command = {.direction = self->direction,
                                         .bytes = self->bytes,
                                         .done = note_arrival,
                                         .data = self};

        if (!arch_pcie_issue(self->bench->pcie, &command, process)) {
            self->refusals++;
            return SIM_PROCESS_BLOCKED;
        }
        self->issues[self->issued++] = sim_region_now(sim_process_region(process));
    }
    return SIM_PROCESS_FINISHED;
}

static void issuer_clear(Issuer *self)
{
    g_clear_pointer(&self->process, sim_process_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Issuer, issuer_clear)

static void issuer_start(Issuer *self, const Bench *bench, guint key, SimTime delay)
{
    self->bench = bench;
    self->process =
        sim_process_new(sim_engine_region(bench->engine, 0), sim_key(key, 0), "core",
                        SIM_PROCESS_WORKER, issue, self);
    sim_process_start(self->process, delay);
}

static void run_to_end(const Bench *bench)
{
    g_autoptr(GError) error = NULL;

    if (!sim_engine_run(bench->engine, SIM_TIME_NEVER, &error)) {
        fail_msg("%s", error->message);
    }
}

/* One command, issued at cycle 7. */
static SimTime arrival_of(ArchPcieDirection direction, uint64_t bytes)
{
    g_auto(Bench) bench = {0};
    g_auto(Issuer) core = {.direction = direction, .bytes = bytes, .count = 1};

    bench_init(&bench, NULL);
    issuer_start(&core, &bench, 1, 7);
    run_to_end(&bench);
    assert_int_equal(core.arrived, 1);
    assert_int_equal(core.issues[0], 7);
    return core.arrivals[0];
}

static void a_command_takes_the_longer_of_floor_and_bytes(void **state G_GNUC_UNUSED)
{
    assert_int_equal(arrival_of(ARCH_PCIE_READ, 1), 7 + 100 + 1000);
    assert_int_equal(arrival_of(ARCH_PCIE_READ, 400), 7 + 100 + 1000);
    assert_int_equal(arrival_of(ARCH_PCIE_READ, 404), 7 + 101 + 1000);
    assert_int_equal(arrival_of(ARCH_PCIE_READ, 8000), 7 + 2000 + 1000);
    assert_int_equal(arrival_of(ARCH_PCIE_WRITE, 1), 7 + 50 + 300);
    assert_int_equal(arrival_of(ARCH_PCIE_WRITE, 400), 7 + 50 + 300);
    assert_int_equal(arrival_of(ARCH_PCIE_WRITE, 408), 7 + 51 + 300);
}

static void a_command_arrives_at_its_cycle_and_not_before(void **state G_GNUC_UNUSED)
{
    g_auto(Bench) early = {0};
    g_auto(Bench) ready = {0};
    g_auto(Issuer) first = {.direction = ARCH_PCIE_READ, .bytes = 32, .count = 1};
    g_auto(Issuer) second = {.direction = ARCH_PCIE_READ, .bytes = 32, .count = 1};

    bench_init(&early, NULL);
    issuer_start(&first, &early, 1, 7);
    assert_false(sim_engine_run(early.engine, 7 + 1100 - 1, NULL));
    assert_int_equal(first.arrived, 0);

    bench_init(&ready, NULL);
    issuer_start(&second, &ready, 1, 7);
    assert_true(sim_engine_run(ready.engine, 7 + 1100, NULL));
    assert_int_equal(second.arrived, 1);
}

static void commands_are_spaced_by_their_service(void **state G_GNUC_UNUSED)
{
    g_auto(Bench) bench = {0};
    g_auto(Issuer) core = {.direction = ARCH_PCIE_READ, .bytes = 800, .count = 10};

    bench_init(&bench, NULL);
    issuer_start(&core, &bench, 1, 0);
    run_to_end(&bench);

    assert_int_equal(core.arrived, 10);
    for (guint i = 0; i < core.arrived; i++) {
        assert_int_equal(core.arrivals[i], (i + 1) * 200 + 1000);
    }
    assert_int_equal(arch_pcie_busy_cycles(bench.pcie), 10 * 200);
}

/* The arrival of the last of `count` writes of `bytes`, without its latency. */
static SimTime service_of(guint count, uint64_t bytes, const char *const *overrides)
{
    g_auto(Bench) bench = {0};
    g_auto(Issuer)
        core = {.direction = ARCH_PCIE_WRITE, .bytes = bytes, .count = count};

    bench_init(&bench, overrides);
    issuer_start(&core, &bench, 1, 0);
    run_to_end(&bench);
    assert_int_equal(core.arrived, count);
    assert_int_equal(arch_pcie_busy_cycles(bench.pcie), core.arrivals[count - 1] - 300);
    return core.arrivals[count - 1] - 300;
}

static void fractions_of_a_cycle_add_up_exactly(void **state G_GNUC_UNUSED)
{
    static const char *const floor[] = {"pcie.write_request_cycles=52.5", NULL};
    static const char *const rate[] = {"pcie.write_request_cycles=0",
                                       "pcie.write_bytes_per_cycle=27", NULL};

    assert_int_equal(service_of(1, 32, floor), 52);
    assert_int_equal(service_of(2, 32, floor), 105);
    assert_int_equal(service_of(100, 32, floor), 5250);
    /* 8192 bytes at 27 a cycle are 303 + 11/27 cycles. */
    assert_int_equal(service_of(1, 8192, rate), 303);
    assert_int_equal(service_of(27, 8192, rate), 8192);
    assert_int_equal(service_of(108, 8192, rate), 4 * 8192);
}

static void a_floor_equal_to_the_bytes_costs_no_more(void **state G_GNUC_UNUSED)
{
    static const char *const equal[] = {"pcie.write_request_cycles=52.5",
                                        "pcie.write_bytes_per_cycle=2", NULL};
    static const char *const mixed[] = {"pcie.write_request_cycles=10.5",
                                        "pcie.write_bytes_per_cycle=8", NULL};
    g_auto(Bench) bench = {0};
    g_auto(Issuer) small = {.direction = ARCH_PCIE_WRITE, .bytes = 1, .count = 1};
    g_auto(Issuer) large = {.direction = ARCH_PCIE_WRITE, .bytes = 84, .count = 20};

    assert_int_equal(service_of(100, 105, equal), 5250);

    /* A first command that leaves half a cycle behind, then twenty of 10.5 by either
     * count: the sum is 220.5, whoever went first. */
    bench_init(&bench, mixed);
    issuer_start(&small, &bench, 1, 0);
    issuer_start(&large, &bench, 2, 0);
    run_to_end(&bench);
    assert_int_equal(arch_pcie_busy_cycles(bench.pcie), 220);
}

static void a_command_above_the_floor_leaves_the_floor_alone(void **state G_GNUC_UNUSED)
{
    static const char *const overrides[] = {"pcie.write_request_cycles=52.5", NULL};
    g_auto(Bench) bench = {0};
    g_auto(Issuer) large = {.direction = ARCH_PCIE_WRITE, .bytes = 8000, .count = 1};
    g_auto(Issuer) small = {.direction = ARCH_PCIE_WRITE, .bytes = 32, .count = 1};

    bench_init(&bench, overrides);
    issuer_start(&large, &bench, 1, 0);
    issuer_start(&small, &bench, 2, 0);
    run_to_end(&bench);

    assert_int_equal(large.arrivals[0], 1000 + 300);
    assert_int_equal(small.arrivals[0], 1000 + 52 + 300);
}

static void
a_full_queue_blocks_the_issuer_until_there_is_space(void **state G_GNUC_UNUSED)
{
    g_auto(Bench) bench = {0};
    g_auto(Issuer) core = {.direction = ARCH_PCIE_READ, .bytes = 32, .count = 7};

    bench_init(&bench, NULL);
    issuer_start(&core, &bench, 1, 1);
    run_to_end(&bench);

    /* Four wait in the queue; the tile takes the first of them at once, so the fifth
     * goes in at cycle 1 as well, after a refusal. */
    assert_int_equal(core.issues[3], 1);
    assert_int_equal(core.issues[4], 1);
    assert_int_equal(core.issues[5], 1 + 100);
    assert_int_equal(core.issues[6], 1 + 200);
    assert_int_equal(core.refusals, 3);
    assert_int_equal(core.arrivals[6], 1 + 700 + 1000);
}

static void
a_queue_of_one_holds_one_beside_the_one_in_service(void **state G_GNUC_UNUSED)
{
    static const char *const overrides[] = {"pcie.queue_commands=1", NULL};
    g_auto(Bench) bench = {0};
    g_auto(Issuer) core = {.direction = ARCH_PCIE_READ, .bytes = 32, .count = 4};

    bench_init(&bench, overrides);
    issuer_start(&core, &bench, 1, 1);
    run_to_end(&bench);

    assert_int_equal(core.issues[1], 1);
    assert_int_equal(core.issues[2], 1 + 100);
    assert_int_equal(core.issues[3], 1 + 200);
    assert_int_equal(core.arrivals[3], 1 + 400 + 1000);
}

static void blocked_issuers_take_turns(void **state G_GNUC_UNUSED)
{
    static const char *const overrides[] = {"pcie.queue_commands=1", NULL};
    g_auto(Bench) bench = {0};
    g_auto(Issuer) first = {.direction = ARCH_PCIE_READ, .bytes = 32, .count = 4};
    g_auto(Issuer) second = {.direction = ARCH_PCIE_READ, .bytes = 32, .count = 4};

    bench_init(&bench, overrides);
    issuer_start(&first, &bench, 1, 1);
    issuer_start(&second, &bench, 2, 1);
    run_to_end(&bench);

    /* The first has one in service, one in the queue and waits with its third when the
     * second asks. */
    assert_int_equal(first.arrivals[2], 1 + 300 + 1000);
    assert_int_equal(second.arrivals[0], 1 + 400 + 1000);
    assert_int_equal(first.arrivals[3], 1 + 500 + 1000);
    assert_int_equal(second.arrivals[1], 1 + 600 + 1000);
    assert_int_equal(second.arrivals[3], 1 + 800 + 1000);
}

static void reads_and_writes_share_the_tile(void **state G_GNUC_UNUSED)
{
    g_auto(Bench) bench = {0};
    g_auto(Issuer) reader = {.direction = ARCH_PCIE_READ, .bytes = 32, .count = 2};
    g_auto(Issuer) writer = {.direction = ARCH_PCIE_WRITE, .bytes = 32, .count = 2};

    bench_init(&bench, NULL);
    issuer_start(&reader, &bench, 1, 0);
    issuer_start(&writer, &bench, 2, 0);
    run_to_end(&bench);

    assert_string_equal(bench.trail->str,
                        " read@0..100 read@100..200 write@200..250 write@250..300");
    assert_int_equal(reader.arrivals[1], 200 + 1000);
    assert_int_equal(writer.arrivals[0], 250 + 300);
    assert_int_equal(writer.arrivals[1], 300 + 300);
    assert_int_equal(arch_pcie_busy_cycles(bench.pcie), 300);
}

static void an_idle_tile_is_not_busy(void **state G_GNUC_UNUSED)
{
    g_auto(Bench) bench = {0};
    g_auto(Issuer) early = {.direction = ARCH_PCIE_WRITE, .bytes = 32, .count = 1};
    g_auto(Issuer) late = {.direction = ARCH_PCIE_WRITE, .bytes = 32, .count = 1};

    bench_init(&bench, NULL);
    issuer_start(&early, &bench, 1, 10);
    issuer_start(&late, &bench, 2, 5000);
    run_to_end(&bench);

    assert_int_equal(late.arrivals[0], 5000 + 50 + 300);
    assert_int_equal(arch_pcie_busy_cycles(bench.pcie), 100);
}

static void bytes_are_counted_whatever_their_direction(void **state G_GNUC_UNUSED)
{
    g_auto(Bench) bench = {0};
    g_auto(Issuer) reader = {.direction = ARCH_PCIE_READ, .bytes = 100, .count = 3};
    g_auto(Issuer) writer = {.direction = ARCH_PCIE_WRITE, .bytes = 7, .count = 2};

    bench_init(&bench, NULL);
    issuer_start(&reader, &bench, 1, 0);
    issuer_start(&writer, &bench, 2, 0);
    run_to_end(&bench);

    assert_int_equal(sim_engine_counter_total(
                         bench.engine, sim_engine_counter(bench.engine, "pcie_bytes")),
                     314);
}

static void a_command_may_want_no_answer(void **state G_GNUC_UNUSED)
{
    const ArchPcieCommand command = {.direction = ARCH_PCIE_WRITE, .bytes = 8};
    g_auto(Bench) bench = {0};

    bench_init(&bench, NULL);
    run_to_end(&bench);
    assert_true(arch_pcie_issue(bench.pcie, &command, NULL));
    run_to_end(&bench);

    assert_int_equal(sim_engine_now(bench.engine), 50);
    assert_int_equal(arch_pcie_busy_cycles(bench.pcie), 50);
}

static void a_tile_is_freed_with_commands_under_way(void **state G_GNUC_UNUSED)
{
    g_auto(Bench) bench = {0};
    g_auto(Issuer) core = {.direction = ARCH_PCIE_READ, .bytes = 32, .count = 6};

    bench_init(&bench, NULL);
    issuer_start(&core, &bench, 1, 0);

    assert_false(sim_engine_run(bench.engine, 250, NULL));
    assert_int_equal(core.arrived, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_takes_the_longer_of_floor_and_bytes),
        cmocka_unit_test(a_command_arrives_at_its_cycle_and_not_before),
        cmocka_unit_test(commands_are_spaced_by_their_service),
        cmocka_unit_test(fractions_of_a_cycle_add_up_exactly),
        cmocka_unit_test(a_floor_equal_to_the_bytes_costs_no_more),
        cmocka_unit_test(a_command_above_the_floor_leaves_the_floor_alone),
        cmocka_unit_test(a_full_queue_blocks_the_issuer_until_there_is_space),
        cmocka_unit_test(a_queue_of_one_holds_one_beside_the_one_in_service),
        cmocka_unit_test(blocked_issuers_take_turns),
        cmocka_unit_test(reads_and_writes_share_the_tile),
        cmocka_unit_test(an_idle_tile_is_not_busy),
        cmocka_unit_test(bytes_are_counted_whatever_their_direction),
        cmocka_unit_test(a_command_may_want_no_answer),
        cmocka_unit_test(a_tile_is_freed_with_commands_under_way),
    };

    return cmocka_run_group_tests_name("arch.pcie", tests, NULL, NULL);
}
