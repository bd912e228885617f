/* References of the solver: what scripts ask for, and the chip's own order. */
#include <math.h>

#include <lauxlib.h>

#include "sim/pages.h"
#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_array.h"
#include "workloads/reference/double.h"
#include "workloads/reference/grid.h"
#include "workloads/reference/methods.h"
#include "workloads/reference/solver.h"
#include "workloads/reference/wanted.h"
#include "workloads/sandbox/arguments.h"

enum {
    MOST = 65535, /* of anything that is counted here */
};

typedef struct {
    ReferenceGrid grid;
    NumberFormat format;
    guint fidelity;
    guint iterations;
    double tolerance;
    const HostBytes *start;    /* NULL: 0 */
    const HostBytes *diagonal; /* NULL: 6 */
} Problem;

static Problem check_problem(lua_State *L, const HostBytes *bytes)
{
    Problem problem = {0};
    ReferenceGrid *grid = &problem.grid;

    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_getfield(L, 2, "format");
    problem.format = number_format_check_unit(L, 3);
    lua_settop(L, 2);
    grid->across = arguments_count(L, 2, "across", -1, MOST);
    grid->down = arguments_count(L, 2, "down", -1, MOST);
    grid->layers = arguments_count(L, 2, "layers", -1, MOST);
    grid->lines =
        arguments_count(L, 2, "lines", (gint64) grid->down * REFERENCE_LINES, MOST);
    grid->numbers =
        arguments_count(L, 2, "numbers", (gint64) grid->across * REFERENCE_LINE, MOST);
    luaL_argcheck(L, grid->lines <= grid->down * REFERENCE_LINES, 2,
                  "more lines than the cores have");
    luaL_argcheck(L, grid->numbers <= grid->across * REFERENCE_LINE, 2,
                  "more numbers than the cores have");
    grid->core_across = arguments_count(L, 2, "core_across", 1, MOST);
    grid->core_down = arguments_count(L, 2, "core_down", 1, MOST);
    luaL_argcheck(
        L, grid->across % grid->core_across == 0 && grid->down % grid->core_down == 0,
        2, "the columns of a core do not divide those of the grid");
    grid->order = "cnsweud";
    problem.fidelity = arguments_count(L, 2, "fidelity", 4, MOST);
    luaL_argcheck(L, problem.fidelity <= 4, 2, "fidelity is 1 to 4");
    luaL_argcheck(L,
                  bytes->count ==
                      reference_grid_count(grid) * number_format_bytes(problem.format),
                  1, "the buffer is not as large as the grid");
    problem.diagonal = reference_solver_buffer(L, "diagonal", bytes);
    return problem;
}

static float *floats_of(const Problem *problem, const HostBytes *bytes)
{
    const gsize count = reference_grid_count(&problem->grid);
    float *vector = sim_pages_large(g_new(float, count), count * sizeof(float));

    number_array_get_floats(problem->format, vector, bytes->data, 0, count);
    reference_grid_mask(&problem->grid, vector);
    return vector;
}

/* Gives the grid its diagonal, which the caller frees; NULL: it has none of its own. */
static float *read_diagonal(Problem *problem)
{
    float *diagonal =
        problem->diagonal != NULL ? floats_of(problem, problem->diagonal) : NULL;

    problem->grid.diagonal = diagonal;
    return diagonal;
}

static void put_floats(const Problem *problem, HostBytes *bytes, const float *vector)
{
    number_array_put_floats(problem->format, bytes->data, 0, vector,
                            reference_grid_count(&problem->grid));
}

int reference_masked(lua_State *L)
{
    const HostBytes *bytes = host_bytes_check(L, 1);
    const Problem problem = check_problem(L, bytes);
    HostBytes *result = host_bytes_push(L, bytes->count, bytes->data != NULL);

    if (bytes->data != NULL) {
        g_autofree float *inside = floats_of(&problem, bytes);

        put_floats(&problem, result, inside);
    }
    return 1;
}

int reference_laplacian(lua_State *L)
{
    const HostBytes *bytes = host_bytes_check(L, 1);
    Problem problem = check_problem(L, bytes);
    HostBytes *result = host_bytes_push(L, bytes->count, bytes->data != NULL);

    if (bytes->data != NULL) {
        g_autofree float *diagonal = read_diagonal(&problem);
        g_autoptr(ReferenceUnits) units =
            reference_units_new(problem.format, problem.fidelity);
        g_autofree float *from = floats_of(&problem, bytes);
        g_autofree float *to = g_new(float, reference_grid_count(&problem.grid));

        reference_grid_laplacian(&problem.grid, units, to, from);
        put_floats(&problem, result, to);
    }
    return 1;
}

/* Vectors of the solver. Its parts go over tiles, so that these stay in the host's
 * cache from one operation to the next. */
typedef struct {
    const Problem *problem;
    ReferenceUnits *units;
    gsize count; /* of each vector */
    float sixth;
    float alpha;
    float *x;
    float *r;
    float *p;
    float *minus; /* p * -1 */
    float *q;     /* and z, when q is not needed any more */
} Solver;

/* to = a + factor * b: a product and a sum, each rounded. */
static void
update(const Solver *self, float *to, const float *a, float factor, const float *b)
{
    float scaled[REFERENCE_TILE];

    reference_units_scale(self->units, scaled, b, factor, REFERENCE_TILE);
    reference_units_add(self->units, to, a, scaled, REFERENCE_TILE);
}

static float
dot(const Solver *self, const float *a, const float *b, ReferenceMake *make)
{
    const ReferencePair pair = {a, b, make, self};

    return reference_grid_dot(&self->problem->grid, self->units, &pair);
}

static void negate(const Solver *self, gsize at)
{
    reference_units_scale(self->units, self->minus + at, self->p + at, -1,
                          REFERENCE_TILE);
}

/* z = r / 6 */
static void precondition(gconstpointer data, gsize at)
{
    const Solver *self = data;

    reference_units_scale(self->units, self->q + at, self->r + at, self->sixth,
                          REFERENCE_TILE);
}

/* p = z = r / 6 */
static void begin(gconstpointer data, gsize at)
{
    const Solver *self = data;

    precondition(self, at);
    memcpy(self->p + at, self->q + at, REFERENCE_TILE * sizeof *self->p);
    negate(self, at);
}

/* q = A p */
static void multiply(gconstpointer data, gsize at)
{
    const Solver *self = data;
    const ReferenceProduct vectors = {self->q, self->p, self->minus};

    reference_grid_laplacian_tile(&self->problem->grid, self->units, &vectors, at);
}

/* x = x + alpha * p, r = r - alpha * q */
static void step(gconstpointer data, gsize at)
{
    const Solver *self = data;
    float scaled[REFERENCE_TILE];
    float *r = self->r + at;

    update(self, self->x + at, self->x + at, self->alpha, self->p + at);
    reference_units_scale(self->units, scaled, self->q + at, self->alpha,
                          REFERENCE_TILE);
    reference_units_subtract(self->units, r, r, scaled, REFERENCE_TILE);
}

/* p = z + beta * p */
static void turn(const Solver *self, float beta)
{
    for (gsize at = 0; at < self->count; at += REFERENCE_TILE) {
        update(self, self->p + at, self->q + at, beta, self->p + at);
        negate(self, at);
    }
}

/* 1 / 6 in the format. */
static float sixth_of(const Problem *problem)
{
    guint8 bytes[sizeof(float)];

    number_format_put(problem->format, bytes, 0, 1.0 / 6);
    return (float) number_format_get(problem->format, bytes, 0);
}

static bool goes_on(const Problem *problem, guint done, const double *norms)
{
    return done < problem->iterations && reference_is_wanted() &&
           !(norms[done] <= problem->tolerance);
}

/* Returns how many iterations were made. */
static guint solve(Solver *self, double *norms)
{
    const Problem *problem = self->problem;
    guint done = 0;
    float delta = dot(self, self->r, self->q, begin);

    norms[0] = sqrt((double) dot(self, self->r, self->r, NULL));
    while (goes_on(problem, done, norms)) {
        self->alpha = reference_units_quotient(self->units, delta,
                                               dot(self, self->p, self->q, multiply));
        norms[++done] = sqrt((double) dot(self, self->r, self->r, step));
        if (goes_on(problem, done, norms)) {
            const float after = dot(self, self->r, self->q, precondition);

            turn(self, reference_units_quotient(self->units, after, delta));
            delta = after;
        }
    }
    return done;
}

static guint
solve_as_chip(const Problem *problem, const HostBytes *b, HostBytes *x, double *norms)
{
    g_autoptr(ReferenceUnits) units =
        reference_units_new(problem->format, problem->fidelity);
    const gsize count = reference_grid_count(&problem->grid);
    g_autofree float *r = floats_of(problem, b);
    g_autofree float *others =
        sim_pages_large(g_new0(float, 4 * count), 4 * count * sizeof(float));
    Solver solver = {.problem = problem,
                     .units = units,
                     .count = count,
                     .sixth = sixth_of(problem),
                     .x = others,
                     .r = r,
                     .p = others + count,
                     .minus = others + 2 * count,
                     .q = others + 3 * count};
    guint done;

    if (problem->start != NULL) {
        g_autofree float *start = floats_of(problem, problem->start);

        memcpy(solver.x, start, count * sizeof *start);
    }
    done = solve(&solver, norms);
    put_floats(problem, x, solver.x);
    return done;
}

static guint
solve_exactly(const Problem *problem, const HostBytes *b, HostBytes *x, double *norms)
{
    const ReferenceSystem system = {&problem->grid, problem->format, b->data};

    return reference_double_pcg(
        &system, problem->start != NULL ? problem->start->data : NULL,
        problem->iterations, problem->tolerance, x->data, norms);
}

int reference_pcg(lua_State *L)
{
    static const char *const arithmetics[] = {"chip", "double", NULL};
    static const char *const granularities[] = {"tile", "scalar", NULL};
    const HostBytes *b = host_bytes_check(L, 1);
    Problem problem = check_problem(L, b);
    const guint cores = reference_grid_cores(&problem.grid);
    const bool is_exact = reference_solver_choice(L, "arithmetic", arithmetics) == 1;
    HostBytes *x;
    double *norms;
    guint done = 0;

    problem.iterations = arguments_count(L, 2, "iterations", -1, MOST);
    problem.grid.is_by_tile =
        reference_solver_choice(L, "granularity", granularities) == 0;
    problem.tolerance = reference_solver_tolerance(L);
    problem.grid.merges = reference_solver_merges(L, cores, "core");
    problem.grid.merge_count = cores - 1;
    problem.start = reference_solver_buffer(L, "start", b);
    norms = reference_solver_norms(L, problem.iterations);
    x = host_bytes_push(L, b->count, b->data != NULL);
    if (b->data != NULL) {
        g_autofree float *diagonal = read_diagonal(&problem);

        done = is_exact ? solve_exactly(&problem, b, x, norms)
                        : solve_as_chip(&problem, b, x, norms);
    }
    reference_solver_insert_norms(L, norms, done);
    return 2;
}

int reference_residual(lua_State *L)
{
    const HostBytes *b = host_bytes_check(L, 1);
    Problem problem = check_problem(L, b);
    const HostBytes *x = reference_solver_x(L, b);
    HostBytes *vector = reference_solver_residual(L, b);
    double norm = 0;

    if (b->data != NULL && x->data != NULL) {
        g_autofree float *diagonal = read_diagonal(&problem);
        const ReferenceSystem system = {&problem.grid, problem.format, b->data};

        norm = reference_double_residual(&system, x->data,
                                         vector != NULL ? vector->data : NULL);
    }
    lua_pushnumber(L, norm);
    lua_insert(L, -2);
    return 2;
}
