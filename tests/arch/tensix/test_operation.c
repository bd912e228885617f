/* The table of compute operations: rows that fit together, all of which run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/tensix/compute/compute.h"
#include "tests/arch/tensix/rounds.h"

static bool has(const TensixOperation *operation, guint operands)
{
    return (operation->operands & operands) == operands;
}

static bool is_of_the_fpu(const TensixOperation *operation)
{
    return operation->kind >= TENSIX_ELEMENTWISE && operation->kind <= TENSIX_COPY;
}

static bool is_of_the_sfpu(const TensixOperation *operation)
{
    return operation->kind >= TENSIX_UNARY;
}

/* Tiles of Dst that an operation of the SFPU reads. */
static guint operands_of(const TensixOperation *operation)
{
    const SfpuProgram *program;
    guint count = 1;

    if (operation->kind != TENSIX_FUNCTION) {
        return operation->kind == TENSIX_TERNARY  ? 3
               : operation->kind == TENSIX_BINARY ? 2
                                                  : 1;
    }
    program =
        tensix_sfpu_function((SfpuFunction) operation->function, TENSIX_DST_16, false);
    for (guint i = 0; i < program->length; i++) {
        if (program->code[i].opcode == SFPU_LOAD) {
            count = MAX(count, program->code[i].a + 1U);
        }
    }
    return count;
}

static void names_are_there_and_unlike(void **state)
{
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

    (void) state;
    for (guint op = 0; op < ARCH_COMPUTE_OPS; op++) {
        const char *name = tensix_operations[op].name;

        assert_non_null(name);
        /* A zone's end has no other name than its beginning. */
        assert_true(g_hash_table_add(names, (gpointer) name) ||
                    op == ARCH_COMPUTE_ZONE_END);
    }
}

static void threads_and_operands_go_together(void **state)
{
    (void) state;
    for (guint op = 0; op < ARCH_COMPUTE_OPS; op++) {
        const TensixOperation *row = &tensix_operations[op];
        TensixStep *const *steps = row->steps;

        assert_true(steps[TENSIX_THREAD_UNPACK] != NULL ||
                    steps[TENSIX_THREAD_MATH] != NULL ||
                    steps[TENSIX_THREAD_PACK] != NULL);
        /* What traces show has a name for each, and a place. */
        assert_true(!has(row, TENSIX_CB_B) || has(row, TENSIX_CB | TENSIX_DST_A));
        assert_true(!has(row, TENSIX_PAGES) || has(row, TENSIX_CB));
        assert_true(!has(row, TENSIX_DST_B) || has(row, TENSIX_DST_A));
        assert_true(!has(row, TENSIX_DST_C) || has(row, TENSIX_DST_B));
        if (is_of_the_fpu(row)) {
            assert_non_null(steps[TENSIX_THREAD_UNPACK]);
            assert_true(has(row, TENSIX_CB | TENSIX_DST_A));
            assert_int_equal(has(row, TENSIX_CB_B), row->kind < TENSIX_REUSE);
        }
        if (is_of_the_sfpu(row)) {
            assert_null(steps[TENSIX_THREAD_UNPACK]);
            assert_false(has(row, TENSIX_CB));
            assert_int_equal(has(row, TENSIX_DST_B), operands_of(row) > 1);
            assert_int_equal(has(row, TENSIX_DST_C), operands_of(row) > 2);
        }
    }
}

static void arithmetic_has_all_that_it_needs(void **state)
{
    guint found = 0;

    (void) state;
    for (guint op = 0; op < ARCH_COMPUTE_OPS; op++) {
        const TensixOperation *row = &tensix_operations[op];

        if (row->kind == TENSIX_NO_NUMBERS) {
            assert_int_equal(row->flops, 0);
            continue;
        }
        assert_non_null(row->steps[TENSIX_THREAD_MATH]);
        assert_null(row->steps[TENSIX_THREAD_PACK]);
        assert_ptr_equal(row->check, row->kind == TENSIX_CAST ? tensix_check_cast
                                                              : tensix_check_math);
        assert_true(row->kind >= TENSIX_COMPARE || row->two != NULL);
        /* Neither cost nor counter is the first of its kind. */
        assert_int_equal(row->cost > 0, row->kind < TENSIX_FUNCTION);
        assert_true(row->cost < sizeof(TensixComputeCosts));
        assert_true(row->flops_counter > 0 &&
                    row->flops_counter < sizeof(TensixComputeCounters));
        found++;
    }
    assert_true(found > 20);
}

static void every_operation_has_a_function(void **state)
{
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    bool is_called[ARCH_COMPUTE_OPS] = {[ARCH_COMPUTE_ZONE_END] = true,
                                        [ARCH_COMPUTE_PRINT] = true,
                                        [ARCH_COMPUTE_VECTOR] = true};
    const ArchComputeFunction *function;

    (void) state;
    for (guint i = 0; (function = arch_compute_function_at(i)) != NULL; i++) {
        assert_true(g_hash_table_add(names, (gpointer) function->name));
        assert_true(function->arguments < ARCH_ARGUMENTS);
        is_called[function->op] = true;
    }
    for (guint op = 0; op < ARCH_COMPUTE_OPS; op++) {
        if (!is_called[op]) {
            fail_msg("no function calls %s", tensix_operations[op].name);
        }
    }
}

/* What the frame of a round calls, and where. */
static bool is_in_frame(ArchComputeOp op)
{
    return (op >= ARCH_COMPUTE_CB_WAIT && op <= ARCH_COMPUTE_CB_PUSH) ||
           (op >= ARCH_COMPUTE_ACQUIRE && op <= ARCH_COMPUTE_RELEASE) ||
           op == ARCH_COMPUTE_PACK || op == ARCH_COMPUTE_PACK_ROWS ||
           op == ARCH_COMPUTE_ZONE_BEGIN || op == ARCH_COMPUTE_ZONE_END;
}

/* Round n has operation n between an acquire and a commit, where all may come. */
static void round_operation(GArray *calls, guint round)
{
    call_wait(calls, KERNEL_IN, 1);
    call_wait(calls, KERNEL_IN2, 1);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_ZONE_BEGIN, .text = "one");
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    if (!is_in_frame((ArchComputeOp) round)) {
        KERNEL_CALL(calls, .op = (uint8_t) round, .cb_a = KERNEL_IN, .cb_b = KERNEL_IN2,
                    .dst_b = 1, .dst_c = round == ARCH_COMPUTE_MATMUL ? 1 : 2,
                    .count = 1, .value = 32);
    }
    call_plain(calls, ARCH_COMPUTE_COMMIT);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_CB_RESERVE, .cb_a = KERNEL_OUT, .count = 1);
    call_plain(calls, ARCH_COMPUTE_WAIT);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_PACK, .cb_a = KERNEL_OUT);
    call_plain(calls, ARCH_COMPUTE_RELEASE);
    call_plain(calls, ARCH_COMPUTE_ZONE_END);
    call_pop(calls, KERNEL_IN, 1);
    call_pop(calls, KERNEL_IN2, 1);
    call_push(calls, KERNEL_OUT);
}

static void every_operation_runs_with_data_and_without(void **state)
{
    (void) state;
    for (guint i = 0; i < 4; i++) {
        KernelTest test = {.round = round_operation,
                           .rounds = ARCH_COMPUTE_OPS,
                           .format = i % 2 == 0 ? ARCH_FORMAT_BF16 : ARCH_FORMAT_FP32,
                           .fidelity = 1 + i / 2};
        g_auto(KernelResult) data = kernel_run(&test);

        test.is_timing_only = true;
        g_auto(KernelResult) time = kernel_run(&test);

        assert_null(data.error);
        assert_null(data.refusal);
        assert_null(time.error);
        assert_null(time.refusal);
        assert_int_equal(data.cycles, time.cycles);
        /* Nothing takes less than waits, pops and a push. */
        assert_true(data.cycles > (SimTime) ARCH_COMPUTE_OPS * 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_there_and_unlike),
        cmocka_unit_test(threads_and_operands_go_together),
        cmocka_unit_test(arithmetic_has_all_that_it_needs),
        cmocka_unit_test(every_operation_has_a_function),
        cmocka_unit_test(every_operation_runs_with_data_and_without),
    };

    return cmocka_run_group_tests_name("arch.tensix_operation", tests, NULL, NULL);
}
