/* Rounds of compute kernels for tests: additions, copies, products, in streams and
 * chains. */
#include "tests/arch/tensix/rounds.h"

#include "arch/tensix/compute/block.h"

void call_wait(GArray *calls, guint cb, guint pages)
{
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_CB_WAIT, .cb_a = (uint8_t) cb,
                .count = (uint16_t) pages);
}

void call_pop(GArray *calls, guint cb, guint pages)
{
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_CB_POP, .cb_a = (uint8_t) cb,
                .count = (uint16_t) pages);
}

void call_plain(GArray *calls, ArchComputeOp op)
{
    KERNEL_CALL(calls, .op = (uint8_t) op);
}

static void reconfigure(GArray *calls, guint operands)
{
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_RECONFIG, .count = (uint16_t) operands);
}

static void pack_out(GArray *calls, guint cb)
{
    call_plain(calls, ARCH_COMPUTE_COMMIT);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_CB_RESERVE, .cb_a = (uint8_t) cb, .count = 1);
    call_plain(calls, ARCH_COMPUTE_WAIT);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_PACK, .cb_a = (uint8_t) cb);
    call_plain(calls, ARCH_COMPUTE_RELEASE);
}

void call_push(GArray *calls, guint cb)
{
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_CB_PUSH, .cb_a = (uint8_t) cb, .count = 1);
}

typedef enum {
    INIT_HOISTED,
    INIT_AFTER_WAIT,
    INIT_RECONFIG,
} InitKind;

/* c = a + b, one tile, as a fused kernel chains it. */
static void add(GArray *calls, guint a, guint b, guint c, InitKind init)
{
    call_wait(calls, a, 1);
    call_wait(calls, b, 1);
    if (init == INIT_RECONFIG) {
        reconfigure(calls, 2);
    }
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    if (init != INIT_HOISTED) {
        call_plain(calls, ARCH_COMPUTE_ADD_INIT);
    }
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_ADD, .cb_a = (uint8_t) a,
                .cb_b = (uint8_t) b);
    pack_out(calls, c);
    call_pop(calls, a, 1);
    call_pop(calls, b, 1);
    call_push(calls, c);
}

static void
move(GArray *calls, guint a, guint c, InitKind init, ArchComputeOp op, bool is_scaled)
{
    call_wait(calls, a, 1);
    if (init == INIT_RECONFIG) {
        reconfigure(calls, 1);
    }
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    if (init != INIT_HOISTED) {
        call_plain(calls, op == ARCH_COMPUTE_COPY ? ARCH_COMPUTE_COPY_INIT
                                                  : ARCH_COMPUTE_TRANSPOSE_INIT);
    }
    KERNEL_CALL(calls, .op = (uint8_t) op, .cb_a = (uint8_t) a);
    if (is_scaled) {
        KERNEL_CALL(calls, .op = ARCH_COMPUTE_SFPU_SCALE, .scalar = 2.0F);
    }
    pack_out(calls, c);
    call_pop(calls, a, 1);
    call_push(calls, c);
}

static void copy_to(GArray *calls, guint cb, guint dst, InitKind init)
{
    if (init == INIT_RECONFIG) {
        reconfigure(calls, 1);
    }
    if (init != INIT_HOISTED) {
        call_plain(calls, ARCH_COMPUTE_COPY_INIT);
    }
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_COPY, .cb_a = (uint8_t) cb,
                .dst = (uint8_t) dst);
}

/* c = a + b on the SFPU. */
static void add_vectors(GArray *calls, guint a, guint b, guint c, InitKind init)
{
    call_wait(calls, a, 1);
    call_wait(calls, b, 1);
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    copy_to(calls, a, 0, init);
    copy_to(calls, b, 1, init);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_SFPU_ADD, .dst = 0, .dst_b = 1);
    pack_out(calls, c);
    call_pop(calls, a, 1);
    call_pop(calls, b, 1);
    call_push(calls, c);
}

static guint from(guint round)
{
    return round % 2 == 0 ? KERNEL_LOOP : KERNEL_LOOP2;
}

static guint to(guint round)
{
    return round % 2 == 0 ? KERNEL_LOOP2 : KERNEL_LOOP;
}

void round_stream_add(GArray *calls, guint round)
{
    (void) round;
    add(calls, KERNEL_IN, KERNEL_IN2, KERNEL_OUT, INIT_HOISTED);
}

void round_stream_copy(GArray *calls, guint round)
{
    (void) round;
    move(calls, KERNEL_IN, KERNEL_OUT, INIT_HOISTED, ARCH_COMPUTE_COPY, false);
}

void round_stream_vectors(GArray *calls, guint round)
{
    (void) round;
    add_vectors(calls, KERNEL_IN, KERNEL_IN2, KERNEL_OUT, INIT_HOISTED);
}

void round_stream_vectors_init(GArray *calls, guint round)
{
    (void) round;
    add_vectors(calls, KERNEL_IN, KERNEL_IN2, KERNEL_OUT, INIT_AFTER_WAIT);
}

void round_stream_vectors_reconfig(GArray *calls, guint round)
{
    (void) round;
    add_vectors(calls, KERNEL_IN, KERNEL_IN2, KERNEL_OUT, INIT_RECONFIG);
}

void round_chain_add(GArray *calls, guint round)
{
    add(calls, from(round), KERNEL_IN2, to(round), INIT_AFTER_WAIT);
}

void round_chain_add_hoisted(GArray *calls, guint round)
{
    add(calls, from(round), KERNEL_IN2, to(round), INIT_HOISTED);
}

void round_chain_add_reconfig(GArray *calls, guint round)
{
    add(calls, from(round), KERNEL_IN2, to(round), INIT_RECONFIG);
}

void round_chain_copy(GArray *calls, guint round)
{
    move(calls, from(round), to(round), INIT_AFTER_WAIT, ARCH_COMPUTE_COPY, false);
}

void round_chain_copy_hoisted(GArray *calls, guint round)
{
    move(calls, from(round), to(round), INIT_HOISTED, ARCH_COMPUTE_COPY, false);
}

void round_chain_copy_reconfig(GArray *calls, guint round)
{
    move(calls, from(round), to(round), INIT_RECONFIG, ARCH_COMPUTE_COPY, false);
}

void round_chain_transpose(GArray *calls, guint round)
{
    move(calls, from(round), to(round), INIT_AFTER_WAIT, ARCH_COMPUTE_TRANSPOSE, false);
}

void round_chain_scale(GArray *calls, guint round)
{
    move(calls, from(round), to(round), INIT_AFTER_WAIT, ARCH_COMPUTE_COPY, true);
}

void round_chain_vectors(GArray *calls, guint round)
{
    add_vectors(calls, from(round), KERNEL_IN2, to(round), INIT_AFTER_WAIT);
}

void round_chain_vectors_reconfig(GArray *calls, guint round)
{
    add_vectors(calls, from(round), KERNEL_IN2, to(round), INIT_RECONFIG);
}

/* dst 2 += a * b, without leaving Dst; an acquire and a release per 32 rounds. */
void round_dot_step(GArray *calls, guint round)
{
    enum {
        ROUNDS = 32,
    };

    if (round % ROUNDS == 0) {
        call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    }
    call_wait(calls, KERNEL_IN, 1);
    call_wait(calls, KERNEL_IN2, 1);
    copy_to(calls, KERNEL_IN, 0, INIT_HOISTED);
    copy_to(calls, KERNEL_IN2, 1, INIT_HOISTED);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_SFPU_MUL, .dst = 0, .dst_b = 1);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_SFPU_ADD, .dst = 2, .dst_b = 0);
    call_pop(calls, KERNEL_IN, 1);
    call_pop(calls, KERNEL_IN2, 1);
    if (round % ROUNDS == ROUNDS - 1) {
        call_plain(calls, ARCH_COMPUTE_COMMIT);
        call_plain(calls, ARCH_COMPUTE_WAIT);
        call_plain(calls, ARCH_COMPUTE_RELEASE);
    }
}

/* Eight tiles between an acquire and a release; rounds count tiles. */
static void batch(GArray *calls, guint round, ArchComputeOp op)
{
    enum {
        TILES = 8,
    };

    if (round % TILES != 0) {
        return;
    }
    call_wait(calls, KERNEL_IN, TILES);
    call_wait(calls, KERNEL_IN2, TILES);
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    for (guint i = 0; i < TILES; i++) {
        KERNEL_CALL(calls, .op = (uint8_t) op, .cb_a = KERNEL_IN, .cb_b = KERNEL_IN2,
                    .tile_a = (uint16_t) i, .tile_b = (uint16_t) i, .dst = (uint8_t) i);
    }
    call_plain(calls, ARCH_COMPUTE_COMMIT);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_CB_RESERVE, .cb_a = KERNEL_OUT,
                .count = TILES);
    call_plain(calls, ARCH_COMPUTE_WAIT);
    for (guint i = 0; i < TILES; i++) {
        KERNEL_CALL(calls, .op = ARCH_COMPUTE_PACK, .cb_a = KERNEL_OUT,
                    .tile_a = (uint16_t) i, .dst = (uint8_t) i);
    }
    call_plain(calls, ARCH_COMPUTE_RELEASE);
    call_pop(calls, KERNEL_IN, TILES);
    call_pop(calls, KERNEL_IN2, TILES);
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_CB_PUSH, .cb_a = KERNEL_OUT, .count = TILES);
}

void round_sum_lanes(GArray *calls, guint round)
{
    enum {
        SUMS = 3,
    };

    (void) round;
    call_wait(calls, KERNEL_IN, 1);
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    copy_to(calls, KERNEL_IN, 0, INIT_HOISTED);
    for (guint i = 0; i < SUMS; i++) {
        KERNEL_CALL(calls, .op = ARCH_COMPUTE_SFPU_SUM, .dst = 0);
    }
    pack_out(calls, KERNEL_OUT);
    call_pop(calls, KERNEL_IN, 1);
    call_push(calls, KERNEL_OUT);
}

void round_compare(GArray *calls, guint round)
{
    (void) round;
    call_wait(calls, KERNEL_IN, 1);
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    copy_to(calls, KERNEL_IN, 0, INIT_HOISTED);
    for (guint op = ARCH_COMPUTE_SFPU_EQZ; op <= ARCH_COMPUTE_SFPU_GEZ; op++) {
        call_plain(calls, (ArchComputeOp) op);
    }
    KERNEL_CALL(calls, .op = ARCH_COMPUTE_SFPU_OFFSET, .scalar = 1.0F);
    pack_out(calls, KERNEL_OUT);
    call_pop(calls, KERNEL_IN, 1);
    call_push(calls, KERNEL_OUT);
}

void round_batch_add(GArray *calls, guint round)
{
    batch(calls, round, ARCH_COMPUTE_ADD);
}

void round_batch_matmul(GArray *calls, guint round)
{
    batch(calls, round, ARCH_COMPUTE_MATMUL);
}

/* ROUND_BLOCK_PRODUCTS of blocks of `rows` x 4. */
static void block_matmul(GArray *calls, guint8 rows)
{
    const ArchComputeCall block = {.op = ARCH_COMPUTE_MATMUL,
                                   .cb_a = KERNEL_IN,
                                   .cb_b = KERNEL_IN2,
                                   .dst_b = 4,
                                   .dst_c = rows};

    call_wait(calls, KERNEL_IN, 1);
    call_wait(calls, KERNEL_IN2, 1);
    call_plain(calls, ARCH_COMPUTE_ACQUIRE);
    for (guint i = 0; i < ROUND_BLOCK_PRODUCTS; i++) {
        ArchComputeCall call =
            tensix_block_product(&block, i % tensix_block_products(&block));

        call.tile_b = 0; /* each buffer has one */
        g_array_append_val(calls, call);
    }
    pack_out(calls, KERNEL_OUT);
    call_pop(calls, KERNEL_IN, 1);
    call_pop(calls, KERNEL_IN2, 1);
    call_push(calls, KERNEL_OUT);
}

void round_block_matmul(GArray *calls, guint round)
{
    (void) round;
    block_matmul(calls, 1);
}

void round_pair_matmul(GArray *calls, guint round)
{
    (void) round;
    block_matmul(calls, 2);
}
