/* Programs: the ring of calls and the rules of their order. */
#include "arch/tensix/compute/program.h"

#include "arch/error.h"

enum {
    FIRST_CAPACITY = 256,
};

void tensix_program_init(TensixProgram *self,
                         const CircularBuffer *buffers,
                         bool is_dst_fp32,
                         guint dst_tiles)
{
    *self = (TensixProgram){.buffers = buffers,
                            .is_dst_fp32 = is_dst_fp32,
                            .dst_tiles = dst_tiles,
                            .capacity = FIRST_CAPACITY,
                            .calls = g_new(ArchComputeCall, FIRST_CAPACITY)};
}

void tensix_program_clear(TensixProgram *self)
{
    g_clear_pointer(&self->calls, g_free);
}

const char *tensix_program_call_name(ArchComputeOp op)
{
    static const char *const names[ARCH_COMPUTE_OPS] = {
        [ARCH_COMPUTE_CB_WAIT] = "cb_wait_front",
        [ARCH_COMPUTE_CB_POP] = "cb_pop_front",
        [ARCH_COMPUTE_CB_RESERVE] = "cb_reserve_back",
        [ARCH_COMPUTE_CB_PUSH] = "cb_push_back",
        [ARCH_COMPUTE_CB_SHIFT] = "cb_shift_read",
        [ARCH_COMPUTE_ACQUIRE] = "tile_regs_acquire",
        [ARCH_COMPUTE_COMMIT] = "tile_regs_commit",
        [ARCH_COMPUTE_WAIT] = "tile_regs_wait",
        [ARCH_COMPUTE_RELEASE] = "tile_regs_release",
        [ARCH_COMPUTE_START_INIT] = "binary_op_init_common",
        [ARCH_COMPUTE_BINARY_INIT] = "add_tiles_init",
        [ARCH_COMPUTE_COPY_INIT] = "copy_tile_init",
        [ARCH_COMPUTE_TRANSPOSE_INIT] = "transpose_wh_init_short",
        [ARCH_COMPUTE_REDUCE_INIT] = "reduce_init",
        [ARCH_COMPUTE_MATMUL_INIT] = "mm_init",
        [ARCH_COMPUTE_SFPU_INIT] = "binary_tile_init",
        [ARCH_COMPUTE_RECONFIG] = "reconfig_data_format",
        [ARCH_COMPUTE_PACK_RECONFIG] = "pack_reconfig_data_format",
        [ARCH_COMPUTE_ADD] = "add_tiles",
        [ARCH_COMPUTE_SUB] = "sub_tiles",
        [ARCH_COMPUTE_MUL] = "mul_tiles",
        [ARCH_COMPUTE_COPY] = "copy_tile",
        [ARCH_COMPUTE_TRANSPOSE] = "transpose_wh_tile",
        [ARCH_COMPUTE_REDUCE] = "reduce_tile",
        [ARCH_COMPUTE_MATMUL] = "matmul_tiles",
        [ARCH_COMPUTE_SFPU_ADD] = "add_binary_tile",
        [ARCH_COMPUTE_SFPU_SUB] = "sub_binary_tile",
        [ARCH_COMPUTE_SFPU_MUL] = "mul_binary_tile",
        [ARCH_COMPUTE_SFPU_MAD] = "mad_tile",
        [ARCH_COMPUTE_SFPU_RECIP] = "recip_tile",
        [ARCH_COMPUTE_SFPU_SQRT] = "sqrt_tile",
        [ARCH_COMPUTE_SFPU_SCALE] = "mul_unary_tile",
        [ARCH_COMPUTE_SFPU_OFFSET] = "add_unary_tile",
        [ARCH_COMPUTE_SFPU_COMPARE] = "eqz_tile, ... gez_tile",
        [ARCH_COMPUTE_SFPU_SUM] = "sfpu_reduce_scalar",
        [ARCH_COMPUTE_PACK] = "pack_tile",
        [ARCH_COMPUTE_READ_VALUE] = "read_tile_value",
        [ARCH_COMPUTE_ZONE_BEGIN] = "zone",
        [ARCH_COMPUTE_ZONE_END] = "zone",
        [ARCH_COMPUTE_UNATTRIBUTED] = "unattributed",
    };

    g_return_val_if_fail(op < ARCH_COMPUTE_OPS, NULL);
    return names[op];
}

static bool refuse(const ArchComputeCall *call, GError **error, const char *why)
{
    g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID, "%s: %s",
                tensix_program_call_name((ArchComputeOp) call->op), why);
    return false;
}

static bool check_dst(const TensixProgram *self,
                      const ArchComputeCall *call,
                      guint index,
                      GError **error)
{
    if (index < self->dst_tiles) {
        return true;
    }
    g_set_error(
        error, ARCH_ERROR, ARCH_ERROR_INVALID, "%s: Dst tile %u, half of Dst has 0..%u",
        tensix_program_call_name((ArchComputeOp) call->op), index, self->dst_tiles - 1);
    return false;
}

static bool
check_math(const TensixProgram *self, const ArchComputeCall *call, GError **error)
{
    if (self->dst != DST_ACQUIRED) {
        return refuse(call, error,
                      "comes after tile_regs_acquire and before tile_regs_commit");
    }
    return check_dst(self, call, call->dst, error) &&
           check_dst(self, call, call->dst_b, error) &&
           check_dst(self, call, call->dst_c, error);
}

/* Tile `tile` past the front of buffer `cb` is there, whole, and of the right size. */
static bool check_operand(const TensixProgram *self,
                          const ArchComputeCall *call,
                          guint cb,
                          guint tile,
                          GError **error)
{
    const CircularBuffer *buffer = &self->buffers[cb];
    guint tile_bytes;

    if (buffer->page_count == 0) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "%s: this core has no circular buffer %u",
                    tensix_program_call_name((ArchComputeOp) call->op), cb);
        return false;
    }
    tile_bytes = arch_format_tile_bytes(buffer->format);
    if (buffer->page_bytes < tile_bytes) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "%s: pages of circular buffer %u have %u bytes, a tile of %s has "
                    "%u",
                    tensix_program_call_name((ArchComputeOp) call->op), cb,
                    buffer->page_bytes, arch_format_name(buffer->format), tile_bytes);
        return false;
    }
    return tensix_ledger_may_read(&self->ledgers[cb], buffer, tile, error);
}

static bool check_turn(TensixProgram *self,
                       const ArchComputeCall *call,
                       TensixProgramDst from,
                       TensixProgramDst to,
                       GError **error)
{
    static const char *const expected[] = {
        [DST_FREE] = "expected after tile_regs_release or at the start",
        [DST_ACQUIRED] = "expected after tile_regs_acquire",
        [DST_COMMITTED] = "expected after tile_regs_commit",
        [DST_WAITED] = "expected after tile_regs_wait",
    };

    if (self->dst != from) {
        return refuse(call, error, expected[from]);
    }
    self->dst = to;
    return true;
}

static bool
check_pack(const TensixProgram *self, const ArchComputeCall *call, GError **error)
{
    const CircularBuffer *buffer = &self->buffers[call->cb_a];

    if (self->dst != DST_WAITED) {
        return refuse(call, error,
                      "comes after tile_regs_wait and before tile_regs_release");
    }
    if (!check_dst(self, call, call->dst, error)) {
        return false;
    }
    if (buffer->page_count == 0 ||
        buffer->page_bytes < arch_format_tile_bytes(buffer->format)) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "pack_tile: circular buffer %u %s", call->cb_a,
                    buffer->page_count == 0 ? "is none of this core's"
                                            : "has pages smaller than a tile");
        return false;
    }
    return tensix_ledger_may_write(&self->ledgers[call->cb_a], buffer, call->tile_a,
                                   error);
}

/* Reads stay inside the buffer, in units that the unpackers can address. */
static bool
check_shift(const TensixProgram *self, const ArchComputeCall *call, GError **error)
{
    enum {
        SHIFT_BYTES = 32,
    };
    const CircularBuffer *buffer = &self->buffers[call->cb_a];
    int64_t limit = (int64_t) buffer->page_count * buffer->page_bytes;

    if (call->value % SHIFT_BYTES != 0 || call->value >= limit ||
        call->value <= -limit) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "cb_shift_read(%u, %d): a multiple of %d bytes, within the "
                    "buffer's %" G_GINT64_FORMAT,
                    call->cb_a, call->value, SHIFT_BYTES, limit);
        return false;
    }
    return true;
}

static bool check(TensixProgram *self, const ArchComputeCall *call, GError **error)
{
    const CircularBuffer *buffer = &self->buffers[call->cb_a];
    TensixCbLedger *ledger = &self->ledgers[call->cb_a];

    switch ((ArchComputeOp) call->op) {
    case ARCH_COMPUTE_CB_WAIT:
        return tensix_ledger_wait(ledger, buffer, call->count, error);
    case ARCH_COMPUTE_CB_POP:
        return tensix_ledger_pop(ledger, buffer, call->count, error);
    case ARCH_COMPUTE_CB_RESERVE:
        return tensix_ledger_reserve(ledger, buffer, call->count, error);
    case ARCH_COMPUTE_CB_PUSH:
        return tensix_ledger_push(ledger, buffer, call->count, error);
    case ARCH_COMPUTE_CB_SHIFT:
        return check_shift(self, call, error);
    case ARCH_COMPUTE_ACQUIRE:
        return check_turn(self, call, DST_FREE, DST_ACQUIRED, error);
    case ARCH_COMPUTE_COMMIT:
        return check_turn(self, call, DST_ACQUIRED, DST_COMMITTED, error);
    case ARCH_COMPUTE_WAIT:
        return check_turn(self, call, DST_COMMITTED, DST_WAITED, error);
    case ARCH_COMPUTE_RELEASE:
        return check_turn(self, call, DST_WAITED, DST_FREE, error);
    case ARCH_COMPUTE_ADD:
    case ARCH_COMPUTE_SUB:
    case ARCH_COMPUTE_MUL:
    case ARCH_COMPUTE_REDUCE:
    case ARCH_COMPUTE_MATMUL:
        return check_math(self, call, error) &&
               check_operand(self, call, call->cb_a, call->tile_a, error) &&
               check_operand(self, call, call->cb_b, call->tile_b, error);
    case ARCH_COMPUTE_COPY:
    case ARCH_COMPUTE_TRANSPOSE:
        return check_math(self, call, error) &&
               check_operand(self, call, call->cb_a, call->tile_a, error);
    case ARCH_COMPUTE_SFPU_ADD:
    case ARCH_COMPUTE_SFPU_SUB:
    case ARCH_COMPUTE_SFPU_MUL:
    case ARCH_COMPUTE_SFPU_MAD:
    case ARCH_COMPUTE_SFPU_RECIP:
    case ARCH_COMPUTE_SFPU_SQRT:
    case ARCH_COMPUTE_SFPU_SCALE:
    case ARCH_COMPUTE_SFPU_OFFSET:
    case ARCH_COMPUTE_SFPU_COMPARE:
    case ARCH_COMPUTE_SFPU_SUM:
        return check_math(self, call, error);
    case ARCH_COMPUTE_PACK:
        return check_pack(self, call, error);
    case ARCH_COMPUTE_READ_VALUE:
        if (call->value < 0 || call->value >= ARCH_TILE_ELEMENTS) {
            return refuse(call, error, "a tile has elements 0..1023");
        }
        return check_operand(self, call, call->cb_a, call->tile_a, error);
    case ARCH_COMPUTE_ZONE_BEGIN:
        self->zone_depth++;
        return true;
    case ARCH_COMPUTE_ZONE_END:
        if (self->zone_depth == 0) {
            return refuse(call, error, "no zone is open");
        }
        self->zone_depth--;
        return true;
    case ARCH_COMPUTE_START_INIT:
    case ARCH_COMPUTE_BINARY_INIT:
    case ARCH_COMPUTE_COPY_INIT:
    case ARCH_COMPUTE_TRANSPOSE_INIT:
    case ARCH_COMPUTE_REDUCE_INIT:
    case ARCH_COMPUTE_MATMUL_INIT:
    case ARCH_COMPUTE_SFPU_INIT:
    case ARCH_COMPUTE_RECONFIG:
    case ARCH_COMPUTE_PACK_RECONFIG:
    case ARCH_COMPUTE_UNATTRIBUTED:
        return true;
    case ARCH_COMPUTE_OPS:
        break;
    }
    return refuse(call, error, "no such call");
}

static void grow(TensixProgram *self)
{
    ArchComputeCall *calls = g_new(ArchComputeCall, 2 * (gsize) self->capacity);

    for (uint64_t i = self->begin; i < self->end; i++) {
        calls[i & (2 * self->capacity - 1)] = *tensix_program_at(self, i);
    }
    g_free(self->calls);
    self->calls = calls;
    self->capacity *= 2;
}

bool tensix_program_add(TensixProgram *self,
                        const ArchComputeCall *call,
                        GError **error)
{
    if (!check(self, call, error)) {
        return false;
    }
    if (self->end - self->begin == self->capacity) {
        grow(self);
    }
    self->calls[self->end & (self->capacity - 1)] = *call;
    self->end++;
    if (call->op == ARCH_COMPUTE_READ_VALUE) {
        self->values_asked++;
    }
    return true;
}

bool tensix_program_check_end(const TensixProgram *self, GError **error)
{
    static const char *const missing[] = {
        [DST_FREE] = NULL,
        [DST_ACQUIRED] = "tile_regs_commit",
        [DST_COMMITTED] = "tile_regs_wait",
        [DST_WAITED] = "tile_regs_release",
    };

    if (missing[self->dst] != NULL) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID, "the kernel ends without %s",
                    missing[self->dst]);
        return false;
    }
    if (self->zone_depth > 0) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "the kernel ends inside a zone");
        return false;
    }
    return true;
}
