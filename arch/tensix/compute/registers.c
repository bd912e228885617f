/* Registers: the data path of a core, tile by tile. */
#include "arch/tensix/compute/registers.h"

#include "arch/tensix/compute/bf16_tile.h"
#include "arch/tensix/compute/block.h"
#include "arch/tensix/compute/operation.h"
#include "arch/tensix/compute/sfpu_vector.h"
#include "arch/tensix/format.h"
#include "arch/tensix/tile.h"
#include "sim/narrow.h"

/* As fpu.h has it, or as bf16_tile.h does. */
typedef struct {
    union {
        uint32_t words[TENSIX_TILE_ELEMENTS];
        uint16_t halves[TENSIX_TILE_ELEMENTS];
    };
    _Alignas(16) bool is_bf16; /* it is in halves */
} Tile;

typedef struct {
    Tile *a;
    Tile *b;
    bool is_result; /* a is what the call leaves in Dst */
    bool is_integer;
    bool is_wide;
} Operands;

struct TensixRegisters {
    TensixRegistersConfig config;
    TensixDst dst_kind;
    TensixArithmetic arithmetic;
    Operands slots[SRC_SLOTS_LIMIT];
    guint last_slot; /* of the operands that came last */
    Tile **dst[DST_HALVES];
    guint32 written[DST_HALVES]; /* tiles that hold something else than zeros */
    Tile scratch;
    SfpuVectors *vectors; /* NULL: no kernel has used them */
};

TensixRegisters *tensix_registers_new(TensixRegistersConfig config)
{
    TensixRegisters *self = g_new0(TensixRegisters, 1);

    self->config = config;
    self->dst_kind = config.is_dst_fp32 ? TENSIX_DST_32 : TENSIX_DST_16;
    self->arithmetic = config.is_ieee ? TENSIX_ARITHMETIC_IEEE : TENSIX_ARITHMETIC_CHIP;
    for (guint slot = 0; slot < SRC_SLOTS_LIMIT; slot++) {
        self->slots[slot].a = g_new0(Tile, 1);
        self->slots[slot].b = g_new0(Tile, 1);
    }
    for (guint half = 0; half < DST_HALVES; half++) {
        self->dst[half] = g_new(Tile *, config.dst_tiles);
        for (guint tile = 0; tile < config.dst_tiles; tile++) {
            self->dst[half][tile] = g_new0(Tile, 1);
        }
    }
    return self;
}

void tensix_registers_free(TensixRegisters *self)
{
    if (self != NULL) {
        for (guint slot = 0; slot < SRC_SLOTS_LIMIT; slot++) {
            g_free(self->slots[slot].a);
            g_free(self->slots[slot].b);
        }
        for (guint half = 0; half < DST_HALVES; half++) {
            for (guint tile = 0; tile < self->config.dst_tiles; tile++) {
                g_free(self->dst[half][tile]);
            }
            g_free(self->dst[half]);
        }
        g_free(self->vectors);
        g_free(self);
    }
}

/* The tile as fpu.h has it. */
static uint32_t *words_of(Tile *tile)
{
    if (tile->is_bf16) {
        uint16_t halves[TENSIX_TILE_ELEMENTS];

        memcpy(halves, tile->halves, sizeof halves);
        tensix_bf16_widen(tile->words, halves);
        tile->is_bf16 = false;
    }
    return tile->words;
}

static void clear(Tile *tile)
{
    memset(tile->words, 0, sizeof tile->words);
    tile->is_bf16 = false;
}

static void copy(Tile *to, const Tile *from)
{
    memcpy(to->words, from->words,
           from->is_bf16 ? sizeof from->halves : sizeof from->words);
    to->is_bf16 = from->is_bf16;
}

/* Whether an operation's operands may be as bf16_tile.h has them. */
static bool takes_bf16(const TensixRegisters *self, const TensixOperation *operation)
{
    return self->dst_kind == TENSIX_DST_16 &&
           self->arithmetic == TENSIX_ARITHMETIC_CHIP &&
           (operation->bf16 != NULL || operation->kind == TENSIX_COPY);
}

static void fetch(const TensixRegisters *self,
                  Tile *src,
                  const TensixRegistersTile *tile,
                  const TensixOperation *operation)
{
    const TensixSrc kind =
        arch_format_is_wide(tile->format) ? TENSIX_SRC_TF32 : TENSIX_SRC_BF16;

    if (tile->bytes == NULL) {
        clear(src);
        return;
    }
    src->is_bf16 = tile->format == ARCH_FORMAT_BF16 && takes_bf16(self, operation);
    if (src->is_bf16) {
        tensix_bf16_load(src->halves, tile->bytes);
    } else {
        tensix_unpack_src(src->words, kind, tile->bytes, tile->format,
                          self->arithmetic);
    }
}

static void broadcast(TensixRegisters *self, Tile *src, ArchBroadcast mode)
{
    static const TensixBroadcast kinds[] = {
        [ARCH_BROADCAST_SCALAR] = TENSIX_BROADCAST_SCALAR,
        [ARCH_BROADCAST_ROW] = TENSIX_BROADCAST_ROW,
        [ARCH_BROADCAST_COLUMN] = TENSIX_BROADCAST_COLUMN,
    };

    if (mode == ARCH_BROADCAST_NONE) {
        return;
    }
    copy(&self->scratch, src);
    if (src->is_bf16) {
        tensix_tile_broadcast_16(src->halves, self->scratch.halves, kinds[mode]);
    } else {
        tensix_tile_broadcast(src->words, self->scratch.words, kinds[mode]);
    }
}

static void transpose(TensixRegisters *self, Tile *tile)
{
    copy(&self->scratch, tile);
    if (tile->is_bf16) {
        tensix_tile_transpose_16(tile->halves, self->scratch.halves);
    } else {
        tensix_tile_transpose(tile->words, self->scratch.words);
    }
}

static const uint16_t *bf16_in_l1(const TensixRegistersTile *tile)
{
    return tile != NULL && tile->bytes != NULL && tile->format == ARCH_FORMAT_BF16
               ? tensix_bf16_at(tile->bytes)
               : NULL;
}

/* The result of a call that adds nothing to Dst, straight from L1: it takes the
 * operands' place until math is there. Returns false if there is no such way. */
static bool try_at_once(const TensixRegisters *self,
                        const TensixOperation *operation,
                        const ArchComputeCall *call,
                        Tile *result,
                        const TensixRegistersTile *const tiles[2])
{
    const uint16_t *a = bf16_in_l1(tiles[0]);
    const uint16_t *b = bf16_in_l1(tiles[1]);
    const bool is_copy = operation->kind == TENSIX_COPY && !operation->is_transposed;
    const bool is_two =
        operation->bf16 != NULL && !operation->adds_to_dst && call->count == 0;

    if (!takes_bf16(self, operation) || call->mode != ARCH_BROADCAST_NONE ||
        a == NULL) {
        return false;
    }
    result->is_bf16 =
        (is_copy && tensix_bf16_copy(result->halves, a)) ||
        (is_two && b != NULL &&
         operation->bf16(result->halves, a, b, (TensixFidelity) self->config.fidelity));
    return result->is_bf16;
}

void tensix_registers_unpack(TensixRegisters *self,
                             guint slot,
                             const ArchComputeCall *call,
                             const TensixRegistersTile *a,
                             const TensixRegistersTile *b)
{
    Operands *operands = &self->slots[slot];
    const TensixOperation *operation = tensix_operation_of(call);
    const Operands *last = &self->slots[self->last_slot];
    /* Those of a pair take turns: it is as well to fetch them again. */
    const guint keep =
        (call->keep & TENSIX_KEEP_PAIRED) != 0 ? TENSIX_KEEP_NONE : call->keep;

    operands->is_result = keep == TENSIX_KEEP_NONE &&
                          try_at_once(self, operation, call, operands->a,
                                      (const TensixRegistersTile *const[]){a, b});
    self->last_slot = slot;
    if (operands->is_result) {
        return;
    }
    if (keep == TENSIX_KEEP_A) {
        copy(operands->a, last->a);
    } else {
        fetch(self, operands->a, a, operation);
        operands->is_integer = arch_format_is_integer(a->format);
        operands->is_wide = arch_format_is_wide(a->format);
    }
    if (keep == TENSIX_KEEP_B) {
        copy(operands->b, last->b);
    } else if (b != NULL) {
        fetch(self, operands->b, b, operation);
    }
    if (operation->is_transposed) {
        transpose(self, operands->a);
    }
    if (operation->kind == TENSIX_MATMUL && call->mode != 0 && keep != TENSIX_KEEP_B) {
        transpose(self, operands->b);
    }
    if (operation->kind == TENSIX_ELEMENTWISE) {
        broadcast(self, operands->b, (ArchBroadcast) call->mode);
    }
    if (operation->kind == TENSIX_COPY) {
        broadcast(self, operands->a, (ArchBroadcast) call->mode);
    }
}

/* A tile of Dst that is about to be written. */
static Tile *write_to(TensixRegisters *self, guint half, guint tile)
{
    self->written[half] |= 1U << tile;
    return self->dst[half][tile];
}

/* A tile of Dst to be read: nobody has written it since the half was released, it is
 * zeros. */
static uint32_t *read_from(TensixRegisters *self, guint half, guint tile)
{
    if ((self->written[half] & 1U << tile) == 0) {
        clear(self->dst[half][tile]);
    }
    return words_of(write_to(self, half, tile));
}

void tensix_registers_unpack_dst(TensixRegisters *self,
                                 guint half,
                                 guint tile,
                                 const TensixRegistersTile *from)
{
    Tile *dst = write_to(self, half, tile);

    if (from->bytes == NULL) {
        clear(dst);
        return;
    }
    dst->is_bf16 = false;
    tensix_unpack_dst(dst->words, self->dst_kind, from->bytes, from->format,
                      self->arithmetic);
}

/* A tile of Dst and one of Src; the former goes through Src, too. */
static void reuse(TensixRegisters *self,
                  uint32_t *dst,
                  Operands *operands,
                  const ArchComputeCall *call,
                  TensixFpuMode mode)
{
    const uint32_t narrow =
        operands->is_wide ? UINT32_C(0xffffe000) : UINT32_C(0xffff0000);
    const uint32_t mask =
        self->arithmetic == TENSIX_ARITHMETIC_IEEE ? UINT32_MAX : narrow;
    TensixFpuTwo *two = tensix_operation_of(call)->two;
    const uint32_t *a = words_of(operands->a);
    uint32_t *scratch = self->scratch.words;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        scratch[i] = dst[i] & mask;
    }
    if (call->mode == 0) {
        two(dst, scratch, a, mode);
    } else {
        two(dst, a, scratch, mode);
    }
}

/* In halves, into a tile of Dst that nothing is kept of. Returns false if there is no
 * such way. */
static bool try_bf16(const TensixOperation *operation,
                     Tile *dst,
                     const Operands *operands,
                     TensixFidelity fidelity)
{
    const uint16_t *a = operands->a->halves;
    const uint16_t *b = operands->b->halves;

    if (!operands->a->is_bf16) {
        return false;
    }
    dst->is_bf16 =
        (operation->kind == TENSIX_COPY && tensix_bf16_copy(dst->halves, a)) ||
        (operation->bf16 != NULL && operands->b->is_bf16 &&
         operation->bf16(dst->halves, a, b, fidelity));
    return dst->is_bf16;
}

void tensix_registers_fpu(TensixRegisters *self,
                          guint half,
                          guint slot,
                          const ArchComputeCall *call)
{
    static const TensixReduce reductions[] = {
        [ARCH_REDUCE_SCALAR] = TENSIX_REDUCE_TO_SCALAR,
        [ARCH_REDUCE_ROW] = TENSIX_REDUCE_TO_COLUMN, /* a row's sum is in column 0 */
        [ARCH_REDUCE_COLUMN] = TENSIX_REDUCE_TO_ROW,
    };
    const TensixOperation *operation = tensix_operation_of(call);
    Operands *operands = &self->slots[slot];
    const bool is_written = (self->written[half] & 1U << call->dst) != 0;
    const bool adds = operation->adds_to_dst ||
                      (operation->kind == TENSIX_ELEMENTWISE && call->count != 0);
    const TensixFpuMode mode = {.dst = self->dst_kind,
                                .has_dst = adds && is_written,
                                .fidelity = (TensixFidelity) self->config.fidelity,
                                .arithmetic = self->arithmetic};
    uint32_t *dst = NULL;

    if (operands->is_result) {
        Tile *result = operands->a;

        operands->a = write_to(self, half, call->dst);
        self->dst[half][call->dst] = result;
        return;
    }
    if (operation->kind == TENSIX_REUSE) {
        reuse(self, read_from(self, half, call->dst), operands, call, mode);
        return;
    }
    if (!mode.has_dst &&
        try_bf16(operation, write_to(self, half, call->dst), operands, mode.fidelity)) {
        return;
    }
    dst = words_of(write_to(self, half, call->dst));
    switch (operation->kind) {
    case TENSIX_ELEMENTWISE:
        operation->two(dst, words_of(operands->a), words_of(operands->b), mode);
        break;
    case TENSIX_MATMUL:
        operation->two(dst, words_of(operands->b), words_of(operands->a), mode);
        break;
    case TENSIX_REDUCE:
        operation->reduce(dst, words_of(operands->a), words_of(operands->b),
                          reductions[call->mode], mode);
        break;
    case TENSIX_COPY:
        if (operands->is_integer) {
            memcpy(dst, operands->a->words, sizeof operands->a->words);
        } else {
            operation->one(dst, words_of(operands->a), mode);
        }
        break;
    default:
        break;
    }
}

/* Where the SFPU puts its result. */
static uint32_t *
result_of(TensixRegisters *self, guint half, const ArchComputeCall *call)
{
    return read_from(self, half, sim_u32(call->dst + call->out_offset));
}

static void run_function(TensixRegisters *self,
                         guint half,
                         const ArchComputeCall *call,
                         TensixSfpuMode mode)
{
    const SfpuFunction function = tensix_operation_function(call);
    const bool is_approximate =
        tensix_operation_of(call)->kind == TENSIX_FUNCTION && call->mode != 0;
    SfpuCall run = {.dst = result_of(self, half, call),
                    .operands = {read_from(self, half, call->dst),
                                 read_from(self, half, call->dst_b),
                                 read_from(self, half, call->dst_c)}};

    memcpy(&run.scalars[0], &call->scalar, sizeof call->scalar);
    memcpy(&run.scalars[1], &call->scalar_b, sizeof call->scalar_b);
    tensix_sfpu_run(tensix_sfpu_function(function, mode.dst, is_approximate), &run,
                    mode);
}

void tensix_registers_sfpu(TensixRegisters *self,
                           guint half,
                           const ArchComputeCall *call)
{
    const TensixOperation *operation = tensix_operation_of(call);
    const TensixSfpuMode mode = {.dst = self->dst_kind, .arithmetic = self->arithmetic};
    const uint32_t *dst = read_from(self, half, call->dst);
    uint32_t *to = result_of(self, half, call);
    uint32_t scalar;

    switch (operation->kind) {
    case TENSIX_UNARY:
        operation->unary(to, dst, mode);
        break;
    case TENSIX_BINARY:
        operation->binary(to, dst, read_from(self, half, call->dst_b), mode);
        break;
    case TENSIX_TERNARY:
        operation->ternary(to, dst, read_from(self, half, call->dst_b),
                           read_from(self, half, call->dst_c), mode);
        break;
    case TENSIX_SCALAR:
        memcpy(&scalar, &call->scalar, sizeof scalar);
        operation->scalar(to, dst, scalar, mode);
        break;
    case TENSIX_COMPARE:
        tensix_sfpu_compare(to, dst, operation->comparison);
        break;
    case TENSIX_FUNCTION:
    case TENSIX_CAST:
        run_function(self, half, call, mode);
        break;
    default:
        break;
    }
}

void tensix_registers_vector(TensixRegisters *self,
                             guint half,
                             const ArchComputeCall *call)
{
    enum {
        TILE_ROWS = TENSIX_TILE_ELEMENTS / TENSIX_FACE_SIDE,
    };
    const SfpuInstruction instruction = {.opcode = call->mode,
                                         .d = call->dst_b,
                                         .a = call->cb_a,
                                         .b = call->cb_b,
                                         .c = call->dst_c,
                                         .imm = call->bits};
    const TensixSfpuMode mode = {.dst = self->dst_kind, .arithmetic = self->arithmetic};
    const guint first = call->tile_a / 4U * 4;
    uint32_t *row = NULL;

    if (self->vectors == NULL) {
        self->vectors = tensix_sfpu_vectors_new();
    }
    if (call->mode <= SFPU_STORE_BITS) {
        row = read_from(self, half, first / TILE_ROWS) +
              (size_t) (first % TILE_ROWS) * TENSIX_FACE_SIDE;
    }
    tensix_sfpu_vectors_run(self->vectors, &instruction, row, call->tile_a % 4 >= 2,
                            mode);
}

void tensix_registers_transpose(TensixRegisters *self, guint half, guint tile)
{
    read_from(self, half, tile);
    transpose(self, self->dst[half][tile]);
}

void tensix_registers_pack(TensixRegisters *self,
                           guint half,
                           guint tile,
                           const TensixPacker *packer,
                           guint8 *to,
                           ArchFormat format)
{
    const Tile *dst = self->dst[half][tile];
    const bool is_written = (self->written[half] & 1U << tile) != 0;

    if (is_written && dst->is_bf16 && format == ARCH_FORMAT_BF16 &&
        tensix_packer_keeps(packer)) {
        tensix_bf16_store(to, dst->halves);
        return;
    }
    tensix_packer_write(packer, to, format, read_from(self, half, tile),
                        self->arithmetic);
}

void tensix_registers_release(TensixRegisters *self, guint half)
{
    self->written[half] = 0;
}
