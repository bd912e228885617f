/* Stencils by schedules have the bits of the plain loop nest. */
#include <math.h>
#include <string.h>

#include "arch/error.h"
#include "arch/model/schedule/recurrence.h"
#include "tests/arch/model/schedule/case.h"

enum {
    SEED = 5,
    CASES = 240,
};

static gsize side_of(const GpuTilingProblem *problem, guint axis)
{
    return axis < problem->dimension ? (gsize) problem->space[axis] + 2 : 1;
}

static double *random_initial(GRand *random, const GpuTilingProblem *problem)
{
    const gsize count = side_of(problem, 0) * side_of(problem, 1) * side_of(problem, 2);
    double *values = g_new(double, count);

    for (gsize i = 0; i < count; i++) {
        values[i] = g_rand_double_range(random, -1, 1);
    }
    return values;
}

/* All dependences that the shape has, with weights of their own. */
typedef struct {
    GpuRecurrenceTerm terms[GPU_DEPENDENCES_MOST];
    GpuRecurrence recurrence;
} Stencil;

static void make_stencil(Stencil *self, GRand *random, const GpuSchedule *schedule)
{
    GpuDependence needs[GPU_DEPENDENCES_MOST];
    const guint count = gpu_schedule_needs(schedule, needs);
    const bool is_max = g_rand_boolean(random);

    for (guint i = 0; i < count; i++) {
        self->terms[i] =
            (GpuRecurrenceTerm){needs[i], g_rand_double_range(random, -0.5, 0.5)};
    }
    self->recurrence = (GpuRecurrence){
        .semiring = is_max ? GPU_MAX_PLUS : GPU_PLUS_TIMES,
        .terms = self->terms,
        .term_count = count,
        .constant = is_max ? -INFINITY : 0.125,
    };
}

/* The value of a point, straight from (A.1) and (B.1). */
static double plain_value(const Stencil *self,
                          const double *now,
                          const double *before,
                          const gsize *strides,
                          gsize at)
{
    double sum = self->recurrence.constant;

    for (guint i = 0; i < self->recurrence.term_count; i++) {
        const GpuRecurrenceTerm *term = &self->terms[i];
        const double *from = term->need.step == 0 ? now : before;
        gssize index = (gssize) at;

        for (guint axis = 0; axis < 3; axis++) {
            index += term->need.space[axis] * (gssize) strides[axis];
        }
        if (self->recurrence.semiring == GPU_MAX_PLUS) {
            sum = fmax(sum, term->weight + from[index]);
        } else {
            sum += term->weight * from[index];
        }
    }
    return sum;
}

/* The plain loop nest: t, then each dimension of space. Returns the last step. */
static double *
run_plainly(const Stencil *self, const GpuTilingProblem *problem, const double *initial)
{
    const gsize strides[] = {side_of(problem, 1) * side_of(problem, 2),
                             side_of(problem, 2), 1};
    const gsize begin[] = {1, problem->dimension > 1, problem->dimension > 2};
    const gsize count = side_of(problem, 0) * strides[0];
    g_autofree double *before = g_new(double, count);
    g_autofree double *now = g_new(double, count);

    memcpy(before, initial, count * sizeof *initial);
    memcpy(now, initial, count * sizeof *initial);
    for (uint64_t t = 0; t < problem->steps; t++) {
        for (gsize x = begin[0]; x < side_of(problem, 0) - begin[0]; x++) {
            for (gsize y = begin[1]; y < side_of(problem, 1) - begin[1]; y++) {
                for (gsize z = begin[2]; z < side_of(problem, 2) - begin[2]; z++) {
                    const gsize at = x * strides[0] + y * strides[1] + z;

                    now[at] = plain_value(self, now, before, strides, at);
                }
            }
        }
        double *spare = before;

        before = now;
        now = spare;
    }
    return g_steal_pointer(&before);
}

static void
assert_bits(const GpuField *field, const double *plain, const ScheduleCase *tested)
{
    const int64_t last = (int64_t) tested->problem.steps - 1;

    if (memcmp(gpu_field_step(field, last), plain,
               gpu_field_layer(field) * sizeof *plain) != 0) {
        g_autofree char *text = schedule_case_text(tested);

        fail_msg("%s: other bits than those of the loop nest", text);
    }
}

typedef struct {
    GpuField *field;
    const GpuRecurrence *recurrence;
} Run;

static void update(const GpuScheduleSpan *span, gpointer data)
{
    const Run *run = data;

    gpu_field_update(run->field, run->recurrence, span);
}

/* As a GPU may: tiles of a wavefront in any order. */
static void run_shuffled(GpuField *field,
                         const GpuRecurrence *recurrence,
                         const GpuSchedule *schedule,
                         GRand *random)
{
    Run run = {field, recurrence};

    for (uint64_t w = 0; w < gpu_schedule_wavefronts(schedule); w++) {
        const guint tiles = (guint) gpu_schedule_tiles(schedule, w);
        g_autofree guint *order = g_new(guint, tiles + 1);

        for (guint i = 0; i < tiles; i++) {
            const guint other = (guint) g_rand_int_range(random, 0, (gint32) i + 1);

            order[i] = order[other];
            order[other] = i;
        }
        for (guint i = 0; i < tiles; i++) {
            gpu_schedule_visit_tile(schedule, w, order[i], update, &run);
        }
    }
}

static void every_schedule_has_the_bits_of_the_loop_nest(void **state G_GNUC_UNUSED)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);

    for (guint i = 0; i < CASES; i++) {
        const ScheduleCase tested = schedule_case_random(
            random, i % 2 == 0 ? GPU_SCHEDULE_HYBRID : (GpuScheduleShape) (i / 2 % 5));
        const bool keeps_all = tested.setting.shape == GPU_SCHEDULE_ORTHOGONAL;
        g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
        g_autofree double *initial = random_initial(random, &tested.problem);
        Stencil stencil;

        make_stencil(&stencil, random, schedule);
        g_autofree double *plain = run_plainly(&stencil, &tested.problem, initial);
        g_autoptr(GpuField) ordered =
            gpu_field_new(&tested.problem, initial, keeps_all, NULL);
        g_autoptr(GpuField) shuffled =
            gpu_field_new(&tested.problem, initial, keeps_all, NULL);
        g_autoptr(GpuField) swept = gpu_field_new(&tested.problem, initial, true, NULL);

        assert_true(gpu_field_run(ordered, &stencil.recurrence, schedule, NULL));
        run_shuffled(shuffled, &stencil.recurrence, schedule, random);
        gpu_field_sweep(swept, &stencil.recurrence);
        assert_bits(ordered, plain, &tested);
        assert_bits(shuffled, plain, &tested);
        assert_bits(swept, plain, &tested);
    }
}

/* (B.3.3): 0.2 of five points, and (B.3.2): a third of three. */
static void jacobi_is_the_mean_of_neighbours(void **state G_GNUC_UNUSED)
{
    static const double line[] = {3, 6, 9, 12};
    static const double plane[3][3] = {{0, 5, 0}, {10, 15, 20}, {0, 25, 0}};
    const GpuTilingProblem problem = {.dimension = 1, .space = {2}, .steps = 1};
    const GpuTilingProblem square = {.dimension = 2, .space = {1, 1}, .steps = 1};
    g_autoptr(GpuField) field = gpu_field_new(&problem, line, false, NULL);
    g_autoptr(GpuField) flat = gpu_field_new(&square, plane[0], false, NULL);
    GpuRecurrence jacobi;

    gpu_recurrence_jacobi(1, &jacobi);
    gpu_field_sweep(field, &jacobi);
    assert_float_equal(gpu_field_step(field, 0)[1], 6, 1e-6);
    assert_float_equal(gpu_field_step(field, 0)[2], 9, 1e-6);
    gpu_recurrence_jacobi(2, &jacobi);
    gpu_field_sweep(flat, &jacobi);
    assert_float_equal(gpu_field_step(flat, 0)[4], 15, 1e-6);
}

/* Two sequences; a score of 2 for the same letter, -1 for another, -1 for a gap. */
typedef struct {
    const char *across;
    const char *along;
} Pair;

static double
score(guint term, uint64_t step, const uint64_t *place, gconstpointer data)
{
    const Pair *pair = data;

    if (term != 1) {
        return -1;
    }
    return pair->across[place[0]] == pair->along[step] ? 2 : -1;
}

static GpuRecurrence alignment_of(const Pair *pair)
{
    static const GpuRecurrenceTerm terms[] = {
        {.need = {.step = 0, .space = {-1}}},
        {.need = {.step = -1, .space = {-1}}},
        {.need = {.step = -1, .space = {0}}},
    };

    return (GpuRecurrence){
        .semiring = GPU_MAX_PLUS,
        .terms = terms,
        .term_count = G_N_ELEMENTS(terms),
        .constant = 0,
        .weight = score,
        .data = pair,
    };
}

static double best_of(const GpuField *field, uint64_t steps)
{
    double best = 0;

    for (uint64_t step = 0; step < steps; step++) {
        for (gsize i = 0; i < gpu_field_layer(field); i++) {
            best = MAX(best, gpu_field_step(field, (int64_t) step)[i]);
        }
    }
    return best;
}

/* The table of TGTTACGG and GGTTGACTA has a best score of 8 with these scores, GTT-AC
 * against GTTGAC: five letters and a gap are 9. */
static void smith_waterman_finds_the_best_alignment(void **state G_GNUC_UNUSED)
{
    const Pair pair = {"TGTTACGG", "GGTTGACTA"};
    const GpuRecurrence alignment = alignment_of(&pair);
    const double zeros[8 + 2] = {0};
    ScheduleCase tested = schedule_case_of(8, 0, 0, 9);

    tested.setting.shape = GPU_SCHEDULE_ORTHOGONAL;
    schedule_case_tile(&tested, 3, 0, 0, 2);
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
    g_autoptr(GpuField) field = gpu_field_new(&tested.problem, zeros, true, NULL);

    assert_true(gpu_field_run(field, &alignment, schedule, NULL));
    assert_true(best_of(field, 9) == 9);
}

/* The recurrence of B.3.1 on a table, as it is printed. */
static void align_plainly(const Pair *pair, double *table, gsize across, gsize along)
{
    for (gsize t = 1; t <= along; t++) {
        for (gsize i = 1; i <= across; i++) {
            const double *before = table + (t - 1) * (across + 1);
            double *now = table + t * (across + 1);
            const double same = pair->across[i - 1] == pair->along[t - 1] ? 2 : -1;

            now[i] =
                MAX(MAX(0, before[i - 1] + same), MAX(before[i] - 1, now[i - 1] - 1));
        }
    }
}

static char *random_letters(GRand *random, gsize count)
{
    char *letters = g_new0(char, count + 1);

    for (gsize i = 0; i < count; i++) {
        letters[i] = "ACGT"[g_rand_int_range(random, 0, 4)];
    }
    return letters;
}

static void
assert_table(const GpuField *field, const double *table, gsize across, gsize along)
{
    for (gsize t = 0; t < along; t++) {
        assert_memory_equal(gpu_field_step(field, (int64_t) t) + 1,
                            table + (t + 1) * (across + 1) + 1, across * sizeof *table);
    }
}

static void
smith_waterman_by_tiles_has_the_table_of_the_recurrence(void **state G_GNUC_UNUSED)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);

    for (guint i = 0; i < CASES / 2; i++) {
        const ScheduleCase tested =
            schedule_case_random(random, GPU_SCHEDULE_ORTHOGONAL);
        const gsize across = tested.problem.space[0];
        const gsize along = tested.problem.steps;
        g_autofree char *one = random_letters(random, across);
        g_autofree char *other = random_letters(random, along);
        const Pair pair = {one, other};
        const GpuRecurrence alignment = alignment_of(&pair);
        g_autofree double *zeros = g_new0(double, across + 2);
        g_autofree double *table = g_new0(double, (across + 1) * (along + 1));
        g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
        g_autoptr(GpuField) field = gpu_field_new(&tested.problem, zeros, true, NULL);

        align_plainly(&pair, table, across, along);
        run_shuffled(field, &alignment, schedule, random);
        assert_table(field, table, across, along);
    }
}

/* Gauss-Seidel by time skewing: values of the same step. */
static void leaning_tiles_take_values_of_the_same_step(void **state G_GNUC_UNUSED)
{
    static const GpuRecurrenceTerm terms[] = {{{0, {-1, 0, 0}}, 0.25},
                                              {{0, {0, -1, 0}}, 0.25},
                                              {{-1, {0, 1, 0}}, 0.25},
                                              {{-1, {1, 0, 0}}, 0.25}};
    const GpuRecurrence seidel = {GPU_PLUS_TIMES, terms, 4, 0, NULL, NULL};
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    ScheduleCase tested = schedule_case_of(13, 11, 0, 9);

    tested.setting.shape = GPU_SCHEDULE_SKEWED;
    schedule_case_tile(&tested, 4, 3, 0, 4);
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
    g_autofree double *initial = random_initial(random, &tested.problem);
    g_autoptr(GpuField) field = gpu_field_new(&tested.problem, initial, true, NULL);
    g_autoptr(GpuField) swept = gpu_field_new(&tested.problem, initial, true, NULL);

    assert_true(gpu_field_run(field, &seidel, schedule, NULL));
    gpu_field_sweep(swept, &seidel);
    assert_bits(field, gpu_field_step(swept, 8), &tested);
}

static void what_does_not_fit_is_refused(void **state G_GNUC_UNUSED)
{
    const Pair pair = {"A", "A"};
    const GpuRecurrence alignment = alignment_of(&pair);
    const double zeros[3] = {0};
    const GpuTilingProblem huge = {
        .dimension = 3, .space = {G_MAXUINT64, G_MAXUINT64, 3}, .steps = 2};
    const GpuTilingProblem longest = {
        .dimension = 1, .space = {1}, .steps = G_MAXUINT64};
    const GpuTilingProblem none = {.dimension = 1, .space = {0}, .steps = 1};
    ScheduleCase tested = schedule_case_of(1, 0, 0, 1);
    g_autoptr(GError) error = NULL;

    schedule_case_tile(&tested, 1, 0, 0, 2);
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(&tested);
    g_autoptr(GpuField) field = gpu_field_new(&tested.problem, zeros, true, NULL);

    assert_false(gpu_field_run(field, &alignment, schedule, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_null(gpu_field_new(&huge, zeros, false, NULL));
    assert_null(gpu_field_new(&longest, zeros, true, NULL));
    assert_null(gpu_field_new(&none, zeros, true, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_schedule_has_the_bits_of_the_loop_nest),
        cmocka_unit_test(jacobi_is_the_mean_of_neighbours),
        cmocka_unit_test(smith_waterman_finds_the_best_alignment),
        cmocka_unit_test(smith_waterman_by_tiles_has_the_table_of_the_recurrence),
        cmocka_unit_test(leaning_tiles_take_values_of_the_same_step),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests_name("arch.gpu_recurrence", tests, NULL, NULL);
}
