/* Tiles of BF16 go through registers in 16 bits a number where they can, and become
 * patterns of 32 bits wherever someone needs these: nobody sees a difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/tensix/compute/fpu.h"
#include "arch/tensix/compute/registers.h"
#include "arch/tensix/format.h"
#include "arch/tensix/tile.h"

enum {
    NUMBERS = TENSIX_TILE_ELEMENTS,
};

static guint8 one[2 * NUMBERS];
static guint8 two[2 * NUMBERS];
static guint8 infinite[2 * NUMBERS];
static guint8 wide[4 * NUMBERS];
static uint32_t a[NUMBERS];
static uint32_t b[NUMBERS];
static uint32_t expected[NUMBERS];

static const TensixFpuMode mode = {.dst = TENSIX_DST_16,
                                   .fidelity = TENSIX_FIDELITY_HIFI4};
static const TensixFpuMode adding = {
    .dst = TENSIX_DST_16, .has_dst = true, .fidelity = TENSIX_FIDELITY_HIFI4};

static int fill(void **state G_GNUC_UNUSED)
{
    float numbers[NUMBERS];

    for (guint i = 0; i < NUMBERS; i++) {
        numbers[i] = 0.37F * (float) ((int) (i * 37 % 101) - 50);
    }
    arch_tensix_pack(ARCH_FORMAT_BF16, one, numbers);
    for (guint i = 0; i < NUMBERS; i++) {
        numbers[i] = 1.3F + 0.01F * (float) i;
    }
    arch_tensix_pack(ARCH_FORMAT_BF16, two, numbers);
    arch_tensix_pack(ARCH_FORMAT_FP32, wide, numbers);
    memcpy(infinite, one, sizeof one);
    infinite[7] = 0x7f; /* number 3 */
    infinite[6] = 0x80;
    return 0;
}

static TensixRegisters *registers_new(void)
{
    return tensix_registers_new((TensixRegistersConfig){.dst_tiles = 8, .fidelity = 4});
}

static void run(TensixRegisters *registers,
                ArchComputeCall call,
                const guint8 *of_a,
                const guint8 *of_b)
{
    const TensixRegistersTile tile_a = {of_a, ARCH_FORMAT_BF16};
    const TensixRegistersTile tile_b = {of_b, of_b == wide ? ARCH_FORMAT_FP32
                                                           : ARCH_FORMAT_BF16};

    tensix_registers_unpack(registers, 3, &call, &tile_a,
                            of_b != NULL ? &tile_b : NULL);
    tensix_registers_fpu(registers, 0, 3, &call);
    tensix_unpack_src(a, TENSIX_SRC_BF16, of_a, ARCH_FORMAT_BF16,
                      TENSIX_ARITHMETIC_CHIP);
    if (of_b != NULL) {
        tensix_unpack_src(b, of_b == wide ? TENSIX_SRC_TF32 : TENSIX_SRC_BF16, of_b,
                          tile_b.format, TENSIX_ARITHMETIC_CHIP);
    }
}

/* A tile of Dst is what is expected, packed in both widths and by all packers. */
static void check(TensixRegisters *registers, guint dst)
{
    static const TensixPacker packers[] = {
        {.relu = TENSIX_RELU_NONE},
        {.relu = TENSIX_RELU_ZERO},
        {.accumulates = true},
    };
    guint8 got[4 * NUMBERS] = {0};
    guint8 wanted[4 * NUMBERS] = {0};

    for (gsize i = 0; i < G_N_ELEMENTS(packers); i++) {
        tensix_registers_pack(registers, 0, dst, &packers[i], got, ARCH_FORMAT_BF16);
        tensix_packer_write(&packers[i], wanted, ARCH_FORMAT_BF16, expected,
                            TENSIX_ARITHMETIC_CHIP);
        assert_memory_equal(got, wanted, sizeof one);
    }
    tensix_registers_pack(registers, 0, dst, &packers[0], got, ARCH_FORMAT_FP32);
    assert_memory_equal(got, expected, sizeof expected);
}

static void operations_leave_the_same(void **state G_GNUC_UNUSED)
{
    static const struct {
        guint8 op;
        TensixFpuTwo *function;
    } rows[] = {{ARCH_COMPUTE_ADD, tensix_fpu_add},
                {ARCH_COMPUTE_SUB, tensix_fpu_subtract},
                {ARCH_COMPUTE_MUL, tensix_fpu_multiply}};
    const guint8 *const seconds[] = {two, one, infinite, wide};
    TensixRegisters *registers = registers_new();

    for (gsize i = 0; i < G_N_ELEMENTS(rows) * G_N_ELEMENTS(seconds); i++) {
        const gsize row = i / G_N_ELEMENTS(seconds);
        const ArchComputeCall call = {.op = rows[row].op, .dst = 2};

        run(registers, call, one, seconds[i % G_N_ELEMENTS(seconds)]);
        rows[row].function(expected, a, b, mode);
        check(registers, 2);
        tensix_registers_release(registers, 0);
    }
    tensix_registers_free(registers);
}

/* A product that is added to a tile in halves, and one to its sum. */
static void products_are_added_to_tiles_of_both_kinds(void **state G_GNUC_UNUSED)
{
    const ArchComputeCall copy = {.op = ARCH_COMPUTE_COPY, .dst = 1};
    const ArchComputeCall multiply = {.op = ARCH_COMPUTE_MUL, .dst = 1};
    TensixRegisters *registers = registers_new();

    run(registers, copy, two, NULL);
    tensix_fpu_copy(expected, a, mode);
    for (guint i = 0; i < 2; i++) {
        run(registers, multiply, one, two);
        tensix_fpu_multiply(expected, a, b, adding);
    }
    check(registers, 1);
    tensix_registers_free(registers);
}

static void dst_is_used_again(void **state G_GNUC_UNUSED)
{
    const ArchComputeCall copy = {.op = ARCH_COMPUTE_COPY, .dst = 1};
    const ArchComputeCall reuse = {.op = ARCH_COMPUTE_SUB_REUSE, .dst = 1};
    uint32_t before[NUMBERS];
    TensixRegisters *registers = registers_new();

    run(registers, copy, two, NULL);
    tensix_fpu_copy(before, a, mode);
    run(registers, reuse, one, NULL);
    tensix_fpu_subtract(expected, before, a, mode);
    check(registers, 1);
    tensix_registers_transpose(registers, 0, 1);
    memcpy(before, expected, sizeof before);
    tensix_tile_transpose(expected, before);
    check(registers, 1);
    tensix_registers_free(registers);
}

static void operands_are_rearranged(void **state G_GNUC_UNUSED)
{
    const ArchComputeCall turn = {.op = ARCH_COMPUTE_TRANSPOSE, .dst = 1};
    ArchComputeCall add = {.op = ARCH_COMPUTE_ADD, .dst = 1};
    uint32_t moved[NUMBERS];
    TensixRegisters *registers = registers_new();

    run(registers, turn, two, NULL);
    tensix_tile_transpose(moved, a);
    tensix_fpu_copy(expected, moved, mode);
    check(registers, 1);
    add.mode = ARCH_BROADCAST_COLUMN;
    run(registers, add, one, two);
    tensix_tile_broadcast(moved, b, TENSIX_BROADCAST_COLUMN);
    tensix_fpu_add(expected, a, moved, mode);
    check(registers, 1);
    tensix_registers_free(registers);
}

/* Who frees pages after they were unpacked may have them overwritten before math. */
static void operands_are_those_that_were_unpacked(void **state G_GNUC_UNUSED)
{
    static const struct {
        guint8 op;
        TensixFpuTwo *function;
    } rows[] = {{ARCH_COMPUTE_ADD, tensix_fpu_add},
                {ARCH_COMPUTE_MUL, tensix_fpu_multiply}};
    TensixRegisters *registers = registers_new();
    guint8 page[sizeof one];
    const TensixRegistersTile tiles[] = {{page, ARCH_FORMAT_BF16},
                                         {two, ARCH_FORMAT_BF16}};

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const ArchComputeCall call = {.op = rows[i].op, .dst = 3};

        memcpy(page, one, sizeof page);
        tensix_registers_unpack(registers, 1, &call, &tiles[0], &tiles[1]);
        memset(page, 0, sizeof page);
        tensix_registers_unpack(registers, 2, &call, &tiles[0], &tiles[1]);
        tensix_registers_fpu(registers, 0, 1, &call);
        tensix_unpack_src(a, TENSIX_SRC_BF16, one, ARCH_FORMAT_BF16,
                          TENSIX_ARITHMETIC_CHIP);
        tensix_unpack_src(b, TENSIX_SRC_BF16, two, ARCH_FORMAT_BF16,
                          TENSIX_ARITHMETIC_CHIP);
        rows[i].function(expected, a, b, mode);
        check(registers, 3);
        tensix_registers_release(registers, 0);
    }
    tensix_registers_free(registers);
}

/* Nobody has brought numbers: zeros. Nor has anybody written the tile since. */
static void zeros_are_where_nothing_came(void **state G_GNUC_UNUSED)
{
    const ArchComputeCall copy = {.op = ARCH_COMPUTE_COPY, .dst = 1};
    TensixRegisters *registers = registers_new();

    run(registers, copy, two, NULL);
    tensix_registers_release(registers, 0);
    memset(expected, 0, sizeof expected);
    check(registers, 1);
    tensix_registers_free(registers);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_leave_the_same),
        cmocka_unit_test(products_are_added_to_tiles_of_both_kinds),
        cmocka_unit_test(dst_is_used_again),
        cmocka_unit_test(operands_are_rearranged),
        cmocka_unit_test(operands_are_those_that_were_unpacked),
        cmocka_unit_test(zeros_are_where_nothing_came),
    };

    return cmocka_run_group_tests_name("arch.tensix_registers", tests, fill, NULL);
}
