/* Points of stencils by hand, and those of fused stars by taking their steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/model/stencil/stencil.h"

static void assert_points(const char *what, double value, double expected)
{
    if (value != expected) {
        fail_msg("%s: %.15g instead of %.15g", what, value, expected);
    }
}

static void points_are_those_of_boxes_and_stars(void **state)
{
    static const struct {
        GpuStencil stencil;
        double points;
        double fused;
        double boxed;
    } rows[] = {
        {{GPU_BOX, 1, 4, 1, GPU_FLOAT}, 9, 9, 9},
        {{GPU_BOX, 2, 1, 1, GPU_FLOAT}, 9, 9, 9},
        {{GPU_BOX, 2, 1, 3, GPU_FLOAT}, 9, 49, 49},
        {{GPU_BOX, 2, 7, 1, GPU_FLOAT}, 225, 225, 225},
        {{GPU_BOX, 3, 1, 7, GPU_FLOAT}, 27, 3375, 3375},
        {{GPU_BOX, 3, 2, 2, GPU_FLOAT}, 125, 729, 729},
        {{GPU_STAR, 1, 2, 3, GPU_FLOAT}, 5, 13, 13},
        {{GPU_STAR, 2, 1, 1, GPU_FLOAT}, 5, 5, 9},
        {{GPU_STAR, 2, 1, 2, GPU_FLOAT}, 5, 13, 25},
        {{GPU_STAR, 2, 1, 9, GPU_FLOAT}, 5, 2 * 81 + 2 * 9 + 1, 361},
        {{GPU_STAR, 3, 4, 1, GPU_FLOAT}, 25, 25, 729},
        {{GPU_STAR, 3, 1, 2, GPU_FLOAT}, 7, 25, 125},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *row = g_strdup_printf("row %u", (guint) i);
        const GpuStencil *stencil = &rows[i].stencil;

        assert_points(row, gpu_stencil_points(stencil), rows[i].points);
        assert_points(row, gpu_stencil_fused_points(stencil, false), rows[i].fused);
        assert_points(row, gpu_stencil_fused_points(stencil, true), rows[i].boxed);
    }
}

/* A grid that holds all of t steps, as bits. */
typedef struct {
    guint8 *cells;
    gsize side;
    gsize count;
} Field;

static Field field_of(const GpuStencil *stencil)
{
    Field self = {.side = 2 * (gsize) stencil->radius * stencil->fusion + 1,
                  .count = 1};

    for (guint i = 0; i < stencil->dimension; i++) {
        self.count *= self.side;
    }
    self.cells = g_new0(guint8, self.count);
    self.cells[self.count / 2] = 1;
    return self;
}

/* Sets what a star around each cell that is set reaches. */
static void dilate(Field *self, const GpuStencil *stencil)
{
    guint8 *next = g_new(guint8, self->count);

    memcpy(next, self->cells, self->count);
    for (gsize i = 0; i < self->count; i++) {
        gsize stride = 1;

        for (guint axis = 0; self->cells[i] && axis < stencil->dimension; axis++) {
            const gsize place = i / stride % self->side;

            for (gsize k = 1; k <= stencil->radius; k++) {
                assert_true(place >= k && place + k < self->side);
                next[i - k * stride] = 1;
                next[i + k * stride] = 1;
            }
            stride *= self->side;
        }
    }
    g_free(self->cells);
    self->cells = next;
}

static void assert_counted(guint dimension, guint radius, guint fusion)
{
    const GpuStencil stencil = {GPU_STAR, dimension, radius, fusion, GPU_FLOAT};
    g_autofree char *what =
        g_strdup_printf("star %uD, radius %u, fusion %u", dimension, radius, fusion);
    Field field = field_of(&stencil);
    double count = 0;

    for (guint step = 0; step < fusion; step++) {
        dilate(&field, &stencil);
    }
    for (gsize i = 0; i < field.count; i++) {
        count += field.cells[i];
    }
    g_free(field.cells);
    assert_points(what, gpu_stencil_fused_points(&stencil, false), count);
}

static void fused_stars_have_the_points_that_their_steps_reach(void **state)
{
    (void) state;
    for (guint fusion = 1; fusion <= 5; fusion++) {
        for (guint radius = 1; radius <= 3; radius++) {
            assert_counted(1, radius, fusion);
            assert_counted(2, radius, fusion);
            assert_counted(3, radius, fusion);
        }
        assert_counted(4, 1, fusion);
    }
    assert_counted(4, 3, 2);
    assert_counted(5, 1, 3);
    assert_counted(2, 2, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_those_of_boxes_and_stars),
        cmocka_unit_test(fused_stars_have_the_points_that_their_steps_reach),
    };

    return cmocka_run_group_tests_name("arch.gpu_points", tests, NULL, NULL);
}
