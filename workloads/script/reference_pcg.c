/* References of the solver: what scripts ask for, and the chip's own order. */
#include "workloads/script/reference_pcg.h"

#include <math.h>

#include <lauxlib.h>

#include "workloads/script/bytes.h"
#include "workloads/script/reference_double.h"
#include "workloads/script/reference_grid.h"

enum {
    MOST = 65535, /* of anything that is counted here */
};

static const double no_tolerance = -1;

typedef struct {
    ReferenceGrid grid;
    NumberFormat format;
    guint fidelity;
    guint iterations;
    double tolerance;
} Problem;

/* A field of the table at index 2. */
static guint check_field(lua_State *L, const char *name, lua_Integer otherwise)
{
    lua_Integer value = otherwise;
    int is_integer = 1;

    if (lua_getfield(L, 2, name) != LUA_TNIL) {
        value = lua_tointegerx(L, -1, &is_integer);
    }
    lua_pop(L, 1);
    if (is_integer == 0 || value < 1 || value > MOST) {
        luaL_error(L, "%s: expected an integer of 1 to %d", name, MOST);
    }
    return (guint) value;
}

static Problem check_problem(lua_State *L, const HostBytes *bytes)
{
    Problem problem = {.tolerance = no_tolerance};
    ReferenceGrid *grid = &problem.grid;

    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_getfield(L, 2, "format");
    problem.format = number_format_check_unit(L, 3);
    lua_settop(L, 2);
    grid->across = check_field(L, "across", 0);
    grid->down = check_field(L, "down", 0);
    grid->layers = check_field(L, "layers", 0);
    grid->lines = check_field(L, "lines", (lua_Integer) grid->down * REFERENCE_LINES);
    grid->numbers =
        check_field(L, "numbers", (lua_Integer) grid->across * REFERENCE_LINE);
    luaL_argcheck(L, grid->lines <= grid->down * REFERENCE_LINES, 2,
                  "more lines than the cores have");
    luaL_argcheck(L, grid->numbers <= grid->across * REFERENCE_LINE, 2,
                  "more numbers than the cores have");
    grid->order = "cnsweud";
    problem.fidelity = check_field(L, "fidelity", 4);
    luaL_argcheck(L, problem.fidelity <= 4, 2, "fidelity is 1 to 4");
    luaL_argcheck(L,
                  bytes->count ==
                      reference_grid_count(grid) * number_format_bytes(problem.format),
                  1, "the buffer is not as large as the grid");
    return problem;
}

/* The list of cores in field "merges", kept by a userdata on top of the stack. */
static void check_merges(lua_State *L, ReferenceGrid *grid)
{
    const guint cores = grid->across * grid->down;
    guint *merges;

    lua_getfield(L, 2, "merges");
    lua_Unsigned count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    luaL_argcheck(L, count == 2 * ((lua_Unsigned) cores - 1), 2,
                  "merges: two cores for each but one");
    merges = lua_newuserdatauv(L, (size_t) (count + 1) * sizeof *merges, 0);
    for (lua_Unsigned i = 0; i < count; i++) {
        lua_rawgeti(L, -2, (lua_Integer) i + 1);
        lua_Integer core = lua_tointeger(L, -1);

        luaL_argcheck(L, core >= 0 && core < cores, 2, "merges: no such core");
        merges[i] = (guint) core;
        lua_pop(L, 1);
    }
    lua_remove(L, -2);
    grid->merges = merges;
    grid->merge_count = (guint) count / 2;
}

static float *floats_of(const Problem *problem, const HostBytes *bytes)
{
    const gsize count = reference_grid_count(&problem->grid);
    float *vector = g_new(float, count);

    for (gsize i = 0; i < count; i++) {
        vector[i] = (float) number_format_get(problem->format, bytes->data, i);
    }
    reference_grid_mask(&problem->grid, vector);
    return vector;
}

static void put_floats(const Problem *problem, HostBytes *bytes, const float *vector)
{
    for (gsize i = 0; i < reference_grid_count(&problem->grid); i++) {
        number_format_put(problem->format, bytes->data, i, (double) vector[i]);
    }
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
    const Problem problem = check_problem(L, bytes);
    HostBytes *result = host_bytes_push(L, bytes->count, bytes->data != NULL);

    if (bytes->data != NULL) {
        g_autoptr(ReferenceUnits) units =
            reference_units_new(problem.format, problem.fidelity);
        g_autofree float *from = floats_of(&problem, bytes);
        g_autofree float *to = g_new(float, reference_grid_count(&problem.grid));

        reference_grid_laplacian(&problem.grid, units, to, from);
        put_floats(&problem, result, to);
    }
    return 1;
}

/* Vectors of the solver, all with `count` numbers. */
typedef struct {
    const Problem *problem;
    ReferenceUnits *units;
    gsize count;
    float *x;
    float *r;
    float *p;
    float *q; /* and z, when q is not needed any more */
    float *scratch;
} Solver;

/* to = a + factor * b, or less it: a product and a sum, each rounded. */
static void
update(const Solver *self, float *to, const float *a, float factor, const float *b)
{
    reference_units_scale(self->units, self->scratch, b, factor, self->count);
    reference_units_add(self->units, to, a, self->scratch, self->count);
}

static float dot(const Solver *self, const float *a, const float *b)
{
    return reference_grid_dot(&self->problem->grid, self->units, a, b);
}

/* r = r - alpha * q */
static void lessen_residual(const Solver *self, float alpha)
{
    reference_units_scale(self->units, self->scratch, self->q, alpha, self->count);
    reference_units_subtract(self->units, self->r, self->r, self->scratch, self->count);
}

static void precondition(const Solver *self)
{
    guint8 bytes[sizeof(float)];

    number_format_put(self->problem->format, bytes, 0, 1.0 / 6);
    reference_units_scale(self->units, self->q, self->r,
                          (float) number_format_get(self->problem->format, bytes, 0),
                          self->count);
}

/* Returns how many iterations were made. */
static guint solve(const Solver *self, double *norms)
{
    const Problem *problem = self->problem;
    guint done = 0;
    float delta;

    precondition(self);
    memcpy(self->p, self->q, self->count * sizeof *self->p);
    delta = dot(self, self->r, self->q);
    norms[0] = sqrt((double) dot(self, self->r, self->r));
    while (done < problem->iterations && !(norms[done] <= problem->tolerance)) {
        reference_grid_laplacian(&problem->grid, self->units, self->q, self->p);
        const float alpha =
            reference_units_quotient(self->units, delta, dot(self, self->p, self->q));

        update(self, self->x, self->x, alpha, self->p);
        lessen_residual(self, alpha);
        norms[++done] = sqrt((double) dot(self, self->r, self->r));
        precondition(self);
        const float after = dot(self, self->r, self->q);

        update(self, self->p, self->q,
               reference_units_quotient(self->units, after, delta), self->p);
        delta = after;
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
    g_autofree float *others = g_new0(float, 4 * count);
    const Solver solver = {.problem = problem,
                           .units = units,
                           .count = count,
                           .x = others,
                           .r = r,
                           .p = others + count,
                           .q = others + 2 * count,
                           .scratch = others + 3 * count};
    const guint done = solve(&solver, norms);

    put_floats(problem, x, solver.x);
    return done;
}

static double *doubles_of(const Problem *problem, const HostBytes *bytes)
{
    const gsize count = reference_grid_count(&problem->grid);
    double *vector = g_new(double, count);

    for (gsize i = 0; i < count; i++) {
        vector[i] = number_format_get(problem->format, bytes->data, i);
    }
    return vector;
}

static guint
solve_exactly(const Problem *problem, const HostBytes *b, HostBytes *x, double *norms)
{
    const gsize count = reference_grid_count(&problem->grid);
    g_autofree double *given = doubles_of(problem, b);
    g_autofree double *solution = g_new0(double, count);
    const guint done = reference_double_pcg(&problem->grid, problem->iterations,
                                            problem->tolerance, given, solution, norms);

    for (gsize i = 0; i < count; i++) {
        number_format_put(problem->format, x->data, i, solution[i]);
    }
    return done;
}

static bool is_double(lua_State *L)
{
    static const char *const names[] = {"chip", "double", NULL};

    lua_getfield(L, 2, "arithmetic");
    const int which = luaL_checkoption(L, -1, "chip", names);

    lua_pop(L, 1);
    return which == 1;
}

static bool is_by_tile(lua_State *L)
{
    static const char *const names[] = {"scalar", "tile", NULL};

    lua_getfield(L, 2, "granularity");
    const int which = luaL_checkoption(L, -1, "tile", names);

    lua_pop(L, 1);
    return which == 1;
}

int reference_pcg(lua_State *L)
{
    const HostBytes *b = host_bytes_check(L, 1);
    Problem problem = check_problem(L, b);
    const bool is_exact = is_double(L);
    HostBytes *x;
    double *norms;
    guint done = 0;

    problem.iterations = check_field(L, "iterations", 0);
    problem.grid.is_by_tile = is_by_tile(L);
    if (lua_getfield(L, 2, "tolerance") != LUA_TNIL) {
        problem.tolerance = luaL_checknumber(L, -1);
    }
    lua_pop(L, 1);
    check_merges(L, &problem.grid);
    norms = lua_newuserdatauv(L, (problem.iterations + 1U) * sizeof *norms, 0);
    norms[0] = 0;
    x = host_bytes_push(L, b->count, b->data != NULL);
    if (b->data != NULL) {
        done = is_exact ? solve_exactly(&problem, b, x, norms)
                        : solve_as_chip(&problem, b, x, norms);
    }
    lua_createtable(L, (int) done, 1);
    for (guint i = 0; i <= done; i++) {
        lua_pushnumber(L, norms[i]);
        lua_rawseti(L, -2, i);
    }
    lua_insert(L, -2);
    return 2;
}

int reference_residual(lua_State *L)
{
    const HostBytes *b = host_bytes_check(L, 1);
    const Problem problem = check_problem(L, b);
    const HostBytes *x;
    double norm = 0;

    lua_getfield(L, 2, "x");
    x = host_bytes_check(L, 3);
    luaL_argcheck(L, x->count == b->count, 2, "x differs from the buffer in length");
    if (b->data != NULL && x->data != NULL) {
        g_autofree double *given = doubles_of(&problem, b);
        g_autofree double *solution = doubles_of(&problem, x);

        norm = reference_double_residual(&problem.grid, given, solution);
    }
    lua_pushnumber(L, norm);
    return 1;
}
