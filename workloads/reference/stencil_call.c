/* Turns a script's tables into a stencil, and tiles into lines. */
#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/reference/grid.h"
#include "workloads/reference/methods.h"
#include "workloads/reference/stencil.h"
#include "workloads/sandbox/arguments.h"

enum {
    MOST_CORES = 4096, /* along an axis */
    MOST_LAYERS = 65535,
    MOST_STEPS = 10000000,
};

typedef struct {
    ReferenceStencil stencil;
    guint across;
    guint down;
    guint group_count;
    guint term_count;
} Call;

/* A field of the table on top that is a list: it comes on top, its length is returned.
 */
static guint push_list(lua_State *L, const char *name)
{
    if (lua_getfield(L, -1, name) != LUA_TTABLE) {
        luaL_error(L, "%s: expected a list", name);
    }
    return sim_u32(MIN(lua_rawlen(L, -1), G_MAXUINT16));
}

static int distance_at(lua_State *L, lua_Integer i)
{
    int is_integer = 0;

    lua_rawgeti(L, -1, i);
    const lua_Integer distance = lua_tointegerx(L, -1, &is_integer);

    lua_pop(L, 1);
    if (is_integer == 0 || distance < -REFERENCE_MOST_REACH ||
        distance > REFERENCE_MOST_REACH) {
        luaL_error(L, "at: expected an integer of %d to %d", -REFERENCE_MOST_REACH,
                   REFERENCE_MOST_REACH);
    }
    return sim_i32(distance);
}

typedef enum {
    ALONG_X,
    ALONG_Y,
    ALONG_X_AND_Z, /* pairs */
} Direction;

/* The list "at" of the table on top: terms of a group. */
static void
check_places(lua_State *L, Call *call, ReferenceGroup *group, Direction direction)
{
    ReferenceStencil *stencil = &call->stencil;

    group->first = call->term_count;
    group->count = push_list(L, "at");
    if (call->term_count + group->count > REFERENCE_MOST_TERMS) {
        luaL_error(L, "at: at most %d", REFERENCE_MOST_TERMS);
    }
    for (guint i = 1; i <= group->count; i++) {
        const guint term = call->term_count++;

        switch (direction) {
        case ALONG_X:
            stencil->terms[term].x = distance_at(L, i);
            break;
        case ALONG_Y:
            stencil->terms[term].y = distance_at(L, i);
            break;
        case ALONG_X_AND_Z:
            lua_rawgeti(L, -1, i);
            luaL_checktype(L, -1, LUA_TTABLE);
            stencil->terms[term].x = distance_at(L, 1);
            stencil->terms[term].z = distance_at(L, 2);
            lua_pop(L, 1);
            break;
        }
    }
    lua_pop(L, 1);
}

/* The group on top. */
static void check_group(lua_State *L, Call *call, Direction direction)
{
    ReferenceGroup *group;

    luaL_checktype(L, -1, LUA_TTABLE);
    if (call->group_count == REFERENCE_MOST_GROUPS) {
        luaL_error(L, "groups: at most %d", REFERENCE_MOST_GROUPS);
    }
    group = &call->stencil.groups[call->group_count++];
    lua_getfield(L, -1, "weight");
    group->weight = luaL_checknumber(L, -1);
    lua_pop(L, 1);
    check_places(L, call, group, direction);
}

/* The list "groups" of the table on top: how many there are. */
static guint check_groups(lua_State *L, Call *call, Direction direction)
{
    const guint count = push_list(L, "groups");

    for (guint i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        check_group(L, call, direction);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return count;
}

static void check_terms(lua_State *L, Call *call)
{
    ReferenceStencil *stencil = &call->stencil;

    lua_pushvalue(L, 2);
    stencil->sum_count = push_list(L, "sums");
    if (stencil->sum_count < 1 || stencil->sum_count > REFERENCE_MOST_SUMS) {
        luaL_error(L, "sums: expected 1 to %d", REFERENCE_MOST_SUMS);
    }
    for (guint i = 0; i < stencil->sum_count; i++) {
        ReferenceSum *sum = &stencil->sums[i];

        lua_rawgeti(L, -1, (lua_Integer) i + 1);
        luaL_checktype(L, -1, LUA_TTABLE);
        sum->places.weight = 1;
        check_places(L, call, &sum->places, ALONG_X);
        sum->first = call->group_count;
        sum->count = check_groups(L, call, ALONG_Y);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    stencil->first = call->group_count;
    stencil->count = check_groups(L, call, ALONG_X_AND_Z);
    lua_pop(L, 1);
}

static void check_reach(lua_State *L, const Call *call)
{
    const ReferenceStencil *stencil = &call->stencil;
    const int reach = sim_i32(stencil->reach);
    const ReferenceGroup *first = &stencil->sums[0].places;
    bool is_within = first->count == 1 && stencil->terms[first->first].x == 0;

    for (guint i = 0; i < call->term_count; i++) {
        is_within = is_within && ABS(stencil->terms[i].x) <= reach &&
                    ABS(stencil->terms[i].y) <= reach;
    }
    luaL_argcheck(L, is_within, 2, "terms are not within reach");
}

static Call check_call(lua_State *L, const HostBytes *bytes)
{
    Call call = {0};
    ReferenceStencil *stencil = &call.stencil;
    gsize numbers;

    luaL_checktype(L, 2, LUA_TTABLE);
    lua_getfield(L, 2, "format");
    stencil->format = number_format_check(L, -1);
    stencil->fidelity = arguments_count(L, 2, "fidelity", 4, 4);
    lua_getfield(L, 2, "has_before");
    stencil->has_before = lua_toboolean(L, -1) != 0;
    lua_pop(L, 2);
    call.across = arguments_count(L, 2, "across", -1, MOST_CORES);
    call.down = arguments_count(L, 2, "down", -1, MOST_CORES);
    stencil->layers = arguments_count(L, 2, "layers", -1, MOST_LAYERS);
    stencil->lines =
        arguments_count(L, 2, "lines", -1, (lua_Integer) call.down * REFERENCE_LINES);
    stencil->numbers = arguments_count(L, 2, "numbers", -1,
                                       (lua_Integer) call.across * REFERENCE_LINE);
    stencil->steps = arguments_integer(L, 2, "steps", -1, MOST_STEPS);
    stencil->reach = arguments_integer(L, 2, "reach", -1, REFERENCE_MOST_REACH);
    check_terms(L, &call);
    check_reach(L, &call);
    stencil->source =
        reference_source_check(L, stencil->lines, stencil->numbers, stencil->layers);
    numbers = (gsize) call.across * call.down * stencil->layers * REFERENCE_TILE;
    luaL_argcheck(L, bytes->count == numbers * number_format_bytes(stencil->format), 1,
                  "the buffer is not as large as the grid");
    return call;
}

/* A field that is a buffer as long as another one. It stays on the stack. */
static const HostBytes *
check_level(lua_State *L, const char *name, const HostBytes *other)
{
    const HostBytes *level;

    lua_getfield(L, 2, name);
    level = host_bytes_check(L, -1);
    if (level->count != other->count) {
        luaL_error(L, "%s differs from the buffer in length", name);
    }
    return level;
}

/* Where a cell's number lies on the cores. */
static gsize place_of(const Call *call, guint x, guint y, guint z)
{
    const gsize core =
        (gsize) (x / REFERENCE_LINES) * call->across + y / REFERENCE_LINE;

    return (core * call->stencil.layers + z) * REFERENCE_TILE +
           (gsize) (x % REFERENCE_LINES) * REFERENCE_LINE + y % REFERENCE_LINE;
}

static float *cells_of(const Call *call, const HostBytes *bytes)
{
    const ReferenceStencil *stencil = &call->stencil;
    float *cells = g_new(float, reference_stencil_count(stencil));
    float *to = cells;

    for (guint z = 0; z < stencil->layers; z++) {
        for (guint x = 0; x < stencil->lines; x++) {
            for (guint y = 0; y < stencil->numbers; y++) {
                *to++ = (float) number_format_get(stencil->format, bytes->data,
                                                  place_of(call, x, y, z));
            }
        }
    }
    return cells;
}

static void put_cells(const Call *call, HostBytes *bytes, const float *cells)
{
    const ReferenceStencil *stencil = &call->stencil;

    for (guint z = 0; z < stencil->layers; z++) {
        for (guint x = 0; x < stencil->lines; x++) {
            for (guint y = 0; y < stencil->numbers; y++) {
                number_format_put(stencil->format, bytes->data, place_of(call, x, y, z),
                                  (double) *cells++);
            }
        }
    }
}

int reference_stencil(lua_State *L)
{
    const HostBytes *now = host_bytes_check(L, 1);
    const Call call = check_call(L, now);
    const HostBytes *before = check_level(L, "before", now);
    HostBytes *result = host_bytes_push(L, now->count, now->data != NULL);

    if (now->data != NULL && before->data != NULL) {
        g_autofree float *from = cells_of(&call, now);
        g_autofree float *other = cells_of(&call, before);
        g_autofree float *last = reference_stencil_on_chip(&call.stencil, from, other);

        put_cells(&call, result, last);
    }
    return 1;
}

/* Columns of cells, row by row. */
static void unfold(const ReferenceStencil *stencil, HostBytes *to, const double *cells)
{
    for (guint z = 0; z < stencil->layers; z++) {
        for (guint x = 0; x < stencil->lines; x++) {
            for (guint y = 0; y < stencil->numbers; y++) {
                const gsize column = (gsize) y * stencil->lines + x;

                number_format_put(NUMBER_FP32, to->data, column * stencil->layers + z,
                                  *cells++);
            }
        }
    }
}

int reference_stencil_exact_of(lua_State *L)
{
    const HostBytes *now = host_bytes_check(L, 1);
    const Call call = check_call(L, now);
    const HostBytes *before = check_level(L, "before", now);
    HostBytes *result = host_bytes_push(
        L, reference_stencil_count(&call.stencil) * sizeof(float), now->data != NULL);

    if (now->data != NULL && before->data != NULL) {
        g_autofree float *from = cells_of(&call, now);
        g_autofree float *other = cells_of(&call, before);
        g_autofree double *last = reference_stencil_exact(&call.stencil, from, other);

        unfold(&call.stencil, result, last);
    }
    return 1;
}

int reference_stencil_error_of(lua_State *L)
{
    const HostBytes *now = host_bytes_check(L, 1);
    const Call call = check_call(L, now);
    const HostBytes *before = check_level(L, "before", now);
    const HostBytes *result = check_level(L, "result", now);
    double largest = 0;
    double error = 0;

    if (now->data != NULL && before->data != NULL && result->data != NULL) {
        g_autofree float *from = cells_of(&call, now);
        g_autofree float *other = cells_of(&call, before);
        g_autofree float *made = cells_of(&call, result);

        error = reference_stencil_error(&call.stencil, from, other, made, &largest);
    }
    lua_pushnumber(L, error);
    lua_pushnumber(L, largest);
    return 2;
}
