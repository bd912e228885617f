/* Registers: the data path of a core, tile by tile. */
#include "arch/tensix/compute/registers.h"

#include "arch/tensix/compute/block.h"
#include "arch/tensix/compute/operation.h"
#include "arch/tensix/compute/sfpu_vector.h"
#include "arch/tensix/format.h"
#include "arch/tensix/tile.h"
#include "sim/narrow.h"

typedef uint32_t Tile[TENSIX_TILE_ELEMENTS];

typedef struct {
    Tile a;
    Tile b;
    bool is_integer;
    bool is_wide;
} Operands;

struct TensixRegisters {
    TensixRegistersConfig config;
    TensixDst dst_kind;
    TensixArithmetic arithmetic;
    Operands slots[SRC_SLOTS_LIMIT];
    guint last_slot; /* of the operands that came last */
    Tile *dst[DST_HALVES];
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
    for (guint half = 0; half < DST_HALVES; half++) {
        self->dst[half] = g_new(Tile, config.dst_tiles);
    }
    return self;
}

void tensix_registers_free(TensixRegisters *self)
{
    if (self != NULL) {
        for (guint half = 0; half < DST_HALVES; half++) {
            g_free(self->dst[half]);
        }
        g_free(self->vectors);
        g_free(self);
    }
}

static void
fetch(const TensixRegisters *self, uint32_t *src, const TensixRegistersTile *tile)
{
    const TensixSrc kind =
        arch_format_is_wide(tile->format) ? TENSIX_SRC_TF32 : TENSIX_SRC_BF16;

    if (tile->bytes == NULL) {
        memset(src, 0, sizeof(Tile));
        return;
    }
    tensix_unpack_src(src, kind, tile->bytes, tile->format, self->arithmetic);
}

static void broadcast(TensixRegisters *self, uint32_t *src, ArchBroadcast mode)
{
    static const TensixBroadcast kinds[] = {
        [ARCH_BROADCAST_SCALAR] = TENSIX_BROADCAST_SCALAR,
        [ARCH_BROADCAST_ROW] = TENSIX_BROADCAST_ROW,
        [ARCH_BROADCAST_COLUMN] = TENSIX_BROADCAST_COLUMN,
    };

    if (mode != ARCH_BROADCAST_NONE) {
        memcpy(self->scratch, src, sizeof(Tile));
        tensix_tile_broadcast(src, self->scratch, kinds[mode]);
    }
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

    if (keep == TENSIX_KEEP_A) {
        memcpy(operands->a, last->a, sizeof(Tile));
    } else {
        fetch(self, operands->a, a);
        operands->is_integer = arch_format_is_integer(a->format);
        operands->is_wide = arch_format_is_wide(a->format);
    }
    if (keep == TENSIX_KEEP_B) {
        memcpy(operands->b, last->b, sizeof(Tile));
    } else if (b != NULL) {
        fetch(self, operands->b, b);
    }
    if (operation->is_transposed) {
        memcpy(self->scratch, operands->a, sizeof(Tile));
        tensix_tile_transpose(operands->a, self->scratch);
    }
    if (operation->kind == TENSIX_MATMUL && call->mode != 0 && keep != TENSIX_KEEP_B) {
        memcpy(self->scratch, operands->b, sizeof(Tile));
        tensix_tile_transpose(operands->b, self->scratch);
    }
    if (operation->kind == TENSIX_ELEMENTWISE) {
        broadcast(self, operands->b, (ArchBroadcast) call->mode);
    }
    if (operation->kind == TENSIX_COPY) {
        broadcast(self, operands->a, (ArchBroadcast) call->mode);
    }
    self->last_slot = slot;
}

/* A tile of Dst that is about to be written. */
static uint32_t *write_to(TensixRegisters *self, guint half, guint tile)
{
    self->written[half] |= 1U << tile;
    return self->dst[half][tile];
}

/* A tile of Dst to be read: nobody has written it since the half was released, it is
 * zeros. */
static uint32_t *read_from(TensixRegisters *self, guint half, guint tile)
{
    if ((self->written[half] & 1U << tile) == 0) {
        memset(self->dst[half][tile], 0, sizeof(Tile));
    }
    return write_to(self, half, tile);
}

void tensix_registers_unpack_dst(TensixRegisters *self,
                                 guint half,
                                 guint tile,
                                 const TensixRegistersTile *from)
{
    uint32_t *dst = write_to(self, half, tile);

    if (from->bytes == NULL) {
        memset(dst, 0, sizeof(Tile));
        return;
    }
    tensix_unpack_dst(dst, self->dst_kind, from->bytes, from->format, self->arithmetic);
}

/* A tile of Dst and one of Src; the former goes through Src, too. */
static void reuse(TensixRegisters *self,
                  uint32_t *dst,
                  const Operands *operands,
                  const ArchComputeCall *call,
                  TensixFpuMode mode)
{
    const uint32_t narrow =
        operands->is_wide ? UINT32_C(0xffffe000) : UINT32_C(0xffff0000);
    const uint32_t mask =
        self->arithmetic == TENSIX_ARITHMETIC_IEEE ? UINT32_MAX : narrow;
    TensixFpuTwo *two = tensix_operation_of(call)->two;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        self->scratch[i] = dst[i] & mask;
    }
    if (call->mode == 0) {
        two(dst, self->scratch, operands->a, mode);
    } else {
        two(dst, operands->a, self->scratch, mode);
    }
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
    const Operands *operands = &self->slots[slot];
    const bool is_written = (self->written[half] & 1U << call->dst) != 0;
    const bool adds = operation->adds_to_dst ||
                      (operation->kind == TENSIX_ELEMENTWISE && call->count != 0);
    uint32_t *dst = operation->kind == TENSIX_REUSE ? read_from(self, half, call->dst)
                                                    : write_to(self, half, call->dst);
    const TensixFpuMode mode = {.dst = self->dst_kind,
                                .has_dst = adds && is_written,
                                .fidelity = (TensixFidelity) self->config.fidelity,
                                .arithmetic = self->arithmetic};

    switch (operation->kind) {
    case TENSIX_ELEMENTWISE:
        operation->two(dst, operands->a, operands->b, mode);
        break;
    case TENSIX_MATMUL:
        operation->two(dst, operands->b, operands->a, mode);
        break;
    case TENSIX_REUSE:
        reuse(self, dst, operands, call, mode);
        break;
    case TENSIX_REDUCE:
        operation->reduce(dst, operands->a, operands->b, reductions[call->mode], mode);
        break;
    case TENSIX_COPY:
        if (operands->is_integer) {
            memcpy(dst, operands->a, sizeof(Tile));
        } else {
            operation->one(dst, operands->a, mode);
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
    uint32_t *dst = read_from(self, half, tile);

    memcpy(self->scratch, dst, sizeof(Tile));
    tensix_tile_transpose(dst, self->scratch);
}

void tensix_registers_pack(TensixRegisters *self,
                           guint half,
                           guint tile,
                           const TensixPacker *packer,
                           guint8 *to,
                           ArchFormat format)
{
    tensix_packer_write(packer, to, format, read_from(self, half, tile),
                        self->arithmetic);
}

void tensix_registers_release(TensixRegisters *self, guint half)
{
    self->written[half] = 0;
}
