/* Computes reference sums over PEs. */
#include "workloads/reference/merge.h"

#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_format.h"
#include "workloads/reference/solver.h"

void reference_merge_single(const ReferenceMerges *self, float *numbers)
{
    for (guint i = 0; i < self->count; i++) {
        float *into = numbers + (gsize) self->merges[i].into * self->words;
        const float *from = numbers + (gsize) self->merges[i].from * self->words;

        for (guint word = 0; word < self->words; word++) {
            into[word] += from[word];
        }
    }
}

void reference_merge_double(const ReferenceMerges *self, double *numbers)
{
    for (guint i = 0; i < self->count; i++) {
        double *into = numbers + (gsize) self->merges[i].into * self->words;
        const double *from = numbers + (gsize) self->merges[i].from * self->words;

        for (guint word = 0; word < self->words; word++) {
            into[word] += from[word];
        }
    }
}

guint reference_merge_depth(const ReferenceMerges *self, guint pe_count)
{
    g_autofree guint *depths = g_new0(guint, pe_count);
    guint deepest = 0;

    for (guint i = 0; i < self->count; i++) {
        guint *into = &depths[self->merges[i].into];

        *into = MAX(*into, depths[self->merges[i].from]) + 1;
        deepest = MAX(deepest, *into);
    }
    return deepest;
}

/* A number of the pair on top of the stack. */
static guint check_pe(lua_State *L, lua_Integer index, guint pe_count)
{
    int is_integer = 0;

    lua_rawgeti(L, -1, index);
    const lua_Integer pe = lua_tointegerx(L, -1, &is_integer);

    lua_pop(L, 1);
    if (is_integer == 0 || pe < 0 || pe >= pe_count) {
        luaL_error(L, "merges: expected pairs of PEs 0 to %d", sim_i32(pe_count) - 1);
    }
    return sim_u32(pe);
}

/* The field "merges" of the table at index 2, in a userdata that stays on the stack. */
static ReferenceMerges check_merges(lua_State *L, guint pe_count, guint words)
{
    lua_getfield(L, 2, "merges");
    luaL_checktype(L, -1, LUA_TTABLE);
    const int list = lua_gettop(L);
    const lua_Unsigned count = lua_rawlen(L, list);

    luaL_argcheck(L, count < pe_count, 2, "more merges than PEs can send");
    ReferenceMerge *merges =
        lua_newuserdatauv(L, (size_t) (count + 1) * sizeof *merges, 0);

    for (lua_Unsigned i = 0; i < count; i++) {
        if (lua_rawgeti(L, list, (lua_Integer) i + 1) != LUA_TTABLE) {
            luaL_error(L, "merges: expected pairs of PEs");
        }
        merges[i].into = check_pe(L, 1, pe_count);
        merges[i].from = check_pe(L, 2, pe_count);
        lua_pop(L, 1);
    }
    return (ReferenceMerges){.merges = merges, .count = sim_u32(count), .words = words};
}

/* The largest over words of the sum of magnitudes over PEs. */
static double magnitude_of(const double *numbers, gsize count, guint words)
{
    g_autofree double *sums = g_new0(double, words);
    double largest = 0;

    for (gsize i = 0; i < count; i++) {
        sums[i % words] += fabs(numbers[i]);
        largest = fmax(largest, sums[i % words]);
    }
    return largest;
}

static void put_root(const ReferenceMerges *merges,
                     const HostBytes *numbers,
                     bool is_double,
                     HostBytes *result)
{
    const gsize at =
        merges->count == 0
            ? 0
            : (gsize) merges->merges[merges->count - 1].into * merges->words;

    if (is_double) {
        g_autofree double *all = reference_solver_doubles(NUMBER_FP32, numbers);

        reference_merge_double(merges, all);
        for (guint word = 0; word < merges->words; word++) {
            number_format_put(NUMBER_FP32, result->data, word, all[at + word]);
        }
        return;
    }
    g_autofree float *all = g_new0(float, numbers->count / sizeof *all);

    memcpy(all, numbers->data, numbers->count);
    reference_merge_single(merges, all);
    memcpy(result->data, all + at, result->count);
}

int reference_merged(lua_State *L)
{
    static const char *const names[] = {"single", "double", NULL};
    const HostBytes *numbers = host_bytes_check(L, 1);
    double bound = 0;

    luaL_checktype(L, 2, LUA_TTABLE);
    lua_getfield(L, 2, "words");
    const lua_Integer words = luaL_checkinteger(L, -1);
    const uint64_t count = numbers->count / sizeof(float);

    luaL_argcheck(L,
                  words > 0 && count > 0 && (uint64_t) words <= count &&
                      numbers->count % ((uint64_t) words * sizeof(float)) == 0,
                  2, "the buffer has no whole number of words for each PE");
    const guint pe_count = sim_u32(count / (uint64_t) words);
    const ReferenceMerges merges = check_merges(L, pe_count, sim_u32(words));

    lua_getfield(L, 2, "arithmetic");
    const bool is_double = luaL_checkoption(L, -1, "single", names) == 1;
    HostBytes *result =
        host_bytes_push(L, (uint64_t) words * sizeof(float), numbers->data != NULL);

    if (numbers->data != NULL) {
        g_autofree double *all = reference_solver_doubles(NUMBER_FP32, numbers);

        put_root(&merges, numbers, is_double, result);
        bound = reference_merge_depth(&merges, pe_count) * 0x1p-24 *
                magnitude_of(all, count, merges.words);
    }
    lua_pushnumber(L, bound);
    return 2;
}
