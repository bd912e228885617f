/* Compute kernels: what operations cost, what must not be called where, where the
 * cycles went. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/tensix/compute/block.h"
#include "sim/error.h"
#include "tests/arch/tensix/rounds.h"

static void wait_unattributed(GArray *calls, guint round)
{
    (void) round;
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_UNATTRIBUTED, .value = 12345);
}

static void unattributed_cycles_pass_on_every_thread(void **state)
{
    static const KernelTest test = {.round = wait_unattributed, .rounds = 3};
    g_auto(KernelResult) result = kernel_run(&test);
    guint found = 0;

    (void) state;
    assert_null(result.error);
    assert_int_equal(result.cycles, 3 * 12345);
    for (guint i = 0; i < result.uses->len; i++) {
        const ArchTensixUse *use = &g_array_index(result.uses, ArchTensixUse, i);

        if (g_str_equal(use->reason, "unattributed")) {
            assert_int_equal(use->cycles, 3 * 12345);
            found++;
        }
    }
    assert_int_equal(found, 3);
}

/* tensix-mechanisms.md sections 1.1, 1.2 and 3; ranges by their middle. */
static void operations_cost_what_the_facts_say(void **state)
{
    static const double tolerance = 0.1;
    static const struct {
        const char *name;
        KernelTest test;
        double cycles;
    } rows[] = {
        {"add, stream", {.round = round_stream_add}, 95},
        {"add, batches of 8", {.round = round_batch_add}, 69},
        {"copy, stream", {.round = round_stream_copy}, 69},
        {"SFPU add, stream", {.round = round_stream_vectors}, 303},
        {"SFPU add, stream, init", {.round = round_stream_vectors_init}, 361},
        {"SFPU add, reconfig",
         {.round = round_stream_vectors_reconfig, .is_large = true},
         428},
        {"SFPU add, unrolled",
         {.round = round_stream_vectors_reconfig,
          .is_large = true,
          .is_unrolled = true},
         513},
        {"add, chain", {.round = round_chain_add, .is_large = true}, 258},
        {"add, chain, hoisted",
         {.round = round_chain_add_hoisted, .is_large = true},
         222},
        {"add, chain, reconfig",
         {.round = round_chain_add_reconfig, .is_large = true},
         308},
        {"add, chain, small", {.round = round_chain_add}, 222},
        {"copy, chain", {.round = round_chain_copy, .is_large = true}, 199},
        {"copy, chain, hoisted",
         {.round = round_chain_copy_hoisted, .is_large = true},
         161},
        {"copy, chain, reconfig",
         {.round = round_chain_copy_reconfig, .is_large = true},
         225},
        {"copy, chain, small", {.round = round_chain_copy}, 182},
        {"transpose, chain", {.round = round_chain_transpose, .is_large = true}, 199},
        {"FP32 add, stream",
         {.round = round_stream_vectors, .format = ARCH_FORMAT_FP32},
         662.5},
        {"FP32 add, chain, small",
         {.round = round_chain_vectors, .format = ARCH_FORMAT_FP32},
         787},
        {"FP32 add, chain",
         {.round = round_chain_vectors, .format = ARCH_FORMAT_FP32, .is_large = true},
         835},
        {"FP32 add, chain, reconfig",
         {.round = round_chain_vectors_reconfig,
          .format = ARCH_FORMAT_FP32,
          .is_large = true},
         892},
        {"FP32 copy, chain, small",
         {.round = round_chain_copy, .format = ARCH_FORMAT_FP32},
         342},
        {"FP32 copy, chain",
         {.round = round_chain_copy, .format = ARCH_FORMAT_FP32, .is_large = true},
         358},
        {"FP32 transpose, chain, small",
         {.round = round_chain_transpose, .format = ARCH_FORMAT_FP32},
         492},
        {"FP32 transpose, chain",
         {.round = round_chain_transpose, .format = ARCH_FORMAT_FP32, .is_large = true},
         508},
        {"FP32 scale, chain, small",
         {.round = round_chain_scale, .format = ARCH_FORMAT_FP32},
         576},
        {"FP32 scale, chain",
         {.round = round_chain_scale, .format = ARCH_FORMAT_FP32, .is_large = true},
         614},
        {"FP32 dot, small", {.round = round_dot_step, .format = ARCH_FORMAT_FP32}, 868},
        {"FP32 dot",
         {.round = round_dot_step, .format = ARCH_FORMAT_FP32, .is_large = true},
         924},
        {"matmul, LoFi", {.round = round_batch_matmul, .fidelity = 1}, 79.1},
        {"matmul, HiFi2", {.round = round_batch_matmul, .fidelity = 2}, 96.5},
        {"matmul, HiFi4", {.round = round_batch_matmul, .fidelity = 4}, 129.8},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        double cycles = kernel_slope(rows[i].test, 64);
        double miss = cycles / rows[i].cycles - 1;

        if (miss > tolerance || miss < -tolerance) {
            fail_msg("%s: %.1f cycles, expected %.1f", rows[i].name, cycles,
                     rows[i].cycles);
        }
    }
}

/* 11 + 11 for two waits, 33 for the call: 55; 4 of the stream, 62 of the unpackers; the
 * last face takes 3, its latency 5, the commit 4, the semaphore 3, the packer 9 + 34,
 * the release 6: 185. Then the push: 1, already behind the release, and 4. */
static void one_addition_takes_what_its_parts_take(void **state)
{
    const KernelTest test = {.round = round_stream_add, .rounds = 1};
    g_auto(KernelResult) result = kernel_run(&test);

    (void) state;
    assert_null(result.refusal);
    assert_int_equal(result.cycles,
                     11 + 11 + 33 + 4 + 62 + 3 + 5 + 4 + 3 + 9 + 34 + 6 + 1 + 4);
}

static uint64_t sum_of(const GArray *uses, const char *name)
{
    uint64_t sum = 0;

    for (guint i = 0; i < uses->len; i++) {
        const ArchTensixUse *use = &g_array_index(uses, ArchTensixUse, i);

        if (g_str_equal(use->name, name)) {
            sum += use->cycles;
        }
    }
    return sum;
}

static uint64_t cycles_of(const GArray *uses, const char *name, const char *reason)
{
    for (guint i = 0; i < uses->len; i++) {
        const ArchTensixUse *use = &g_array_index(uses, ArchTensixUse, i);

        if (g_str_equal(use->name, name) && g_str_equal(use->reason, reason)) {
            return use->cycles;
        }
    }
    return 0;
}

static void cycles_of_every_lane_add_up(void **state)
{
    static const char *const lanes[] = {"unpack", "math", "pack",  "unpacker",
                                        "fpu",    "sfpu", "packer"};
    static const KernelTest tests[] = {
        {.round = round_chain_add, .rounds = 20, .is_large = true},
        {.round = round_stream_vectors_reconfig, .rounds = 20, .is_large = true},
        {.round = round_chain_vectors, .rounds = 20, .format = ARCH_FORMAT_FP32},
        {.round = round_batch_matmul, .rounds = 24, .fidelity = 3},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(tests); i++) {
        g_auto(KernelResult) result = kernel_run(&tests[i]);

        for (gsize lane = 0; lane < G_N_ELEMENTS(lanes); lane++) {
            assert_int_equal(sum_of(result.uses, lanes[lane]), result.cycles);
        }
    }
}

static void units_are_busy_for_their_own_time(void **state)
{
    const KernelTest test = {.round = round_stream_add, .rounds = 10};
    g_auto(KernelResult) result = kernel_run(&test);

    (void) state;
    assert_int_equal(cycles_of(result.uses, "unpacker", "busy"), 10 * 62);
    assert_int_equal(cycles_of(result.uses, "packer", "busy"), 10 * 34);
    assert_int_equal(cycles_of(result.uses, "fpu", "busy"), 10 * (4 * 3 + 1));
    assert_int_equal(cycles_of(result.uses, "sfpu", "busy"), 0);
}

/* Products with one operand that stays in Src from the call before. */
static void keep_operand(GArray *calls, guint round, TensixKeep keep)
{
    const guint first = calls->len;

    round_batch_matmul(calls, round);
    for (guint i = first; i < calls->len; i++) {
        ArchComputeCall *call = &g_array_index(calls, ArchComputeCall, i);

        call->keep = call->op == ARCH_COMPUTE_MATMUL ? (uint8_t) keep : call->keep;
    }
}

static void keep_a(GArray *calls, guint round)
{
    keep_operand(calls, round, TENSIX_KEEP_A);
}

static void keep_b(GArray *calls, guint round)
{
    keep_operand(calls, round, TENSIX_KEEP_B);
}

static void an_operand_that_stays_is_not_unpacked(void **state)
{
    static const struct {
        void (*round)(GArray *calls, guint round);
        guint cycles;
    } rows[] = {{round_batch_matmul, 63}, {keep_a, 38}, {keep_b, 38}};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const KernelTest test = {.round = rows[i].round, .rounds = 16, .fidelity = 1};
        g_auto(KernelResult) result = kernel_run(&test);

        assert_null(result.refusal);
        assert_int_equal(cycles_of(result.uses, "unpacker", "busy"),
                         16 * rows[i].cycles);
    }
}

static void reconfigure_two(GArray *calls, guint round)
{
    (void) round;
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_RECONFIG, .count = 2);
}

/* 22 cycles of the unpack thread for each operand. */
static void every_operand_is_reconfigured(void **state)
{
    const KernelTest test = {.round = reconfigure_two, .rounds = 10};
    g_auto(KernelResult) result = kernel_run(&test);

    (void) state;
    assert_null(result.refusal);
    assert_int_equal(cycles_of(result.uses, "unpack", "busy"), 10 * 2 * 22);
}

static void a_sum_of_lanes_keeps_the_sfpu_busy(void **state)
{
    const KernelTest test = {
        .round = round_sum_lanes, .rounds = 4, .format = ARCH_FORMAT_FP32};
    g_auto(KernelResult) result = kernel_run(&test);

    (void) state;
    assert_null(result.refusal);
    assert_int_equal(cycles_of(result.uses, "sfpu", "busy"), 4 * 3 * 1500);
    assert_true(result.cycles > (SimTime) 4 * 3 * (1500 + 22));
}

static void comparisons_take_the_instructions_of_their_kind(void **state)
{
    const KernelTest test = {
        .round = round_compare, .rounds = 4, .format = ARCH_FORMAT_FP32};
    g_auto(KernelResult) result = kernel_run(&test);

    (void) state;
    assert_null(result.refusal);
    assert_int_equal(cycles_of(result.uses, "sfpu", "busy"),
                     4 * (2 * 32 * (6 + 8 + 10) + 32 * 5 + 7 * 4 * 5));
}

static void a_chain_waits_for_its_own_results(void **state)
{
    const KernelTest test = {.round = round_chain_add, .rounds = 20};
    g_auto(KernelResult) result = kernel_run(&test);

    (void) state;
    assert_true(cycles_of(result.uses, "unpack", "circular_buffer") > 19 * 60);
    assert_true(cycles_of(result.uses, "packer", "dst") > 19 * 60);
}

static void pop_without_wait(GArray *calls, guint round)
{
    (void) round;
    call_pop(calls, KERNEL_IN, 1);
}

static void push_without_reserve(GArray *calls, guint round)
{
    (void) round;
    call_push(calls, KERNEL_OUT);
}

static void more_pages_than_there_are(GArray *calls, guint round)
{
    (void) round;
    call_wait(calls, KERNEL_LOOP, 3);
}

static void no_such_buffer(GArray *calls, guint round)
{
    (void) round;
    call_wait(calls, 9, 1);
}

static void dst_out_of_range(GArray *calls, guint round)
{
    (void) round;
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    call_wait(calls, KERNEL_IN, 1);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_COPY, .cb_a = KERNEL_IN, .dst = 8);
}

static void math_without_acquire(GArray *calls, guint round)
{
    (void) round;
    call_wait(calls, KERNEL_IN, 1);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_COPY, .cb_a = KERNEL_IN);
}

static void no_commit(GArray *calls, guint round)
{
    (void) round;
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
}

static void pack_before_wait(GArray *calls, guint round)
{
    (void) round;
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    call_plain(calls, ARCH_COMPUTE_COMMIT);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_PACK, .cb_a = KERNEL_OUT);
}

static void tile_not_waited_for(GArray *calls, guint round)
{
    (void) round;
    call_wait(calls, KERNEL_IN, 1);
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_COPY, .cb_a = KERNEL_IN, .tile_a = 1);
}

static void odd_shift(GArray *calls, guint round)
{
    (void) round;
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_CB_SHIFT, .cb_a = KERNEL_IN, .value = 24);
}

static void round_the_end(GArray *calls, guint round)
{
    (void) round;
    call_wait(calls, KERNEL_LOOP, 1);
    call_pop(calls, KERNEL_LOOP, 1);
    call_wait(calls, KERNEL_LOOP, 2);
}

static void misuse_is_refused_in_program_order(void **state)
{
    static const struct {
        KernelRound round;
        const char *words;
    } rows[] = {
        {pop_without_wait, "cb_pop_front(0, 1): cb_wait_front has waited for 0 pages"},
        {push_without_reserve, "cb_push_back(2, 1): cb_reserve_back has reserved 0"},
        {more_pages_than_there_are, "cb_wait_front(3, 3): the buffer has 1..2 pages"},
        {no_such_buffer, "cb_wait_front(9, 1): this core has no such circular buffer"},
        {dst_out_of_range, "copy_tile: Dst tile 8, half of Dst has 0..7"},
        {math_without_acquire, "copy_tile: comes after tile_regs_acquire"},
        {no_commit, "the kernel ends without tile_regs_commit"},
        {pack_before_wait, "pack_tile: comes after tile_regs_wait"},
        {tile_not_waited_for, "tile 1 is read, cb_wait_front has waited for 1"},
        {odd_shift, "cb_shift_read(0, 24): a multiple of 32 bytes"},
        {round_the_end, "cb_wait_front(3, 2): goes round the end"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const KernelTest test = {.round = rows[i].round, .rounds = 1};
        g_auto(KernelResult) result = kernel_run(&test);

        assert_non_null(result.refusal);
        if (strstr(result.refusal, rows[i].words) == NULL) {
            fail_msg("'%s' instead of '%s'", result.refusal, rows[i].words);
        }
    }
}

static void a_kernel_that_waits_for_ever_is_named(void **state)
{
    const KernelTest test = {
        .round = round_stream_add, .rounds = 1, .has_empty_inputs = true};
    g_auto(KernelResult) result = kernel_run(&test);

    (void) state;
    assert_non_null(result.error);
    assert_true(g_error_matches(result.error, SIM_ERROR, SIM_ERROR_DEADLOCK));
    assert_non_null(strstr(result.error->message, "core[0,0].unpack"));
    assert_non_null(strstr(result.error->message, "cb_wait_front(0, 1)"));
    assert_non_null(strstr(result.error->message, "cb 0"));
}

static void zone(GArray *calls, guint round)
{
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_ZONE_BEGIN, .text = "adds");
    round_stream_add(calls, round);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_ZONE_END);
}

static void zones_count_the_longest_thread(void **state)
{
    const KernelTest test = {.round = zone, .rounds = 10};
    g_auto(KernelResult) result = kernel_run(&test);
    const ArchTensixZone *adds = &g_array_index(result.zones, ArchTensixZone, 0);

    (void) state;
    assert_int_equal(result.zones->len, 1);
    assert_string_equal(adds->name, "adds");
    assert_int_equal(adds->count, 10);
    assert_in_range(adds->cycles, 9 * 95, result.cycles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unattributed_cycles_pass_on_every_thread),
        cmocka_unit_test(operations_cost_what_the_facts_say),
        cmocka_unit_test(one_addition_takes_what_its_parts_take),
        cmocka_unit_test(cycles_of_every_lane_add_up),
        cmocka_unit_test(units_are_busy_for_their_own_time),
        cmocka_unit_test(an_operand_that_stays_is_not_unpacked),
        cmocka_unit_test(every_operand_is_reconfigured),
        cmocka_unit_test(a_sum_of_lanes_keeps_the_sfpu_busy),
        cmocka_unit_test(comparisons_take_the_instructions_of_their_kind),
        cmocka_unit_test(a_chain_waits_for_its_own_results),
        cmocka_unit_test(misuse_is_refused_in_program_order),
        cmocka_unit_test(a_kernel_that_waits_for_ever_is_named),
        cmocka_unit_test(zones_count_the_longest_thread),
    };

    return cmocka_run_group_tests_name("arch.tensix_compute", tests, NULL, NULL);
}
