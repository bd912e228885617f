/* Registers: the data path of a core, tile by tile. */
#include "arch/tensix/compute/registers.h"

#include "arch/tensix/compute/fpu.h"
#include "arch/tensix/compute/sfpu.h"
#include "arch/tensix/format.h"
#include "arch/tensix/tile.h"

typedef uint32_t Tile[TENSIX_TILE_ELEMENTS];

typedef struct {
    Tile a;
    Tile b;
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
    if (self == NULL) {
        return;
    }
    for (guint half = 0; half < DST_HALVES; half++) {
        g_free(self->dst[half]);
    }
    g_free(self);
}

static TensixFormat format_of(ArchFormat format)
{
    switch (format) {
    case ARCH_FORMAT_BF16:
        return TENSIX_FORMAT_BF16;
    case ARCH_FORMAT_FP32:
        return TENSIX_FORMAT_FP32;
    }
    return TENSIX_FORMAT_BF16;
}

static void
fetch(const TensixRegisters *self, uint32_t *src, const TensixRegistersTile *tile)
{
    const TensixSrc kind =
        tile->format == ARCH_FORMAT_FP32 ? TENSIX_SRC_TF32 : TENSIX_SRC_BF16;

    if (tile->bytes == NULL) {
        memset(src, 0, sizeof(Tile));
        return;
    }
    tensix_unpack_src(src, kind, tile->bytes, format_of(tile->format),
                      self->arithmetic);
}

static void broadcast(TensixRegisters *self, uint32_t *src, ArchBroadcast mode)
{
    TensixBroadcast kind;

    switch (mode) {
    case ARCH_BROADCAST_NONE:
        return;
    case ARCH_BROADCAST_SCALAR:
        kind = TENSIX_BROADCAST_SCALAR;
        break;
    case ARCH_BROADCAST_ROW:
        kind = TENSIX_BROADCAST_ROW;
        break;
    case ARCH_BROADCAST_COLUMN:
        kind = TENSIX_BROADCAST_COLUMN;
        break;
    default:
        return;
    }
    memcpy(self->scratch, src, sizeof(Tile));
    tensix_tile_broadcast(src, self->scratch, kind);
}

static bool is_elementwise(const ArchComputeCall *call)
{
    return call->op == ARCH_COMPUTE_ADD || call->op == ARCH_COMPUTE_SUB ||
           call->op == ARCH_COMPUTE_MUL;
}

void tensix_registers_unpack(TensixRegisters *self,
                             guint slot,
                             const ArchComputeCall *call,
                             const TensixRegistersTile *a,
                             const TensixRegistersTile *b)
{
    Operands *operands = &self->slots[slot];
    const bool is_matmul = call->op == ARCH_COMPUTE_MATMUL;
    const Operands *last = &self->slots[self->last_slot];

    if (is_matmul && call->mode == ARCH_KEEP_A) {
        memcpy(operands->a, last->a, sizeof(Tile));
    } else {
        fetch(self, operands->a, a);
    }
    if (is_matmul && call->mode == ARCH_KEEP_B) {
        memcpy(operands->b, last->b, sizeof(Tile));
    } else if (b != NULL) {
        fetch(self, operands->b, b);
    }
    if (call->op == ARCH_COMPUTE_TRANSPOSE) {
        memcpy(self->scratch, operands->a, sizeof(Tile));
        tensix_tile_transpose(operands->a, self->scratch);
    }
    if (is_elementwise(call)) {
        broadcast(self, operands->b, (ArchBroadcast) call->mode);
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
                                 const guint8 *bytes)
{
    uint32_t *dst = write_to(self, half, tile);

    if (bytes == NULL) {
        memset(dst, 0, sizeof(Tile));
        return;
    }
    tensix_unpack_dst(dst, self->dst_kind, bytes, TENSIX_FORMAT_FP32, self->arithmetic);
}

static void calculate_fpu(TensixRegisters *self,
                          guint half,
                          const Operands *operands,
                          const ArchComputeCall *call)
{
    static const TensixReduce reductions[] = {
        [ARCH_REDUCE_SCALAR] = TENSIX_REDUCE_TO_SCALAR,
        [ARCH_REDUCE_ROW] = TENSIX_REDUCE_TO_COLUMN, /* a row's sum is in column 0 */
        [ARCH_REDUCE_COLUMN] = TENSIX_REDUCE_TO_ROW,
    };
    const bool is_written = (self->written[half] & 1U << call->dst) != 0;
    uint32_t *dst = write_to(self, half, call->dst);
    TensixFpuMode mode = {.dst = self->dst_kind,
                          .fidelity = (TensixFidelity) self->config.fidelity,
                          .arithmetic = self->arithmetic};

    switch ((int) call->op) {
    case ARCH_COMPUTE_ADD:
        tensix_fpu_add(dst, operands->a, operands->b, mode);
        break;
    case ARCH_COMPUTE_SUB:
        tensix_fpu_subtract(dst, operands->a, operands->b, mode);
        break;
    case ARCH_COMPUTE_MUL:
        mode.has_dst = is_written;
        tensix_fpu_multiply(dst, operands->a, operands->b, mode);
        break;
    case ARCH_COMPUTE_COPY:
    case ARCH_COMPUTE_TRANSPOSE:
        tensix_fpu_copy(dst, operands->a, mode);
        break;
    case ARCH_COMPUTE_REDUCE:
        mode.has_dst = is_written;
        tensix_fpu_reduce_sum(dst, operands->a, operands->b, reductions[call->mode],
                              mode);
        break;
    case ARCH_COMPUTE_MATMUL:
        /* The left matrix goes into SrcB. */
        mode.has_dst = is_written;
        tensix_fpu_matmul(dst, operands->b, operands->a, mode);
        break;
    default:
        break;
    }
}

static bool
calculate_sfpu(TensixRegisters *self, guint half, const ArchComputeCall *call)
{
    static const TensixComparison comparisons[ARCH_COMPARISONS] = {
        [ARCH_COMPARE_EQZ] = TENSIX_COMPARE_EQZ,
        [ARCH_COMPARE_NEZ] = TENSIX_COMPARE_NEZ,
        [ARCH_COMPARE_LTZ] = TENSIX_COMPARE_LTZ,
        [ARCH_COMPARE_GTZ] = TENSIX_COMPARE_GTZ,
        [ARCH_COMPARE_LEZ] = TENSIX_COMPARE_LEZ,
        [ARCH_COMPARE_GEZ] = TENSIX_COMPARE_GEZ,
    };
    const TensixSfpuMode mode = {.dst = self->dst_kind, .arithmetic = self->arithmetic};
    uint32_t scalar;

    switch ((int) call->op) {
    case ARCH_COMPUTE_SFPU_ADD:
        tensix_sfpu_add(read_from(self, half, call->dst),
                        read_from(self, half, call->dst),
                        read_from(self, half, call->dst_b), mode);
        return true;
    case ARCH_COMPUTE_SFPU_SUB:
        tensix_sfpu_subtract(read_from(self, half, call->dst),
                             read_from(self, half, call->dst),
                             read_from(self, half, call->dst_b), mode);
        return true;
    case ARCH_COMPUTE_SFPU_MUL:
        tensix_sfpu_multiply(read_from(self, half, call->dst),
                             read_from(self, half, call->dst),
                             read_from(self, half, call->dst_b), mode);
        return true;
    case ARCH_COMPUTE_SFPU_MAD:
        tensix_sfpu_multiply_add(read_from(self, half, call->dst),
                                 read_from(self, half, call->dst),
                                 read_from(self, half, call->dst_b),
                                 read_from(self, half, call->dst_c), mode);
        return true;
    case ARCH_COMPUTE_SFPU_RECIP:
        tensix_sfpu_reciprocal(read_from(self, half, call->dst),
                               read_from(self, half, call->dst), mode);
        return true;
    case ARCH_COMPUTE_SFPU_SQRT:
        tensix_sfpu_root(read_from(self, half, call->dst),
                         read_from(self, half, call->dst), mode);
        return true;
    case ARCH_COMPUTE_SFPU_SCALE:
        memcpy(&scalar, &call->scalar, sizeof scalar);
        tensix_sfpu_scale(read_from(self, half, call->dst),
                          read_from(self, half, call->dst), scalar, mode);
        return true;
    case ARCH_COMPUTE_SFPU_OFFSET:
        memcpy(&scalar, &call->scalar, sizeof scalar);
        tensix_sfpu_offset(read_from(self, half, call->dst),
                           read_from(self, half, call->dst), scalar, mode);
        return true;
    case ARCH_COMPUTE_SFPU_COMPARE:
        tensix_sfpu_compare(read_from(self, half, call->dst),
                            read_from(self, half, call->dst), comparisons[call->mode]);
        return true;
    case ARCH_COMPUTE_SFPU_SUM:
        tensix_sfpu_sum(read_from(self, half, call->dst),
                        read_from(self, half, call->dst), mode);
        return true;
    default:
        return false;
    }
}

void tensix_registers_math(TensixRegisters *self,
                           guint half,
                           guint slot,
                           const ArchComputeCall *call)
{
    if (!calculate_sfpu(self, half, call)) {
        calculate_fpu(self, half, &self->slots[slot], call);
    }
}

void tensix_registers_transpose(TensixRegisters *self, guint half, guint tile)
{
    uint32_t *dst = read_from(self, half, tile);

    memcpy(self->scratch, dst, sizeof(Tile));
    tensix_tile_transpose(dst, self->scratch);
}

void tensix_registers_pack(
    TensixRegisters *self, guint half, guint tile, guint8 *bytes, ArchFormat format)
{
    tensix_pack(bytes, format_of(format), read_from(self, half, tile),
                self->arithmetic);
}

void tensix_registers_release(TensixRegisters *self, guint half)
{
    self->written[half] = 0;
}
