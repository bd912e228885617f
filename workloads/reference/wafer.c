/* Parses what scripts ask of reference solvers on wafers. */
#include <math.h>

#include <lauxlib.h>

#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_format.h"
#include "workloads/reference/krylov.h"
#include "workloads/reference/methods.h"
#include "workloads/reference/solver.h"
#include "workloads/sandbox/arguments.h"

enum {
    MOST = 65535,
    MOST_ITERATIONS = 10000000,
};

typedef struct {
    ReferenceColumns columns;
    ReferenceKrylov krylov; /* points at `columns` once that stays where it is */
    NumberFormat format;
    const HostBytes *start;    /* NULL: 0 */
    const HostBytes *diagonal; /* NULL: 6; for pcg */
    bool is_pcg;
} Problem;

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
    Problem problem = {0};
    ReferenceColumns *columns = &problem.columns;

    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    problem.is_pcg = reference_solver_choice(L, "method", methods) == 0;
    problem.format =
        reference_solver_choice(L, "format", formats) == 0 ? NUMBER_FP32 : NUMBER_FP16;
    columns->columns = arguments_count(L, 2, "columns", -1, MOST);
    columns->rows = arguments_count(L, 2, "rows", -1, MOST);
    columns->layers = arguments_count(L, 2, "layers", -1, MOST);
    columns->arithmetic =
        problem.format == NUMBER_FP32 ? REFERENCE_SINGLE : REFERENCE_MIXED;
    if (reference_solver_choice(L, "arithmetic", arithmetics) == 1) {
        columns->arithmetic = REFERENCE_DOUBLE;
    }
    columns->is_product_rounded = arguments_flag(L, 2, "rounded_products");
    check_coefficients(L, &problem);
    luaL_argcheck(L,
                  bytes->count == reference_columns_count(columns) *
                                      number_format_bytes(problem.format),
                  1, "the buffer is not as large as the grid");
    problem.diagonal = reference_solver_buffer(L, "diagonal", bytes);
    return problem;
}

/* Gives the columns their diagonal, which the caller frees; NULL: 6. */
static double *read_diagonal(Problem *problem)
{
    double *diagonal =
        problem->diagonal != NULL
            ? reference_solver_doubles(problem->format, problem->diagonal)
            : NULL;

    problem->columns.diagonal = diagonal;
    return diagonal;
}

/* Squares become norms. */
static guint solve(Problem *problem, const HostBytes *b, HostBytes *x, double *norms)
{
    g_autofree double *diagonal = read_diagonal(problem);
    g_autofree double *given = reference_solver_doubles(problem->format, b);
    g_autofree double *solution =
        problem->start != NULL
            ? reference_solver_doubles(problem->format, problem->start)
            : g_new0(double, reference_columns_count(&problem->columns));
    guint done;

    problem->krylov.columns = &problem->columns;
    problem->krylov.b = given;
    done = problem->is_pcg
               ? reference_krylov_pcg(&problem->krylov, solution, norms)
               : reference_krylov_bicgstab(&problem->krylov, solution, norms);
    for (guint i = 0; i <= done; i++) {
        norms[i] = sqrt(norms[i]);
    }
    reference_solver_put(problem->format, x, solution);
    return done;
}

int reference_krylov(lua_State *L)
{
    const HostBytes *b = host_bytes_check(L, 1);
    Problem problem = check_problem(L, b);
    const guint pes = problem.columns.columns * problem.columns.rows;
    HostBytes *x;
    double *norms;
    guint done = 0;

    problem.krylov.iterations =
        arguments_count(L, 2, "iterations", -1, MOST_ITERATIONS);
    problem.krylov.tolerance = reference_solver_tolerance(L);
    problem.columns.merges = reference_solver_merges(L, pes, "PE");
    problem.columns.merge_count = pes - 1;
    problem.start = reference_solver_buffer(L, "start", b);
    norms = reference_solver_norms(L, problem.krylov.iterations);
    x = host_bytes_push(L, b->count, b->data != NULL);
    if (b->data != NULL) {
        done = solve(&problem, b, x, norms);
    }
    reference_solver_insert_norms(L, norms, done);
    return 2;
}

int reference_krylov_norm(lua_State *L)
{
    const HostBytes *b = host_bytes_check(L, 1);
    Problem problem = check_problem(L, b);
    const HostBytes *x = reference_solver_x(L, b);
    HostBytes *vector = reference_solver_residual(L, b);
    double norm = 0;

    if (b->data != NULL && x->data != NULL) {
        g_autofree double *diagonal = read_diagonal(&problem);
        g_autofree double *given = reference_solver_doubles(problem.format, b);
        g_autofree double *solution = reference_solver_doubles(problem.format, x);

        problem.krylov.columns = &problem.columns;
        problem.krylov.b = given;
        g_autofree double *residual =
            g_new(double, reference_columns_count(&problem.columns));

        norm = reference_krylov_residual(&problem.krylov, solution, problem.is_pcg,
                                         residual);
        if (vector != NULL) {
            reference_solver_put(problem.format, vector, residual);
        }
    }
    lua_pushnumber(L, norm);
    lua_insert(L, -2);
    return 2;
}
