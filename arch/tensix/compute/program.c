/* Programs: the ring of calls and the rules of their order. */
#include "arch/tensix/compute/program.h"

#include "arch/error.h"
#include "arch/tensix/compute/block.h"
#include "arch/tensix/compute/operation.h"
#include "arch/tensix/compute/packer.h"
#include "sim/narrow.h"

enum {
    FIRST_CAPACITY = 256,
};

/* Where Dst is as far as the program's threads know, before and after each turn of
 * theirs. */
static TensixProgramDst first_state(const TensixProgram *self)
{
    return self->thread == TENSIX_THREAD_PACK ? DST_COMMITTED : DST_FREE;
}

/* Whether a part of the program's business is that of `thread`. */
static bool is_of(const TensixProgram *self, guint thread)
{
    return self->thread == TENSIX_PROGRAM_OF_ALL || self->thread == thread;
}

void tensix_program_init(TensixProgram *self,
                         guint thread,
                         const CircularBuffer *buffers,
                         bool is_dst_fp32,
                         guint dst_tiles)
{
    *self = (TensixProgram){.thread = thread,
                            .buffers = buffers,
                            .is_dst_fp32 = is_dst_fp32,
                            .dst_tiles = dst_tiles,
                            .capacity = FIRST_CAPACITY,
                            .calls = g_new(ArchComputeCall, FIRST_CAPACITY),
                            .places = g_new0(ArchPlace, FIRST_CAPACITY)};
    self->dst = first_state(self);
}

void tensix_program_clear(TensixProgram *self)
{
    g_clear_pointer(&self->calls, g_free);
    g_clear_pointer(&self->places, g_free);
}

static bool refuse(const ArchComputeCall *call, GError **error, const char *why)
{
    return arch_refuse(error, "%s: %s", tensix_operation_of(call)->name, why);
}

static bool check_dst(const TensixProgram *self,
                      const ArchComputeCall *call,
                      guint index,
                      GError **error)
{
    return index < self->dst_tiles ||
           arch_refuse(error, "%s: Dst tile %u, half of Dst has 0..%u",
                       tensix_operation_of(call)->name, index, self->dst_tiles - 1);
}

/* Why numbers of a format cannot go where the call takes them; NULL if they can. */
static const char *
refusal(const TensixProgram *self, const ArchComputeCall *call, ArchFormat format)
{
    const guint kind = tensix_operation_of(call)->kind;
    const bool is_by_rows =
        call->op == ARCH_COMPUTE_TILIZE || call->op == ARCH_COMPUTE_PACK_ROWS;

    if (is_by_rows && (format == ARCH_FORMAT_BFP8 || format == ARCH_FORMAT_BFP4)) {
        return "rows are not of";
    }
    if (!arch_format_is_integer(format)) {
        return NULL;
    }
    if (kind != TENSIX_COPY && kind != TENSIX_NO_NUMBERS) {
        return "the FPU has no arithmetic for";
    }
    return arch_format_is_wide(format) && !self->is_dst_fp32 &&
                   call->op != ARCH_COMPUTE_READ_VALUE
               ? "a Dst of 16 bits has no room for"
               : NULL;
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
        return arch_refuse(error, "%s: this core has no circular buffer %u",
                           tensix_operation_of(call)->name, cb);
    }
    tile_bytes = arch_format_tile_bytes(buffer->format);
    if (buffer->page_bytes < tile_bytes) {
        return arch_refuse(
            error,
            "%s: pages of circular buffer %u have %u bytes, a tile of %s has "
            "%u",
            tensix_operation_of(call)->name, cb, buffer->page_bytes,
            arch_format_name(buffer->format), tile_bytes);
    }
    const char *why = refusal(self, call, buffer->format);

    if (why != NULL) {
        return arch_refuse(error, "%s: %s %s, the format of circular buffer %u",
                           tensix_operation_of(call)->name, why,
                           arch_format_name(buffer->format), cb);
    }
    return tensix_ledger_may_read(&self->ledgers[cb], buffer, tile, error);
}

bool tensix_check_pages(TensixProgram *self,
                        const ArchComputeCall *call,
                        GError **error)
{
    return tensix_operation_of(call)->ledger(
        &self->ledgers[call->cb_a], &self->buffers[call->cb_a], call->count, error);
}

bool tensix_check_turn(TensixProgram *self, const ArchComputeCall *call, GError **error)
{
    static const char *const expected[DST_STATES] = {
        [DST_FREE] = "expected after tile_regs_release or at the start",
        [DST_ACQUIRED] = "expected after tile_regs_acquire",
        [DST_COMMITTED] = "expected after tile_regs_commit",
        [DST_WAITED] = "expected after tile_regs_wait",
    };
    const guint from = sim_u32(call->op) - ARCH_COMPUTE_ACQUIRE;

    if (sim_u32(self->dst) != from) {
        return refuse(call, error, expected[from]);
    }
    self->dst = (TensixProgramDst) ((from + 1) % DST_STATES);
    if (self->thread != TENSIX_PROGRAM_OF_ALL && from % 2 == 1) {
        self->dst = first_state(self); /* the other thread's turns are between */
    }
    return true;
}

bool tensix_check_math(TensixProgram *self, const ArchComputeCall *call, GError **error)
{
    const guint operands =
        is_of(self, TENSIX_THREAD_UNPACK) ? tensix_operation_of(call)->operands : 0;

    if (is_of(self, TENSIX_THREAD_MATH) && self->dst != DST_ACQUIRED) {
        return refuse(call, error,
                      "comes after tile_regs_acquire and before tile_regs_commit");
    }
    return check_dst(self, call, call->dst, error) &&
           check_dst(self, call, call->dst_b, error) &&
           check_dst(self, call, call->dst_c, error) &&
           check_dst(self, call, sim_u32(call->dst + call->out_offset), error) &&
           ((operands & TENSIX_CB) == 0 ||
            check_operand(self, call, call->cb_a, call->tile_a, error)) &&
           ((operands & TENSIX_CB_B) == 0 ||
            check_operand(self, call, call->cb_b, call->tile_b, error));
}

bool tensix_check_cast(TensixProgram *self, const ArchComputeCall *call, GError **error)
{
    if (tensix_operation_function(call) == SFPU_FUNCTIONS) {
        return refuse(call, error, "not from integers to integers of another width");
    }
    return tensix_check_math(self, call, error);
}

bool tensix_check_vector(TensixProgram *self,
                         const ArchComputeCall *call,
                         GError **error)
{
    enum {
        TILE_ROWS = 64, /* of 16 numbers */
    };
    const bool has_row = call->mode <= SFPU_STORE_BITS;

    if (has_row && self->dst != DST_ACQUIRED) {
        return refuse(call, error,
                      "dst_reg comes after tile_regs_acquire and before "
                      "tile_regs_commit");
    }
    return !has_row || check_dst(self, call, call->tile_a / TILE_ROWS, error);
}

bool tensix_check_pack(TensixProgram *self, const ArchComputeCall *call, GError **error)
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
        return arch_refuse(error, "pack_tile: circular buffer %u %s", call->cb_a,
                           buffer->page_count == 0 ? "is none of this core's"
                                                   : "has pages smaller than a tile");
    }
    const char *why = refusal(self, call, buffer->format);

    if (why != NULL) {
        return arch_refuse(error, "pack_tile: %s %s, the format of circular buffer %u",
                           why, arch_format_name(buffer->format), call->cb_a);
    }
    if (self->adds_to_l1 && !tensix_packer_adds(buffer->format)) {
        return arch_refuse(error,
                           "pack_tile: packers add to bf16 and fp32 in L1, circular "
                           "buffer %u has %s",
                           call->cb_a, arch_format_name(buffer->format));
    }
    /* Rows of several tiles go to the pages of all of them. */
    const guint page = call->count == 0
                           ? call->tile_a
                           : (call->tile_a / call->count + 1U) * call->count - 1;

    return tensix_ledger_may_write(&self->ledgers[call->cb_a], buffer, page, error);
}

bool tensix_check_accumulate(TensixProgram *self,
                             const ArchComputeCall *call,
                             GError **error)
{
    (void) error;
    self->adds_to_l1 = call->value != 0;
    return true;
}

bool tensix_check_relu(TensixProgram *self, const ArchComputeCall *call, GError **error)
{
    (void) self;
    return tensix_packer_relu(call->value) < TENSIX_RELU_MIN_THRESHOLD ||
           (tensix_packer_threshold(call->value) & TENSIX_SIGN) == 0 ||
           refuse(call, error, "the threshold is below 0");
}

/* Reads stay inside the buffer, in units that the unpackers can address. */
bool tensix_check_shift(TensixProgram *self,
                        const ArchComputeCall *call,
                        GError **error)
{
    enum {
        SHIFT_BYTES = 32,
    };
    const CircularBuffer *buffer = &self->buffers[call->cb_a];
    int64_t limit = (int64_t) buffer->page_count * buffer->page_bytes;

    return (call->value % SHIFT_BYTES == 0 && call->value < limit &&
            call->value > -limit) ||
           arch_refuse(error,
                       "cb_shift_read(%u, %d): a multiple of %d bytes, within the "
                       "buffer's %" G_GINT64_FORMAT,
                       call->cb_a, call->value, SHIFT_BYTES, limit);
}

bool tensix_check_value(TensixProgram *self,
                        const ArchComputeCall *call,
                        GError **error)
{
    if (call->value < 0 || call->value >= ARCH_TILE_ELEMENTS) {
        return refuse(call, error, "a tile has elements 0..1023");
    }
    if (is_of(self, TENSIX_THREAD_UNPACK) &&
        !check_operand(self, call, call->cb_a, call->tile_a, error)) {
        return false;
    }
    self->values_asked++;
    return true;
}

bool tensix_check_zone(TensixProgram *self, const ArchComputeCall *call, GError **error)
{
    (void) call;
    (void) error;
    self->zone_depth++;
    return true;
}

bool tensix_check_zone_end(TensixProgram *self,
                           const ArchComputeCall *call,
                           GError **error)
{
    if (self->zone_depth == 0) {
        return refuse(call, error, "no zone is open");
    }
    self->zone_depth--;
    return true;
}

static void grow(TensixProgram *self)
{
    const guint last = 2 * self->capacity - 1;
    ArchComputeCall *calls = g_new(ArchComputeCall, (gsize) last + 1);
    ArchPlace *places = g_new0(ArchPlace, (gsize) last + 1);

    for (uint64_t i = self->begin; i < self->end; i++) {
        calls[i & last] = *tensix_program_at(self, i);
        places[i & last] = tensix_program_place(self, i);
    }
    tensix_program_clear(self);
    self->calls = calls;
    self->places = places;
    self->capacity *= 2;
}

static bool add(TensixProgram *self, const ArchComputeCall *call, GError **error)
{
    const TensixOperation *operation = tensix_operation_of(call);

    const bool has_part =
        self->thread == TENSIX_PROGRAM_OF_ALL || operation->steps[self->thread] != NULL;

    if (!has_part) {
        return true; /* another thread's business */
    }
    if (operation->check != NULL && !operation->check(self, call, error)) {
        return false;
    }
    if (self->end - self->begin == self->capacity) {
        grow(self);
    }
    self->calls[self->end & (self->capacity - 1)] = *call;
    self->end++;
    return true;
}

bool tensix_program_add(TensixProgram *self,
                        const ArchComputeCall *call,
                        GError **error)
{
    g_return_val_if_fail(call->op < ARCH_COMPUTE_OPS, false);
    if (call->op != ARCH_COMPUTE_MATMUL || !tensix_block_is(call)) {
        return add(self, call, error);
    }
    for (guint i = 0; i < tensix_block_products(call); i++) {
        const ArchComputeCall product = tensix_block_product(call, i);

        if (!add(self, &product, error)) {
            return false;
        }
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

    if (self->dst != first_state(self)) {
        return arch_refuse(error, "the kernel ends without %s", missing[self->dst]);
    }
    if (self->zone_depth > 0) {
        return arch_refuse(error, "the kernel ends inside a zone");
    }
    return true;
}
