/* Parses what scripts ask of the multigrid reference. */
#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_format.h"
#include "workloads/reference/methods.h"
#include "workloads/reference/multigrid.h"
#include "workloads/reference/solver.h"
#include "workloads/sandbox/arguments.h"

enum {
    MOST = 65535,
    MOST_CYCLES = 100000,
};

static const struct {
    NumberFormat format;
    Rounding rounding;
} kinds[] = {
    {NUMBER_FP32, ROUNDING_SINGLE},
    {NUMBER_FP16, ROUNDING_HALF},
    {NUMBER_BF16, ROUNDING_UPPER},
};

/* The list of numbers in a field, kept by a userdata that is left on top of the stack.
 */
static ReferenceSweeps check_sweeps(lua_State *L, const char *name)
{
    lua_getfield(L, 2, name);
    const lua_Unsigned count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    double *weights = lua_newuserdatauv(L, (size_t) (count + 1) * sizeof *weights, 0);

    for (lua_Unsigned i = 0; i < count; i++) {
        lua_rawgeti(L, -2, (lua_Integer) i + 1);
        weights[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    lua_remove(L, -2);
    return (ReferenceSweeps){.weights = weights, .count = sim_u32(count)};
}

/* Every axis of every level but the coarsest has an odd number of cells, 3 or more. */
static void check_levels(lua_State *L, const ReferenceMultigrid *problem)
{
    const guint cells[] = {problem->columns, problem->rows, problem->layers};

    for (guint axis = 0; axis < G_N_ELEMENTS(cells); axis++) {
        guint left = cells[axis];

        for (guint i = 1; i < problem->levels; i++) {
            luaL_argcheck(L, left % 2 == 1 && left >= 3, 2,
                          "the grid has fewer levels than that");
            left /= 2;
        }
    }
}

int reference_multigrid_call(lua_State *L)
{
    static const char *const formats[] = {"fp32", "fp16", "bf16", NULL};
    static const char *const arithmetics[] = {"chip", "double", NULL};
    static const char *const smoothers[] = {"weights", "red-black", NULL};
    const HostBytes *b = host_bytes_check(L, 1);

    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    const guint kind = reference_solver_choice(L, "format", formats);
    ReferenceMultigrid problem = {
        .columns = arguments_count(L, 2, "columns", -1, MOST),
        .rows = arguments_count(L, 2, "rows", -1, MOST),
        .layers = arguments_count(L, 2, "layers", -1, MOST),
        .levels = arguments_count(L, 2, "levels", -1, REFERENCE_LEVELS),
        .cycles = arguments_count(L, 2, "cycles", -1, MOST_CYCLES),
        .is_red_black = reference_solver_choice(L, "smoother", smoothers) == 1,
        .is_fused = arguments_flag(L, 2, "fused"),
        .rounding = reference_solver_choice(L, "arithmetic", arithmetics) == 1
                        ? ROUNDING_NONE
                        : kinds[kind].rounding,
    };
    const NumberFormat format = kinds[kind].format;

    luaL_argcheck(L,
                  b->count ==
                      reference_multigrid_count(&problem) * number_format_bytes(format),
                  1, "the buffer is not as large as the grid");
    check_levels(L, &problem);
    problem.before = check_sweeps(L, "before");
    problem.after = check_sweeps(L, "after");
    problem.coarsest = check_sweeps(L, "coarsest");
    const HostBytes *start = reference_solver_buffer(L, "start", b);
    double *norms = reference_solver_norms(L, problem.cycles);
    HostBytes *x = host_bytes_push(L, b->count, b->data != NULL);

    if (b->data != NULL) {
        g_autofree double *given = reference_solver_doubles(format, b);
        g_autofree double *solution =
            start != NULL ? reference_solver_doubles(format, start)
                          : g_new0(double, reference_multigrid_count(&problem));

        reference_multigrid(&problem, given, solution, norms);
        reference_solver_put(format, x, solution);
    }
    reference_solver_insert_norms(L, norms, b->data != NULL ? problem.cycles : 0);
    return 2;
}
