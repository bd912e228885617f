/* Makes the calls of compiled compute kernels. */
#include "arch/tensix/riscv/compute_call.h"

#include <string.h>

#include "arch/error.h"
#include "arch/tensix/core.h"
#include "sim/narrow.h"

/* The page of a pack that names none. */
#define NEXT_PAGE G_MAXUINT32

typedef struct {
    RiscvCaller *caller;
    const ArchComputeFunction *function;
    const uint32_t *arguments;
    ArchComputeCall call;
} Making;

/* Argument `number`, which must not exceed `most`. */
static bool
take(const Making *self, guint number, uint32_t most, uint32_t *value, GError **error)
{
    *value = self->arguments[number];
    return *value <= most ||
           arch_refuse(error, "%s: argument %u is %u, allowed are 0 to %u",
                       self->function->name, number + 1, *value, most);
}

static bool
take_u8(const Making *self, guint number, uint32_t most, uint8_t *value, GError **error)
{
    uint32_t whole = 0;

    if (!take(self, number, most, &whole, error)) {
        return false;
    }
    *value = sim_u8(whole);
    return true;
}

static bool take_u16(const Making *self, guint number, uint16_t *value, GError **error)
{
    uint32_t whole = 0;

    if (!take(self, number, G_MAXUINT16, &whole, error)) {
        return false;
    }
    *value = sim_u16(whole);
    return true;
}

static bool take_cb(const Making *self, guint number, uint8_t *value, GError **error)
{
    return take_u8(self, number, CIRCULAR_BUFFERS - 1, value, error);
}

/* The same of one whose numbers are read or written. */
static bool take_tiles(const Making *self, guint number, uint8_t *value, GError **error)
{
    return take_cb(self, number, value, error) &&
           (!self->caller->core->buffers[*value].is_foreign ||
            arch_refuse(error,
                        "%s: circular buffer %u has a format that compute kernels do "
                        "not have here, allowed are Float32, Tf32, Float16_b, Bfp8_b, "
                        "Bfp4_b, Int32, UInt32 and UInt16",
                        self->function->name, *value));
}

static bool take_dst(const Making *self, guint number, uint8_t *value, GError **error)
{
    return take_u8(self, number, G_MAXUINT8, value, error);
}

static bool make(const Making *self, GError **error)
{
    return arch_compute_call_on(self->caller->core, self->caller->thread, &self->call,
                                error);
}

static bool make_other(const Making *self, guint8 op, GError **error)
{
    ArchComputeCall call = self->call;

    call.op = op;
    return arch_compute_call_on(self->caller->core, self->caller->thread, &call, error);
}

/* Programs pack and push pages that they have not reserved, where they know that there
 * is space. */
static bool reserve_silently(const Making *self, guint count, GError **error)
{
    guint16 *reserved = &self->caller->reserved[self->call.cb_a];
    Making other = *self;

    if (count <= *reserved) {
        return true;
    }
    *reserved = sim_u16(count);
    other.call.count = sim_u16(count);
    return make_other(&other, ARCH_COMPUTE_CB_RESERVE, error);
}

static bool pages(Making *self, GError **error)
{
    if (!take_cb(self, 0, &self->call.cb_a, error) ||
        !take_u16(self, 1, &self->call.count, error)) {
        return false;
    }
    guint16 *reserved = &self->caller->reserved[self->call.cb_a];
    const bool is_move =
        self->call.op == ARCH_COMPUTE_CB_POP || self->call.op == ARCH_COMPUTE_CB_PUSH;

    /* Counters that are no buffer's move, and nobody sees it. */
    if (is_move && self->caller->core->buffers[self->call.cb_a].page_count == 0) {
        return true;
    }
    if (self->call.op == ARCH_COMPUTE_CB_RESERVE) {
        *reserved = MAX(*reserved, self->call.count);
    }
    if (self->call.op == ARCH_COMPUTE_CB_PUSH) {
        if (!reserve_silently(self, self->call.count, error)) {
            return false;
        }
        self->caller->packed[self->call.cb_a] = 0;
        *reserved = sim_u16(*reserved - self->call.count);
    }
    /* Programs reserve, push, wait for and pop nothing at times. */
    return self->call.count == 0 || make(self, error);
}

static bool buffers(Making *self, guint first, guint count, GError **error)
{
    self->call.count = sim_u16(count);
    return take_tiles(self, first, &self->call.cb_a, error) &&
           (count == 1 || take_tiles(self, first + 1, &self->call.cb_b, error));
}

/* Inits say what later calls do. */
static void note_init(const Making *self)
{
    if (self->call.op == ARCH_COMPUTE_MATMUL_INIT) {
        self->caller->is_transposed = self->arguments[2] != 0;
    } else if (self->call.op >= ARCH_COMPUTE_ADD_INIT &&
               self->call.op <= ARCH_COMPUTE_MUL_SCALAR_INIT) {
        self->caller->adds_to_dst = self->arguments[2] != 0;
    }
}

static bool tiles(Making *self, GError **error)
{
    if (self->call.op == ARCH_COMPUTE_MATMUL) {
        self->call.mode = self->caller->is_transposed;
    }
    self->call.count =
        self->call.op <= ARCH_COMPUTE_MUL && self->caller->adds_to_dst ? 1 : 0;
    return take_tiles(self, 0, &self->call.cb_a, error) &&
           take_tiles(self, 1, &self->call.cb_b, error) &&
           take_u16(self, 2, &self->call.tile_a, error) &&
           take_u16(self, 3, &self->call.tile_b, error) &&
           take_dst(self, 4, &self->call.dst, error);
}

static bool block(Making *self, GError **error)
{
    const uint32_t shape = self->arguments[5];
    const guint columns = shape >> 8 & G_MAXUINT8;
    const guint rows = shape >> 16 & G_MAXUINT8;

    if (!tiles(self, error)) {
        return false;
    }
    if (columns * rows == 0 || columns * rows + self->call.dst > G_MAXUINT8) {
        return arch_refuse(error, "%s: no tiles, or more than Dst has",
                           self->function->name);
    }
    self->call.mode = (shape & G_MAXUINT8) != 0 || self->caller->is_transposed;
    self->call.dst_b = sim_u8(columns);
    self->call.dst_c = sim_u8(rows);
    self->call.count = sim_u16(shape >> 24);
    return make(self, error);
}

static bool scalar(Making *self, GError **error)
{
    float number = 0;

    memcpy(&number, &self->arguments[1], sizeof number);
    self->call.scalar =
        self->function->arguments == ARCH_ARGUMENTS_MINUS_SCALAR ? -number : number;
    return take_dst(self, 0, &self->call.dst, error) && make(self, error);
}

static bool scalars(Making *self, GError **error)
{
    memcpy(&self->call.scalar_b, &self->arguments[2], sizeof self->call.scalar_b);
    return scalar(self, error);
}

static bool pack(Making *self, GError **error)
{
    if (!take_dst(self, 0, &self->call.dst, error) ||
        !take_tiles(self, 1, &self->call.cb_a, error)) {
        return false;
    }
    if (self->arguments[2] == NEXT_PAGE) {
        self->call.tile_a = self->caller->packed[self->call.cb_a]++;
    } else if (!take_u16(self, 2, &self->call.tile_a, error)) {
        return false;
    }
    const guint count = MAX(self->call.count, 1U);
    const guint pages_needed = (self->call.tile_a / count + 1U) * count;

    return reserve_silently(self, pages_needed, error) && make(self, error);
}

static bool value(Making *self, GError **error)
{
    uint32_t element = 0;

    if (!take_tiles(self, 0, &self->call.cb_a, error) ||
        !take_u16(self, 1, &self->call.tile_a, error) ||
        !take(self, 2, ARCH_TILE_ELEMENTS - 1, &element, error)) {
        return false;
    }
    self->call.value = sim_i32(element);
    self->call.mode = 1; /* words, whatever the format */
    return make(self, error);
}

/* Functions on tiles of Dst: `count` numbers of them, and of several, of the result. */
static bool dst(Making *self, guint count, GError **error)
{
    uint8_t out = 0;

    if (!take_dst(self, 0, &self->call.dst, error) ||
        (count >= 2 && !take_dst(self, 1, &self->call.dst_b, error)) ||
        (count >= 3 && !take_dst(self, 2, &self->call.dst_c, error)) ||
        (count >= 2 && !take_u8(self, count, G_MAXINT8, &out, error))) {
        return false;
    }
    if (count >= 2) {
        self->call.out_offset = sim_i16(out - self->call.dst);
    }
    return make(self, error);
}

static bool tile(Making *self, GError **error)
{
    return take_tiles(self, 0, &self->call.cb_a, error) &&
           take_u16(self, 1, &self->call.tile_a, error) &&
           take_dst(self, 2, &self->call.dst, error);
}

/* How many tiles lie side by side. */
static bool take_width(Making *self, GError **error)
{
    return take_u16(self, 3, &self->call.count, error) &&
           (self->call.count > 0 ||
            arch_refuse(error, "%s: no tiles side by side", self->function->name));
}

/* Formats are numbers of ArchFormat. */
static bool typecast(Making *self, GError **error)
{
    uint8_t from = 0;
    uint8_t to = 0;

    if (!take_dst(self, 0, &self->call.dst, error) ||
        !take_u8(self, 1, ARCH_FORMATS - 1, &from, error) ||
        !take_u8(self, 2, ARCH_FORMATS - 1, &to, error)) {
        return false;
    }
    self->call.mode = sim_u8(16 * from + to);
    return make(self, error);
}

static bool make_all(Making *self, GError **error)
{
    switch ((ArchComputeArguments) self->function->arguments) {
    case ARCH_ARGUMENTS_NONE:
        return make(self, error);
    case ARCH_ARGUMENTS_PAGES:
        return pages(self, error);
    case ARCH_ARGUMENTS_BUFFER:
        return buffers(self, 0, 1, error) && make(self, error);
    case ARCH_ARGUMENTS_BUFFERS:
        note_init(self);
        return buffers(self, 0, 2, error) && make(self, error);
    case ARCH_ARGUMENTS_START_BUFFER:
        return buffers(self, 0, 1, error) &&
               make_other(self, ARCH_COMPUTE_START_INIT, error) && make(self, error);
    case ARCH_ARGUMENTS_START_BUFFERS:
        note_init(self);
        return buffers(self, 0, 2, error) &&
               make_other(self, ARCH_COMPUTE_START_INIT, error) && make(self, error);
    case ARCH_ARGUMENTS_NEXT_BUFFER:
        return buffers(self, 1, 1, error) &&
               make_other(self, ARCH_COMPUTE_RECONFIG, error) && make(self, error);
    case ARCH_ARGUMENTS_TILE:
        return tile(self, error) && make(self, error);
    case ARCH_ARGUMENTS_ROW_TILE:
        return tile(self, error) && take_width(self, error) && make(self, error);
    case ARCH_ARGUMENTS_TILES:
        return tiles(self, error) && make(self, error);
    case ARCH_ARGUMENTS_REDUCTION:
        return tiles(self, error) &&
               take_u8(self, 5, ARCH_REDUCE_COLUMN, &self->call.mode, error) &&
               make(self, error);
    case ARCH_ARGUMENTS_BLOCK:
        return block(self, error);
    case ARCH_ARGUMENTS_DST:
    case ARCH_ARGUMENTS_DST_MODE: /* the function says whether */
        return dst(self, 1, error);
    case ARCH_ARGUMENTS_SCALARS:
        return scalars(self, error);
    case ARCH_ARGUMENTS_DST_PAIR:
        return dst(self, 2, error);
    case ARCH_ARGUMENTS_DST_TRIPLE:
        return dst(self, 3, error);
    case ARCH_ARGUMENTS_SCALAR:
    case ARCH_ARGUMENTS_MINUS_SCALAR:
        return scalar(self, error);
    case ARCH_ARGUMENTS_PACK:
        return pack(self, error);
    case ARCH_ARGUMENTS_ROW_PACK:
        return take_width(self, error) && pack(self, error);
    case ARCH_ARGUMENTS_TYPECAST:
        return typecast(self, error);
    case ARCH_ARGUMENTS_SETTING:
        memcpy(&self->call.value, &self->arguments[0], sizeof self->call.value);
        return make(self, error);
    case ARCH_ARGUMENTS_VALUE:
        return value(self, error);
    case ARCH_ARGUMENTS_SHIFT:
        memcpy(&self->call.value, &self->arguments[1], sizeof self->call.value);
        return take_tiles(self, 0, &self->call.cb_a, error) && make(self, error);
    case ARCH_ARGUMENTS_ZONE:
    case ARCH_ARGUMENTS_COUNTS:
    case ARCH_ARGUMENTS_UNATTRIBUTED:
    case ARCH_ARGUMENTS:
        break;
    }
    return arch_refuse(error, "compiled kernels have no %s", self->function->name);
}

bool riscv_compute_call(RiscvCaller *self,
                        uint32_t function,
                        const uint32_t arguments[RISCV_ARGUMENTS],
                        bool *has_value,
                        GError **error)
{
    Making making = {.caller = self,
                     .function = arch_compute_function_at(function),
                     .arguments = arguments};

    if (making.function == NULL) {
        return arch_refuse(error, "compute kernels have no function %u", function);
    }
    making.call.op = making.function->op;
    making.call.mode = making.function->mode;
    *has_value = making.function->arguments == ARCH_ARGUMENTS_VALUE;
    return make_all(&making, error);
}
