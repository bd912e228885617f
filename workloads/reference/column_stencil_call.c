/* Parses what scripts ask of column stencils. */

#include <math.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/reference/column_stencil.h"
#include "workloads/reference/solver.h"
#include "workloads/sandbox/arguments.h"

enum {
    MOST_CELLS = 65535, /* along an axis */
    MOST_STEPS = 10000000,
    MOST_TERMS = 1024,
    MOST_FIELDS = 16,
};

/* Kept by Lua, as errors may come at any time. */
typedef struct {
    ReferenceColumnStencil stencil;
    guint term_count;
    ReferenceTerm terms[MOST_TERMS];
    ReferenceTerms fields[MOST_FIELDS];
} Problem;

/* How far away along an axis; 0 unless told. */
static int check_offset(lua_State *L, int index, const char *name)
{
    const bool is_given = lua_getfield(L, index, name) != LUA_TNIL;
    int is_integer = 1;
    const lua_Integer value = is_given ? lua_tointegerx(L, -1, &is_integer) : 0;

    lua_pop(L, 1);
    if (is_integer == 0 || value < -MOST_CELLS || value > MOST_CELLS) {
        luaL_error(L, "%s: expected an integer of %d to %d", name, -MOST_CELLS,
                   MOST_CELLS);
    }
    return sim_i32(value);
}

/* The list of terms on top of the stack, which it takes off. */
static ReferenceTerms check_terms(lua_State *L, Problem *problem, int most_field)
{
    const guint first = problem->term_count;
    const int list = lua_gettop(L);

    luaL_checktype(L, list, LUA_TTABLE);
    const lua_Unsigned count = lua_rawlen(L, list);

    luaL_argcheck(L, count > 0 && count <= MOST_TERMS - first, 2,
                  "no terms, or too many");
    for (lua_Unsigned i = 0; i < count; i++) {
        ReferenceTerm *term = &problem->terms[first + i];

        lua_rawgeti(L, list, (lua_Integer) i + 1);
        luaL_checktype(L, -1, LUA_TTABLE);
        term->field = arguments_integer(L, list + 1, "field", 0, most_field);
        term->x = check_offset(L, list + 1, "x");
        term->y = check_offset(L, list + 1, "y");
        term->z = check_offset(L, list + 1, "z");
        lua_getfield(L, list + 1, "weight");
        term->weight = luaL_checknumber(L, -1);
        lua_pop(L, 2);
    }
    problem->term_count += sim_u32(count);
    lua_pop(L, 1);
    return (ReferenceTerms){.first = first, .count = sim_u32(count)};
}

static void check_fields(lua_State *L, Problem *problem)
{
    if (lua_getfield(L, 2, "fields") != LUA_TNIL) {
        luaL_checktype(L, -1, LUA_TTABLE);
        const lua_Unsigned count = lua_rawlen(L, -1);

        luaL_argcheck(L, count <= MOST_FIELDS, 2, "too many fields");
        for (lua_Unsigned i = 0; i < count; i++) {
            lua_rawgeti(L, -1, (lua_Integer) i + 1);
            problem->fields[i] = check_terms(L, problem, 0);
        }
        problem->stencil.field_count = sim_u32(count);
    }
    lua_pop(L, 1);
}

static NumberFormat check_format(lua_State *L, const char *name)
{
    lua_getfield(L, 2, name);
    const NumberFormat format = number_format_check(L, -1);

    lua_pop(L, 1);
    return format;
}

/* From the table at index 2; on top of the stack afterwards. */
static Problem *push_problem(lua_State *L)
{
    static const char *const arithmetics[] = {"chip", "double", NULL};

    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    Problem *problem = lua_newuserdatauv(L, sizeof *problem, 0);

    *problem = (Problem){
        .stencil =
            {
                .columns = arguments_count(L, 2, "columns", -1, MOST_CELLS),
                .rows = arguments_count(L, 2, "rows", -1, MOST_CELLS),
                .layers = arguments_count(L, 2, "layers", -1, MOST_CELLS),
                .steps = arguments_integer(L, 2, "steps", 0, MOST_STEPS),
                .cells = check_format(L, "cells"),
                .sums = check_format(L, "sums"),
                .terms = problem->terms,
                .fields = problem->fields,
            },
    };
    check_fields(L, problem);
    lua_getfield(L, 2, "terms");
    problem->stencil.result =
        check_terms(L, problem, sim_i32(problem->stencil.field_count));
    lua_getfield(L, 2, "arithmetic");
    problem->stencil.is_exact = luaL_checkoption(L, -1, "chip", arithmetics) == 1;
    lua_pop(L, 1);
    return problem;
}

static double compute(ReferenceColumnStencil *stencil,
                      const HostBytes *from,
                      const HostBytes *diagonal,
                      HostBytes *to)
{
    const gsize count = reference_column_stencil_count(stencil);
    g_autofree double *cells = reference_solver_doubles(stencil->cells, from);
    g_autofree double *weights =
        diagonal != NULL ? reference_solver_doubles(stencil->cells, diagonal) : NULL;
    double largest = 0;

    stencil->diagonal = weights;
    g_autofree double *result = reference_column_stencil(stencil, cells);

    for (gsize i = 0; i < count; i++) {
        number_format_put(stencil->sums, to->data, i, result[i]);
        largest = fmax(largest, fabs(result[i]));
    }
    return largest;
}

int reference_column_stencil_call(lua_State *L)
{
    const HostBytes *from = host_bytes_check(L, 1);
    ReferenceColumnStencil *stencil = &push_problem(L)->stencil;
    const uint64_t count = reference_column_stencil_count(stencil);

    luaL_argcheck(L, from->count == count * number_format_bytes(stencil->cells), 1,
                  "the buffer is not as large as the grid");
    luaL_argcheck(L, stencil->cells == stencil->sums || stencil->steps == 1, 2,
                  "several steps need one format");
    const HostBytes *diagonal = reference_solver_buffer(L, "diagonal", from);
    HostBytes *to = host_bytes_push(L, count * number_format_bytes(stencil->sums),
                                    from->data != NULL);

    lua_pushnumber(L, from->data == NULL ? 0 : compute(stencil, from, diagonal, to));
    return 2;
}
