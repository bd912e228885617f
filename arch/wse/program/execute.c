/* Executes vector operations on numbers, a stretch of constant stride at a time. */
#include <string.h>

#include "arch/wse/program/live.h"
#include "arch/wse/program/operation.h"
#include "arch/wse/program/product.h"
#include "arch/wse/program/program.h"
#include "arch/wse/program/walk.h"

G_STATIC_ASSERT(G_BYTE_ORDER == G_LITTLE_ENDIAN); /* as the memory of a PE */

enum {
    CHUNK = 64, /* copies of a number that stays the same for a row */
    WORD = 4,
};

/* An operand: `left` elements of `bytes` each, the first at `address` of what it lies
 * in, then one every `step` bytes. */
typedef struct {
    const WseDsd *dsd;
    uint8_t *base;
    int64_t limit; /* bytes of what it lies in */
    int64_t address;
    int64_t step;
    uint32_t left;
    uint32_t bytes;
    int32_t offset;
    WseWalk walk;
} Operand;

/* Products that are to be added to the same row. */
typedef struct {
    uint32_t product_count;
    uint32_t count; /* numbers of the row */
    uint8_t *row;
    const uint8_t *words[WSE_ROW_PRODUCTS];
    float numbers[WSE_ROW_PRODUCTS];
} Sum;

typedef struct {
    const WseOperation *operation;
    uint32_t operand_count;
    WseProducts *products; /* or NULL */
    Sum sum;
    Operand operands[WSE_OPERANDS];
} Execution;

static void open_memory(Operand *self, uint32_t first)
{
    self->walk = wse_walk_start(self->dsd, self->offset, first);
    self->address = self->walk.address;
    self->step = self->walk.step;
    self->left = self->walk.left;
}

static void open_fifo(Operand *self, uint32_t fifo_at)
{
    const uint32_t place = fifo_at % self->dsd->length;

    self->address = self->dsd->address + (int64_t) place * self->bytes;
    self->step = self->bytes;
    self->left = self->dsd->length - place;
}

static void open_words(Operand *self, const uint32_t *words, int64_t step)
{
    self->base = (uint8_t *) words;
    self->limit = INT64_MAX;
    self->step = step;
    self->left = UINT32_MAX;
}

static int64_t stream_step(const WseDsd *dsd)
{
    return WORD / dsd->elements_per_wavelet;
}

/* What is in a wavelet beside a 16-bit number, or in the half that stays empty. */
static void clear_out(const Operand *self, uint32_t *out, uint32_t count)
{
    const uint32_t per_wavelet = self->dsd->elements_per_wavelet;
    const uint32_t rest = per_wavelet == 2 ? 0 : (uint32_t) self->dsd->index << 16;

    if (self->bytes == WORD) {
        return;
    }
    for (uint32_t i = 0; i < (count + per_wavelet - 1) / per_wavelet; i++) {
        out[i] = rest;
    }
}

static void advance(Operand *self, uint32_t count)
{
    if (self->dsd->kind == WSE_MEMORY) {
        wse_walk_advance(&self->walk, self->offset, count);
        self->address = self->walk.address;
        self->left = self->walk.left;
        return;
    }
    self->address += count * self->step;
    if (self->dsd->kind == WSE_FIFO) {
        self->left -= count;
        if (self->left == 0) {
            self->address = self->dsd->address;
            self->left = self->dsd->length;
        }
    }
}

static bool is_inside(const Operand *self, uint32_t count)
{
    const int64_t end = self->address + (int64_t) (count - 1) * self->step;

    return MIN(self->address, end) >= 0 &&
           MAX(self->address, end) <= self->limit - self->bytes;
}

static uint32_t load(const Operand *self, uint32_t index)
{
    const uint8_t *at = self->base + self->address + index * self->step;
    uint32_t word = 0;
    uint16_t half = 0;

    if (self->bytes == WORD) {
        memcpy(&word, at, sizeof word);
        return word;
    }
    memcpy(&half, at, sizeof half);
    return half;
}

static void store(const Operand *self, uint32_t index, uint32_t bits)
{
    uint8_t *at = self->base + self->address + index * self->step;
    const uint16_t half = (uint16_t) bits;

    if (self->bytes == WORD) {
        memcpy(at, &bits, sizeof bits);
    } else {
        memcpy(at, &half, sizeof half);
    }
}

static void clear(const Operand *self, uint32_t count)
{
    const bool is_memory = self->dsd->kind == WSE_MEMORY || self->dsd->kind == WSE_FIFO;

    for (uint32_t i = 0; is_memory && i < count; i++) {
        store(self, i, 0);
    }
}

static void run_elements(const Execution *self, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sources[WSE_OPERANDS - 1] = {0};

        for (uint32_t j = 1; j < self->operand_count; j++) {
            sources[j - 1] = load(&self->operands[j], i);
        }
        store(&self->operands[0], i, self->operation->element(sources));
    }
}

/* The source is the destination itself, or nowhere in it. */
static bool is_apart(const Operand *destination, const Operand *source, uint32_t count)
{
    const uintptr_t to = (uintptr_t) (destination->base + destination->address);
    const uintptr_t from = (uintptr_t) (source->base + source->address);
    const uintptr_t from_bytes =
        (uintptr_t) (count - 1) * (uintptr_t) source->step + WORD;

    return (to == from && source->step == WORD) || from + from_bytes <= to ||
           to + (uintptr_t) count * WORD <= from;
}

static bool can_run_row(const Execution *self, uint32_t count)
{
    const Operand *operands = self->operands;

    if (self->operation->row == NULL || operands[0].step != WORD) {
        return false;
    }
    for (uint32_t i = 1; i < self->operand_count; i++) {
        if ((operands[i].step != WORD && operands[i].step != 0) ||
            !is_apart(&operands[0], &operands[i], count)) {
            return false;
        }
    }
    return true;
}

static void repeat(uint32_t *copies, const Operand *source, uint32_t count)
{
    uint32_t word = 0;

    memcpy(&word, source->base + source->address, sizeof word);
    for (uint32_t i = 0; i < count; i++) {
        copies[i] = word;
    }
}

/* Whether the last source, and no other one, is one number for all. */
static bool is_by_number(const Execution *self)
{
    const uint32_t last = self->operand_count - 1;
    bool is = self->operation->row_by != NULL && self->operands[last].step == 0;

    for (uint32_t i = 1; i < last; i++) {
        is = is && self->operands[i].step != 0;
    }
    return is;
}

static void run_row_by(const Execution *self, uint32_t count)
{
    const Operand *operands = self->operands;
    const Operand *last = &operands[self->operand_count - 1];
    const uint8_t *sources[WSE_OPERANDS - 1] = {NULL};
    float number = 0;

    for (uint32_t i = 1; i < self->operand_count; i++) {
        sources[i - 1] = operands[i].base + operands[i].address;
    }
    memcpy(&number, last->base + last->address, sizeof number);
    self->operation->row_by(operands[0].base + operands[0].address, sources, number,
                            count);
}

static void run_row(const Execution *self, uint32_t count)
{
    uint32_t copies[WSE_OPERANDS - 1][CHUNK];
    const uint8_t *sources[WSE_OPERANDS - 1] = {NULL};
    const Operand *operands = self->operands;
    uint8_t *to = operands[0].base + operands[0].address;
    bool is_moving[WSE_OPERANDS - 1] = {false};
    uint32_t chunk = count;

    for (uint32_t i = 1; i < self->operand_count; i++) {
        is_moving[i - 1] = operands[i].step != 0;
        sources[i - 1] = operands[i].base + operands[i].address;
        if (!is_moving[i - 1]) {
            chunk = MIN(chunk, CHUNK);
            repeat(copies[i - 1], &operands[i], chunk);
            sources[i - 1] = (const uint8_t *) copies[i - 1];
        }
    }
    for (uint32_t done = 0; done < count; done += chunk) {
        self->operation->row(to + (gsize) done * WORD, sources,
                             MIN(chunk, count - done));
        for (uint32_t i = 1; i < self->operand_count; i++) {
            sources[i - 1] += is_moving[i - 1] ? chunk * WORD : 0;
        }
    }
}

/* Does what was left to add. */
static void finish_sum(Sum *self)
{
    if (self->product_count == WSE_ROW_PRODUCTS) {
        wse_row_add_products(self->row, self->words, self->numbers, self->count);
    } else {
        for (uint32_t i = 0; i < self->product_count; i++) {
            wse_row_add_product(self->row, self->words[i], self->numbers[i],
                                self->count);
        }
    }
    self->product_count = 0;
}

static void add_to_sum(Sum *self, uint8_t *row, const WseProduct *product)
{
    if (self->product_count == WSE_ROW_PRODUCTS || self->row != row ||
        self->count != product->count) {
        finish_sum(self);
    }
    self->row = row;
    self->count = product->count;
    self->words[self->product_count] = product->words;
    self->numbers[self->product_count++] = product->number;
}

/* Products that an operand reads come into memory. */
static void settle_source(const Execution *self, uint32_t index, uint32_t count)
{
    const Operand *operand = &self->operands[index];
    const int64_t end = operand->address + (int64_t) (count - 1) * operand->step;

    if (operand->dsd->kind == WSE_MEMORY) {
        wse_products_settle(self->products, MIN(operand->address, end),
                            MAX(operand->address, end) + operand->bytes);
    }
}

/* Those that the destination covers never do. */
static void settle_operands(const Execution *self, uint32_t count)
{
    const Operand *to = &self->operands[0];

    for (uint32_t i = 1; i < self->operand_count; i++) {
        settle_source(self, i, count);
    }
    if (to->dsd->kind == WSE_MEMORY && to->step == to->bytes) {
        wse_products_overwrite(self->products, to->address,
                               to->address + count * to->step);
    } else {
        settle_source(self, 0, count);
    }
}

/* Leaves a stream times a number out of memory. */
static bool leave_product(const Execution *self, uint32_t count)
{
    const Operand *operands = self->operands;

    if (self->operation->row != wse_row_mul || self->operand_count != 3 ||
        operands[0].dsd->kind != WSE_MEMORY || operands[0].step != WORD ||
        operands[1].dsd->kind != WSE_FABRIC_IN || operands[1].step != WORD ||
        operands[2].step != 0 || !is_apart(&operands[0], &operands[2], count)) {
        return false;
    }
    settle_source(self, 2, 1);
    WseProduct product = {
        .address = operands[0].address,
        .words = operands[1].base + operands[1].address,
        .count = count,
    };

    memcpy(&product.number, operands[2].base + operands[2].address,
           sizeof product.number);
    wse_products_add(self->products, &product);
    return true;
}

/* Adds a product that is not in memory to a row that is. */
static bool add_product(Execution *self, uint32_t count)
{
    const Operand *to = &self->operands[0];
    const Operand *from = &self->operands[2];

    if (self->operation->row != wse_row_add || self->operand_count != 3 ||
        to->dsd->kind != WSE_MEMORY || to->step != WORD ||
        self->operands[1].step != WORD || self->operands[1].base != to->base ||
        self->operands[1].address != to->address || from->dsd->kind != WSE_MEMORY ||
        from->step != WORD) {
        return false;
    }
    settle_source(self, 1, count);
    const WseProduct *product = wse_products_find(self->products, from->address, count);

    if (product == NULL) {
        return false;
    }
    add_to_sum(&self->sum, to->base + to->address, product);
    return true;
}

/* Whether a stretch is done by what it does to products. */
static bool run_products(Execution *self, uint32_t count)
{
    if (leave_product(self, count) || add_product(self, count)) {
        return true;
    }
    finish_sum(&self->sum);
    settle_operands(self, count);
    return false;
}

static uint32_t bytes_of(const WseOperation *operation, uint32_t operand)
{
    return arch_wse_type_bytes(operand == 0 ? operation->destination
                                            : operation->sources[operand - 1]);
}

static void run_stretch(const Execution *self, uint32_t count)
{
    if (!can_run_row(self, count)) {
        run_elements(self, count);
    } else if (is_by_number(self)) {
        run_row_by(self, count);
    } else {
        run_row(self, count);
    }
}

static bool run(Execution *self, uint32_t count)
{
    for (uint32_t left = count; left > 0;) {
        uint32_t stretch = left;

        for (uint32_t i = 0; i < self->operand_count; i++) {
            stretch = MIN(stretch, self->operands[i].left);
        }
        for (uint32_t i = 0; i < self->operand_count; i++) {
            if (stretch == 0 || !is_inside(&self->operands[i], stretch)) {
                return false;
            }
        }
        if (self->products == NULL || !run_products(self, stretch)) {
            run_stretch(self, stretch);
        }
        const uint32_t zeroed = self->operands[0].dsd->zeroed;

        if (zeroed != 0 && zeroed < self->operand_count) {
            clear(&self->operands[zeroed], stretch);
        }
        left -= stretch;
        for (uint32_t i = 0; left > 0 && i < self->operand_count; i++) {
            advance(&self->operands[i], stretch);
        }
    }
    finish_sum(&self->sum);
    return true;
}

/* NOLINTNEXTLINE(readability-function-size) */
bool wse_program_execute(const ArchWseProgram *self,
                         const WseInstruction *instruction,
                         const int32_t offsets[WSE_OPERANDS],
                         uint32_t first,
                         uint32_t count,
                         uint8_t *memory,
                         const WseStreams *streams)
{
    Execution execution = {
        .operation = wse_operation_at(instruction->operation),
        .operand_count = instruction->operand_count,
        .products = streams->products,
    };
    const uint32_t *in = streams->in;

    g_assert(instruction->operand_count > 0);
    for (uint32_t i = 0; i < execution.operand_count; i++) {
        Operand *operand = &execution.operands[i];
        const WseDsd *dsd = wse_operand(
            (const WseDsd *) (gconstpointer) self->dsds->data, instruction, i);

        operand->dsd = dsd;
        operand->walk.dsd = dsd;
        operand->base = memory;
        operand->limit = self->memory_bytes;
        operand->address = 0;
        operand->bytes = bytes_of(execution.operation, i);
        operand->offset = offsets[i];
        switch (dsd->kind) {
        case WSE_MEMORY:
            open_memory(operand, first);
            break;
        case WSE_FIFO:
            open_fifo(operand, streams->fifo_at);
            break;
        case WSE_FABRIC_IN:
            open_words(operand, in, stream_step(dsd));
            in = streams->in2;
            break;
        case WSE_FABRIC_OUT:
            open_words(operand, streams->out, stream_step(dsd));
            clear_out(operand, streams->out, count);
            break;
        case WSE_IMMEDIATE:
            open_words(operand, &dsd->bits, 0);
            break;
        case WSE_VALUE:
        case WSE_REGISTER:
        case WSE_POINTER:
            g_assert_not_reached(); /* they are others when it starts */
        }
    }
    return run(&execution, count);
}
