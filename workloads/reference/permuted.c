/* Arrays in host memory with their axes in another order. */
#include <string.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/buffer/number_format.h"
#include "workloads/reference/methods.h"

enum {
    AXES = 8,
};

typedef struct {
    guint count;
    uint64_t lengths[AXES]; /* of the new array */
    uint64_t steps[AXES];   /* in the old one, in numbers, along those axes */
    uint64_t numbers;
} Axes;

/* The lengths in the list at `index`, or raises; `numbers` gets their product. */
static guint
check_lengths(lua_State *L, int index, uint64_t *lengths, uint64_t *numbers)
{
    const lua_Unsigned count = lua_istable(L, index) ? lua_rawlen(L, index) : 0;

    luaL_argcheck(L, count >= 1 && count <= AXES, index, "a list of 1 to 8 lengths");
    *numbers = 1;
    for (guint i = 0; i < count; i++) {
        lua_rawgeti(L, index, i + 1);
        const lua_Integer length = lua_tointeger(L, -1);

        lua_pop(L, 1);
        luaL_argcheck(L, length > 0 && length <= G_MAXINT32, index,
                      "lengths are 1 or more");
        luaL_argcheck(L, *numbers <= (uint64_t) (G_MAXINT64 / length), index,
                      "the array is too large");
        lengths[i] = (uint64_t) length;
        *numbers *= lengths[i];
    }
    return sim_u32(count);
}

static Axes check_axes(lua_State *L)
{
    Axes axes = {0};
    uint64_t old_lengths[AXES] = {0};
    uint64_t old_steps[AXES] = {0};
    guint seen = 0;
    uint64_t step = 1;

    axes.count = check_lengths(L, 3, old_lengths, &axes.numbers);
    for (guint i = axes.count; i > 0; i--) {
        old_steps[i - 1] = step;
        step *= old_lengths[i - 1];
    }
    luaL_argcheck(L, lua_istable(L, 4) && lua_rawlen(L, 4) == axes.count, 4,
                  "as many axes as lengths");
    for (guint i = 0; i < axes.count; i++) {
        lua_rawgeti(L, 4, i + 1);
        const lua_Integer axis = lua_tointeger(L, -1);

        lua_pop(L, 1);
        luaL_argcheck(L, axis >= 1 && axis <= axes.count && !(seen >> axis & 1), 4,
                      "each axis once, counted from 1");
        seen |= 1U << axis;
        axes.lengths[i] = old_lengths[axis - 1];
        axes.steps[i] = old_steps[axis - 1];
    }
    return axes;
}

/* Copies line after line of the new array's last axis. */
static void permute(const Axes *axes, gsize size, guint8 *to, const guint8 *from)
{
    const guint last = axes->count - 1;
    const uint64_t length = axes->lengths[last];
    const uint64_t step = axes->steps[last];
    uint64_t at[AXES] = {0};
    uint64_t start = 0;

    for (uint64_t done = 0; done < axes->numbers; done += length) {
        for (uint64_t i = 0; i < length; i++) {
            memcpy(to + (done + i) * size, from + (start + i * step) * size, size);
        }
        for (guint axis = last; axis > 0; axis--) {
            start += axes->steps[axis - 1];
            if (++at[axis - 1] < axes->lengths[axis - 1]) {
                break;
            }
            start -= axes->steps[axis - 1] * axes->lengths[axis - 1];
            at[axis - 1] = 0;
        }
    }
}

int reference_permuted(lua_State *L)
{
    const HostBytes *self = host_bytes_check(L, 1);
    const gsize size = number_format_bytes(number_format_check(L, 2));
    const Axes axes = check_axes(L);
    HostBytes *result;

    luaL_argcheck(L, self->count % size == 0 && self->count / size == axes.numbers, 1,
                  "the buffer is not as large as the array");
    result = host_bytes_push(L, self->count, self->data != NULL);
    if (self->data != NULL) {
        permute(&axes, size, result->data, self->data);
    }
    return 1;
}
