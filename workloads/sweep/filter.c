/* Asks a sweep's filter about many points in one protected call. */
#include "workloads/sweep/filter.h"

#include <lauxlib.h>

#include "workloads/error.h"
#include "workloads/sweep/axis.h"

enum {
    POINTS_AT_ONCE = 1000,
    FUNCTION = 1,
    BATCH = 2,
};

/* The points that one call asks about. */
typedef struct {
    const SweepNames *names;
    SweepRuns *runs;
    guint next;
    guint end;
} Batch;

static void set_value(lua_State *L, const SweepAxis *axis, guint index)
{
    sweep_value_push(L, &g_array_index(axis->values, SweepValue, index));
    lua_setfield(L, -2, axis->name);
}

static void push_point(lua_State *L, const Batch *self)
{
    const GArray *axes = self->names->axes;
    const GArray *fixed = self->names->fixed;

    lua_createtable(L, 0, (int) (axes->len + fixed->len));
    for (guint i = 0; i < fixed->len; i++) {
        set_value(L, &g_array_index(fixed, SweepAxis, i), 0);
    }
    for (guint i = 0; i < axes->len; i++) {
        set_value(L, &g_array_index(axes, SweepAxis, i),
                  sweep_runs_at_point(self->runs, self->next, i));
    }
}

/* Lua function of the filter and a batch. */
static int ask_batch(lua_State *L)
{
    Batch *self = lua_touserdata(L, BATCH);

    for (; self->next < self->end; self->next++) {
        lua_pushvalue(L, FUNCTION);
        push_point(L, self);
        lua_call(L, 1, 1);
        if (lua_toboolean(L, -1) != 0) {
            sweep_runs_keep(self->runs, self->next);
        }
        lua_pop(L, 1);
    }
    return 0;
}

bool sweep_filter(WlSandbox *sandbox,
                  const SweepNames *names,
                  SweepRuns *runs,
                  GError **error)
{
    lua_State *L = sandbox_state(sandbox);
    Batch batch = {.names = names, .runs = runs};
    const int function = lua_gettop(L);

    sweep_runs_keep_none(runs);
    while (batch.next < runs->point_count) {
        batch.end = MIN(batch.next + POINTS_AT_ONCE, runs->point_count);
        sandbox_progress(sandbox);
        lua_pushcfunction(L, ask_batch);
        lua_pushvalue(L, function);
        lua_pushlightuserdata(L, &batch);
        if (!sandbox_call(L, 2, 0, error)) {
            return false;
        }
    }
    if (sweep_runs_count(runs) == 0) {
        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "%s: where keeps none of %u combinations", sandbox_path(sandbox),
                    runs->point_count);
        return false;
    }
    return true;
}
