/* References of stencils on columns: which cells, in which order, what is rounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "workloads/reference/column_stencil.h"

/* 3 x 2 columns of 2 layers: cell (x, y, z) is 100 x + 10 y + z + 1. */
enum {
    COLUMNS = 3,
    ROWS = 2,
    LAYERS = 2,
    CELLS = COLUMNS * ROWS * LAYERS,
};

static ReferenceColumnStencil stencil_of(const ReferenceTerm *terms, guint count)
{
    return (ReferenceColumnStencil){
        .columns = COLUMNS,
        .rows = ROWS,
        .layers = LAYERS,
        .steps = 1,
        .cells = NUMBER_FP32,
        .sums = NUMBER_FP32,
        .terms = terms,
        .result = {.count = count},
    };
}

static guint place(guint x, guint y, guint z)
{
    return (y * COLUMNS + x) * LAYERS + z;
}

static void fill(double cells[CELLS])
{
    for (guint i = 0; i < CELLS; i++) {
        const guint column = i / LAYERS;
        const guint row = column / COLUMNS;

        cells[i] = 100 * (column % COLUMNS) + 10 * row + i % LAYERS + 1;
    }
}

static void terms_are_those_of_neighbours(void **state G_GNUC_UNUSED)
{
    static const ReferenceTerm terms[] = {
        {.weight = 1},          {.x = -1, .weight = 2}, {.x = 1, .weight = 3},
        {.y = -1, .weight = 5}, {.y = 1, .weight = 7},  {.z = -1, .weight = 11},
        {.z = 1, .weight = 13},
    };
    const ReferenceColumnStencil self = stencil_of(terms, G_N_ELEMENTS(terms));
    double cells[CELLS];

    fill(cells);
    g_autofree double *result = reference_column_stencil(&self, cells);

    /* (1, 0, 0) is 101, west 1, east 201, south 111, above 102. */
    assert_true(result[place(1, 0, 0)] == 101 + 2 + 603 + 777 + 1326);
    /* (2, 1, 1) is 212, west 112, north 202, below 211. */
    assert_true(result[place(2, 1, 1)] == 212 + 224 + 1010 + 2321);
}

static void sums_of_fields_are_steps_of_their_own(void **state G_GNUC_UNUSED)
{
    static const ReferenceTerm terms[] = {
        {.weight = 1},
        {.x = -1, .weight = 2},
        {.field = 1, .weight = 1},
        {.field = 1, .y = -1, .weight = 3},
    };
    static const ReferenceTerms field = {.first = 0, .count = 2};
    ReferenceColumnStencil self = stencil_of(terms, 2);
    double cells[CELLS];

    fill(cells);
    self.fields = &field;
    self.field_count = 1;
    self.result = (ReferenceTerms){.first = 2, .count = 2};
    g_autofree double *once = reference_column_stencil(&self, cells);

    assert_true(once[place(1, 1, 0)] == 111 + 2 * 11 + 3 * (101 + 2 * 1));
    self.steps = 2;
    g_autofree double *twice = reference_column_stencil(&self, cells);
    g_autofree double *again = NULL;

    self.steps = 1;
    again = reference_column_stencil(&self, once);
    assert_memory_equal(twice, again, CELLS * sizeof *twice);
    self.steps = 0;
    g_autofree double *same = reference_column_stencil(&self, cells);

    assert_memory_equal(same, cells, sizeof cells);
}

/* Of the first cell: the first number, and what is added to it with a weight. */
static double
sum_of(double first, double second, double weight, ReferenceColumnStencil self)
{
    const ReferenceTerm terms[] = {{.weight = 1}, {.x = 1, .weight = weight}};
    double cells[CELLS] = {first, 0, second};

    self.terms = terms;
    g_autofree double *result = reference_column_stencil(&self, cells);

    return result[0];
}

static void products_are_rounded_with_the_sum(void **state G_GNUC_UNUSED)
{
    ReferenceColumnStencil self = stencil_of(NULL, 2);

    /* (1 + e) (1 - e) = 1 - e e. */
    assert_true(sum_of(-1, 1 + 0x1p-20, 1 - 0x1p-20, self) == -0x1p-40);
    assert_true(sum_of(1, 1, 0x1p-24, self) == 1);
    self.is_exact = true;
    assert_true(sum_of(1, 1, 0x1p-24, self) == 1 + 0x1p-24);
    self.is_exact = false;
    self.cells = self.sums = NUMBER_FP16;
    assert_true(sum_of(-1, 1 + 0x1p-10, 1 - 0x1p-10, self) == -0x1p-20);
    assert_true(sum_of(1, 1, 0x1p-11, self) == 1);
    self.sums = NUMBER_FP32;
    assert_true(sum_of(1, 1, 0x1p-11, self) == 1 + 0x1p-11);
}

static void weights_are_rounded_to_the_cells_format(void **state G_GNUC_UNUSED)
{
    ReferenceColumnStencil self = stencil_of(NULL, 2);

    assert_true(sum_of(0, 1, 1 + 0x1p-30, self) == 1);
    self.cells = NUMBER_FP16;
    assert_true(sum_of(0, 1, 1 + 0x1p-12, self) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_those_of_neighbours),
        cmocka_unit_test(sums_of_fields_are_steps_of_their_own),
        cmocka_unit_test(products_are_rounded_with_the_sum),
        cmocka_unit_test(weights_are_rounded_to_the_cells_format),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
