/* References of solvers: what scripts ask for. */
#include "workloads/script/reference_wafer.h"

#include <math.h>

#include <lauxlib.h>

#include "workloads/script/bytes.h"
#include "workloads/script/number_format.h"
#include "workloads/script/reference_krylov.h"

enum {
    MOST = 65535,
    MOST_ITERATIONS = 10000000,
};

typedef struct {
    ReferenceColumns columns;
    ReferenceKrylov krylov; /* points at `columns` once that stays where it is */
    NumberFormat format;
    bool is_pcg;
} Problem;

/* An integer of the table at index 2. */
static guint check_integer(lua_State *L, const char *name, lua_Integer most)
{
    int is_integer = 0;
    lua_Integer value;

    lua_getfield(L, 2, name);
    value = lua_tointegerx(L, -1, &is_integer);
    lua_pop(L, 1);
    if (is_integer == 0 || value < 1 || value > most) {
        luaL_error(L, "%s: expected an integer of 1 to %I", name, (LUAI_UACINT) most);
    }
    return (guint) value;
}

/* Which of the names a field of the table at index 2 has. */
static int check_choice(lua_State *L, const char *name, const char *const names[])
{
    lua_getfield(L, 2, name);
    const int which = luaL_checkoption(L, -1, names[0], names);

    lua_pop(L, 1);
    return which;
}

static double rounded(NumberFormat format, double value)
{
    guint8 bytes[sizeof(double)];

    number_format_put(format, bytes, 0, value);
    return number_format_get(format, bytes, 0);
}

/* The list in field "coefficients"; all 0 where there is none. */
static void check_coefficients(lua_State *L, Problem *problem)
{
    if (lua_getfield(L, 2, "coefficients") == LUA_TTABLE) {
        for (guint i = 0; i < REFERENCE_NEIGHBOURS; i++) {
            lua_rawgeti(L, -1, (lua_Integer) i + 1);
            problem->krylov.coefficients[i] =
                rounded(problem->format, luaL_checknumber(L, -1));
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
}

/* All but what only solvers need. */
static Problem check_problem(lua_State *L, const HostBytes *bytes)
{
    static const char *const methods[] = {"pcg", "bicgstab", NULL};
    static const char *const formats[] = {"fp32", "fp16", NULL};
    static const char *const arithmetics[] = {"chip", "double", NULL};
    Problem problem = {.krylov = {.tolerance = -1}};
    ReferenceColumns *columns = &problem.columns;

    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    problem.is_pcg = check_choice(L, "method", methods) == 0;
    problem.format =
        check_choice(L, "format", formats) == 0 ? NUMBER_FP32 : NUMBER_FP16;
    columns->columns = check_integer(L, "columns", MOST);
    columns->rows = check_integer(L, "rows", MOST);
    columns->layers = check_integer(L, "layers", MOST);
    columns->arithmetic =
        problem.format == NUMBER_FP32 ? REFERENCE_SINGLE : REFERENCE_MIXED;
    if (check_choice(L, "arithmetic", arithmetics) == 1) {
        columns->arithmetic = REFERENCE_DOUBLE;
    }
    check_coefficients(L, &problem);
    luaL_argcheck(L,
                  bytes->count == reference_columns_count(columns) *
                                      number_format_bytes(problem.format),
                  1, "the buffer is not as large as the grid");
    return problem;
}

/* The list of PEs in field "merges", kept by a userdata on top of the stack. */
static void check_merges(lua_State *L, ReferenceColumns *columns)
{
    const lua_Integer pes = (lua_Integer) columns->columns * columns->rows;
    guint *merges;

    lua_getfield(L, 2, "merges");
    const lua_Unsigned count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;

    luaL_argcheck(L, count == 2 * ((lua_Unsigned) pes - 1), 2,
                  "merges: two PEs for each but one");
    merges = lua_newuserdatauv(L, (size_t) (count + 1) * sizeof *merges, 0);
    for (lua_Unsigned i = 0; i < count; i++) {
        lua_rawgeti(L, -2, (lua_Integer) i + 1);
        const lua_Integer pe = lua_tointeger(L, -1);

        luaL_argcheck(L, pe >= 0 && pe < pes, 2, "merges: no such PE");
        merges[i] = (guint) pe;
        lua_pop(L, 1);
    }
    lua_remove(L, -2);
    columns->merges = merges;
    columns->merge_count = (guint) count / 2;
}

static double *doubles_of(const Problem *problem, const HostBytes *bytes)
{
    const gsize count = reference_columns_count(&problem->columns);
    double *vector = g_new(double, count);

    for (gsize i = 0; i < count; i++) {
        vector[i] = number_format_get(problem->format, bytes->data, i);
    }
    return vector;
}

/* Squares become norms. */
static guint solve(Problem *problem, const HostBytes *b, HostBytes *x, double *norms)
{
    const gsize count = reference_columns_count(&problem->columns);
    g_autofree double *given = doubles_of(problem, b);
    g_autofree double *solution = g_new(double, count);
    guint done;

    problem->krylov.columns = &problem->columns;
    problem->krylov.b = given;
    done = problem->is_pcg
               ? reference_krylov_pcg(&problem->krylov, solution, norms)
               : reference_krylov_bicgstab(&problem->krylov, solution, norms);
    for (guint i = 0; i <= done; i++) {
        norms[i] = sqrt(norms[i]);
    }
    for (gsize i = 0; i < count; i++) {
        number_format_put(problem->format, x->data, i, solution[i]);
    }
    return done;
}

int reference_krylov(lua_State *L)
{
    const HostBytes *b = host_bytes_check(L, 1);
    Problem problem = check_problem(L, b);
    HostBytes *x;
    double *norms;
    guint done = 0;

    problem.krylov.iterations = check_integer(L, "iterations", MOST_ITERATIONS);
    if (lua_getfield(L, 2, "tolerance") != LUA_TNIL) {
        problem.krylov.tolerance = luaL_checknumber(L, -1);
    }
    lua_pop(L, 1);
    check_merges(L, &problem.columns);
    norms = lua_newuserdatauv(L, (problem.krylov.iterations + 1U) * sizeof *norms, 0);
    norms[0] = 0;
    x = host_bytes_push(L, b->count, b->data != NULL);
    if (b->data != NULL) {
        done = solve(&problem, b, x, norms);
    }
    lua_createtable(L, (int) done, 1);
    for (guint i = 0; i <= done; i++) {
        lua_pushnumber(L, norms[i]);
        lua_rawseti(L, -2, i);
    }
    lua_insert(L, -2);
    return 2;
}

int reference_krylov_norm(lua_State *L)
{
    const HostBytes *b = host_bytes_check(L, 1);
    Problem problem = check_problem(L, b);
    const HostBytes *x;
    double norm = 0;

    lua_getfield(L, 2, "x");
    x = host_bytes_check(L, -1);
    luaL_argcheck(L, x->count == b->count, 2, "x differs from the buffer in length");
    if (b->data != NULL && x->data != NULL) {
        g_autofree double *given = doubles_of(&problem, b);
        g_autofree double *solution = doubles_of(&problem, x);

        problem.krylov.columns = &problem.columns;
        problem.krylov.b = given;
        norm = reference_krylov_residual(&problem.krylov, solution, problem.is_pcg);
    }
    lua_pushnumber(L, norm);
    return 1;
}
