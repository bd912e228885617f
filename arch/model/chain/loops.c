/* Tiled loops that multiply matrices through a fast memory that counts what moves. */
#include "arch/model/chain/loops.h"

#include <stdbool.h>
#include <string.h>

#include "sim/narrow.h"

/* The patch that stays: `rows` from `top` on, `columns` from `left` on. */
typedef struct {
    ChainFastMemory *memory;
    double *words; /* row by row */
    gsize top;
    gsize left;
    gsize rows;
    gsize columns;
} Patch;

static ChainLine
part_of_row(const GpuMatrix *matrix, gsize row, gsize first, gsize count)
{
    return (ChainLine){gpu_matrix_at(matrix, sim_u32(row), sim_u32(first)), 1, count};
}

static ChainLine
part_of_column(const GpuMatrix *matrix, gsize column, gsize first, gsize count)
{
    return (ChainLine){gpu_matrix_at(matrix, sim_u32(first), sim_u32(column)),
                       matrix->column_count, count};
}

static ChainLine word_of(const ChainLine *line, gsize index)
{
    return (ChainLine){line->numbers + index * line->stride, line->stride, 1};
}

/* patch += column x row: the shorter line is held, of the other one word at a time. */
static void add_product(Patch *self, const ChainLine *column, const ChainLine *row)
{
    const bool is_column_held = column->count <= row->count;
    const ChainLine *held = is_column_held ? column : row;
    const ChainLine *streamed = is_column_held ? row : column;
    const gsize held_step = is_column_held ? self->columns : 1;
    const gsize streamed_step = is_column_held ? 1 : self->columns;
    double *numbers = chain_fast_memory_take(self->memory, held->count);
    double *word = chain_fast_memory_take(self->memory, 1);

    chain_fast_memory_load(self->memory, held, numbers);
    for (gsize i = 0; i < streamed->count; i++) {
        const ChainLine at = word_of(streamed, i);
        double *sum = self->words + i * streamed_step;

        chain_fast_memory_load(self->memory, &at, word);
        for (gsize k = 0; k < held->count; k++) {
            sum[k * held_step] += numbers[k] * *word;
        }
    }
    chain_fast_memory_give_back(self->memory, held->count + 1);
}

/* A line of the result that gets the patch times a line of a factor: of columns where
 * `is_right`, the factor standing to the right of the patch, else of rows. */
typedef struct {
    ChainLine factor;
    ChainLine result;
    bool is_right;
    bool is_first; /* the result is still 0, and need not be loaded */
} Update;

static void update_holding_result(const Patch *self, const Update *update)
{
    const gsize result_step = update->is_right ? self->columns : 1;
    const gsize factor_step = update->is_right ? 1 : self->columns;
    double *sums = chain_fast_memory_take(self->memory, update->result.count);
    double *word = chain_fast_memory_take(self->memory, 1);

    if (!update->is_first) {
        chain_fast_memory_load(self->memory, &update->result, sums);
    }
    for (gsize i = 0; i < update->factor.count; i++) {
        const ChainLine at = word_of(&update->factor, i);

        chain_fast_memory_load(self->memory, &at, word);
        for (gsize k = 0; k < update->result.count; k++) {
            sums[k] += self->words[k * result_step + i * factor_step] * *word;
        }
    }
    chain_fast_memory_store(self->memory, sums, &update->result);
    chain_fast_memory_give_back(self->memory, update->result.count + 1);
}

static void update_holding_factor(const Patch *self, const Update *update)
{
    const gsize result_step = update->is_right ? self->columns : 1;
    const gsize factor_step = update->is_right ? 1 : self->columns;
    double *numbers = chain_fast_memory_take(self->memory, update->factor.count);
    double *sum = chain_fast_memory_take(self->memory, 1);

    chain_fast_memory_load(self->memory, &update->factor, numbers);
    for (gsize k = 0; k < update->result.count; k++) {
        const ChainLine at = word_of(&update->result, k);

        *sum = 0;
        if (!update->is_first) {
            chain_fast_memory_load(self->memory, &at, sum);
        }
        for (gsize i = 0; i < update->factor.count; i++) {
            *sum += self->words[k * result_step + i * factor_step] * numbers[i];
        }
        chain_fast_memory_store(self->memory, sum, &at);
    }
    chain_fast_memory_give_back(self->memory, update->factor.count + 1);
}

static void update_result(const Patch *self, const Update *update)
{
    if (update->result.count <= update->factor.count) {
        update_holding_result(self, update);
    } else {
        update_holding_factor(self, update);
    }
}

static void load_patch(Patch *self, const GpuMatrix *matrix)
{
    for (gsize row = 0; row < self->rows; row++) {
        const ChainLine line =
            part_of_row(matrix, self->top + row, self->left, self->columns);

        chain_fast_memory_load(self->memory, &line, self->words + row * self->columns);
    }
}

static void store_patch(const Patch *self, const GpuMatrix *matrix)
{
    for (gsize row = 0; row < self->rows; row++) {
        const ChainLine line =
            part_of_row(matrix, self->top + row, self->left, self->columns);

        chain_fast_memory_store(self->memory, self->words + row * self->columns, &line);
    }
}

/* The patch of the product of two matrices. */
static void compute_patch(Patch *self, const GpuMatrix *left, const GpuMatrix *right)
{
    for (gsize k = 0; k < left->column_count; k++) {
        const ChainLine column = part_of_column(left, k, self->top, self->rows);
        const ChainLine row = part_of_row(right, k, self->left, self->columns);

        add_product(self, &column, &row);
    }
}

/* result += patch x factor. */
static void
multiply_by_right(const Patch *self, const GpuMatrix *factor, const GpuMatrix *result)
{
    for (gsize column = 0; column < factor->column_count; column++) {
        const Update update = {
            .factor = part_of_column(factor, column, self->left, self->columns),
            .result = part_of_column(result, column, self->top, self->rows),
            .is_right = true,
            .is_first = self->left == 0,
        };

        update_result(self, &update);
    }
}

/* result += factor x patch. */
static void
multiply_by_left(const Patch *self, const GpuMatrix *factor, const GpuMatrix *result)
{
    for (gsize row = 0; row < factor->row_count; row++) {
        const Update update = {
            .factor = part_of_row(factor, row, self->top, self->rows),
            .result = part_of_row(result, row, self->left, self->columns),
            .is_right = false,
            .is_first = self->top == 0,
        };

        update_result(self, &update);
    }
}

static void use_patch(Patch *self,
                      ChainMethod method,
                      const GpuMatrix *const *factors,
                      const GpuMatrix *result)
{
    switch (method) {
    case CHAIN_KEEP_OUTPUT:
        compute_patch(self, factors[0], factors[1]);
        store_patch(self, result);
        return;
    case CHAIN_KEEP_LEFT:
        load_patch(self, factors[0]);
        multiply_by_right(self, factors[1], result);
        return;
    case CHAIN_KEEP_RIGHT:
        load_patch(self, factors[1]);
        multiply_by_left(self, factors[0], result);
        return;
    case CHAIN_FUSE_LEFT:
        compute_patch(self, factors[0], factors[1]);
        multiply_by_right(self, factors[2], result);
        return;
    case CHAIN_FUSE_RIGHT:
        compute_patch(self, factors[1], factors[2]);
        multiply_by_left(self, factors[0], result);
        return;
    }
}

void chain_loops_multiply(ChainMethod method,
                          const GpuMatrix *const *factors,
                          const ChainTile *tile,
                          uint64_t capacity,
                          GpuMatrix *result,
                          ChainTraffic *traffic)
{
    g_autoptr(ChainFastMemory) memory = chain_fast_memory_new(capacity);
    const bool is_fused = method == CHAIN_FUSE_LEFT || method == CHAIN_FUSE_RIGHT;
    uint64_t sizes[CHAIN_METHOD_SIZES] = {0};

    sizes[0] = factors[0]->row_count;
    for (guint i = 0; i < (is_fused ? 3U : 2U); i++) {
        sizes[i + 1] = factors[i]->column_count;
    }
    const ChainTile matrix = chain_method_extent(method, sizes);

    for (gsize top = 0; top < matrix.rows; top += tile->rows) {
        for (gsize left = 0; left < matrix.columns; left += tile->columns) {
            Patch patch = {
                .memory = memory,
                .top = top,
                .left = left,
                .rows = MIN(tile->rows, matrix.rows - top),
                .columns = MIN(tile->columns, matrix.columns - left),
            };
            const gsize word_count = patch.rows * patch.columns;

            patch.words = chain_fast_memory_take(memory, word_count);
            use_patch(&patch, method, factors, result);
            chain_fast_memory_give_back(memory, word_count);
        }
    }
    const ChainTraffic moved = chain_fast_memory_traffic(memory);

    traffic->loaded += moved.loaded;
    traffic->stored += moved.stored;
    traffic->peak = MAX(traffic->peak, moved.peak);
}

struct ChainFastMemory {
    double *words;
    gsize capacity;
    gsize used;
    ChainTraffic traffic;
};

ChainFastMemory *chain_fast_memory_new(uint64_t capacity)
{
    ChainFastMemory *self = g_new0(ChainFastMemory, 1);

    self->capacity = capacity;
    self->words = g_new(double, capacity);
    return self;
}

void chain_fast_memory_free(ChainFastMemory *self)
{
    if (self != NULL) {
        g_free(self->words);
        g_free(self);
    }
}

double *chain_fast_memory_take(ChainFastMemory *self, gsize count)
{
    double *words = self->words + self->used;

    g_assert_cmpuint(count, <=, self->capacity - self->used);
    memset(words, 0, count * sizeof(*words));
    self->used += count;
    self->traffic.peak = MAX(self->traffic.peak, self->used);
    return words;
}

void chain_fast_memory_give_back(ChainFastMemory *self, gsize count)
{
    g_assert_cmpuint(count, <=, self->used);
    self->used -= count;
}

/* Only what was taken may hold numbers. */
static void check_taken(const ChainFastMemory *self, const double *words, gsize count)
{
    g_assert_true(words >= self->words && words + count <= self->words + self->used);
}

void chain_fast_memory_load(ChainFastMemory *self, const ChainLine *from, double *to)
{
    check_taken(self, to, from->count);
    for (gsize i = 0; i < from->count; i++) {
        to[i] = from->numbers[i * from->stride];
    }
    self->traffic.loaded += from->count;
}

void chain_fast_memory_store(ChainFastMemory *self,
                             const double *from,
                             const ChainLine *to)
{
    check_taken(self, from, to->count);
    for (gsize i = 0; i < to->count; i++) {
        to->numbers[i * to->stride] = from[i];
    }
    self->traffic.stored += to->count;
}

ChainTraffic chain_fast_memory_traffic(const ChainFastMemory *self)
{
    return self->traffic;
}
