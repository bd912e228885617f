/* A sweep: its file is read once, and its axes are combined. */
#include "workloads/sweep.h"

#include <stdbool.h>

#include <glib.h>
#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/sweep/axis.h"
#include "workloads/sweep/file.h"
#include "workloads/sweep/runs.h"

typedef struct {
    const GArray *axes;  /* of SweepAxis */
    const GArray *fixed; /* of SweepAxis with one value each */
} SweepNames;

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

    lua_createtable(L, 0, sim_i32(axes->len + fixed->len));
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

/* Asks the function at the top of the sandbox's stack about every point, and keeps
 * those of which it says true. It gets a table of all values by their names. Fails as
 * sandbox_call(), and with WL_ERROR_FIT where none is left. */
static bool sweep_filter(WlSandbox *sandbox,
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

struct WlSweep {
    SweepFile file;
    SweepRuns runs;
    GPtrArray *views;  /* values of each axis, lists of borrowed texts */
    GArray *shown;     /* of WlSweepAxis */
    GArray *shown_set; /* of WlSweepFixed */
};

static WlSweep *sweep_new(void)
{
    WlSweep *self = g_new0(WlSweep, 1);

    sweep_file_init(&self->file);
    self->views = g_ptr_array_new_with_free_func(g_free);
    self->shown = g_array_new(FALSE, FALSE, sizeof(WlSweepAxis));
    self->shown_set = g_array_new(FALSE, FALSE, sizeof(WlSweepFixed));
    return self;
}

void wl_sweep_free(WlSweep *self)
{
    if (self != NULL) {
        g_array_unref(self->shown_set);
        g_array_unref(self->shown);
        g_ptr_array_unref(self->views);
        sweep_runs_clear(&self->runs);
        sweep_file_clear(&self->file);
        g_free(self);
    }
}

/* Leaves out what the file's function does not want. */
static bool filter(WlSweep *self, WlSandbox *sandbox, GError **error)
{
    lua_State *L = sandbox_state(sandbox);
    const SweepNames names = {.axes = self->file.axes, .fixed = self->file.fixed};
    const int type = field_push(L, -1, "where");

    if (type == LUA_TNIL) {
        return true;
    }
    if (type != LUA_TFUNCTION) {
        return wl_refuse(error, "%s: where is a %s, expected a function",
                         sandbox_path(sandbox), lua_typename(L, type));
    }
    return sweep_filter(sandbox, &names, &self->runs, error);
}

/* Fills the views that the getters return. */
static void make_views(WlSweep *self)
{
    for (guint i = 0; i < self->file.axes->len; i++) {
        const SweepAxis *axis = &g_array_index(self->file.axes, SweepAxis, i);
        const char **texts = g_new(const char *, axis->values->len);
        const WlSweepAxis shown = {.name = axis->name,
                                   .kind = axis->kind,
                                   .values = texts,
                                   .value_count = axis->values->len};

        for (guint k = 0; k < axis->values->len; k++) {
            texts[k] = g_array_index(axis->values, SweepValue, k).text;
        }
        g_ptr_array_add(self->views, texts);
        g_array_append_val(self->shown, shown);
    }
    for (guint i = 0; i < self->file.fixed->len; i++) {
        const SweepAxis *axis = &g_array_index(self->file.fixed, SweepAxis, i);
        const WlSweepFixed shown = {
            .name = axis->name,
            .kind = axis->kind,
            .value = g_array_index(axis->values, SweepValue, 0).text};

        g_array_append_val(self->shown_set, shown);
    }
}

WlSweep *wl_sweep_load(const char *path, const WlSandboxConfig *config, GError **error)
{
    g_return_val_if_fail(path != NULL && config != NULL, NULL);
    g_autoptr(WlSandbox) sandbox = loader_open(path, config, NULL, error);
    g_autoptr(WlSweep) self = NULL;

    if (sandbox == NULL) {
        return NULL;
    }
    self = sweep_new();
    if (!sweep_file_read(&self->file, sandbox_state(sandbox), error) ||
        !sweep_runs_make(&self->runs, self->file.axes, &self->file.mix, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    if (!filter(self, sandbox, error)) {
        return NULL;
    }
    make_views(self);
    return g_steal_pointer(&self);
}

const char *wl_sweep_summary(const WlSweep *self)
{
    return self->file.summary;
}

const char *wl_sweep_script(const WlSweep *self)
{
    return self->file.script;
}

bool wl_sweep_is_timing_only(const WlSweep *self)
{
    return self->file.is_timing_only;
}

guint wl_sweep_uncertainty(const WlSweep *self)
{
    return self->file.uncertainty;
}

guint wl_sweep_fixed_count(const WlSweep *self)
{
    return self->shown_set->len;
}

const WlSweepFixed *wl_sweep_fixed(const WlSweep *self, guint index)
{
    return &g_array_index(self->shown_set, WlSweepFixed, index);
}

const char *
wl_sweep_fixed_value(const WlSweep *self, WlSweepKind kind, const char *name)
{
    for (guint i = 0; i < wl_sweep_fixed_count(self); i++) {
        const WlSweepFixed *fixed = wl_sweep_fixed(self, i);

        if (fixed->kind == kind && g_str_equal(fixed->name, name)) {
            return fixed->value;
        }
    }
    return NULL;
}

guint wl_sweep_axis_count(const WlSweep *self)
{
    return self->shown->len;
}

const WlSweepAxis *wl_sweep_axis(const WlSweep *self, guint index)
{
    return &g_array_index(self->shown, WlSweepAxis, index);
}

guint wl_sweep_record_count(const WlSweep *self)
{
    return self->file.asked.records->len;
}

guint wl_sweep_own_record_count(const WlSweep *self)
{
    return self->file.asked.own_count;
}

const WlSweepRecord *wl_sweep_record(const WlSweep *self, guint index)
{
    return &g_array_index(self->file.asked.records, WlSweepRecord, index);
}

const char *wl_sweep_formula(const WlSweep *self, const char *name)
{
    for (guint i = 0; i < wl_sweep_own_record_count(self); i++) {
        if (g_str_equal(wl_sweep_record(self, i)->name, name)) {
            return wl_sweep_record(self, i)->formula;
        }
    }
    return NULL;
}

guint wl_sweep_plot_count(const WlSweep *self)
{
    return self->file.asked.plots->len;
}

const WlSweepPlot *wl_sweep_plot(const WlSweep *self, guint index)
{
    return &g_array_index(self->file.asked.plots, WlSweepPlot, index);
}

bool wl_sweep_pareto(const WlSweep *self, const char *columns[2])
{
    columns[0] = self->file.asked.pareto[0];
    columns[1] = self->file.asked.pareto[1];
    return self->file.asked.has_pareto;
}

guint wl_sweep_run_count(const WlSweep *self)
{
    return sweep_runs_count(&self->runs);
}

guint wl_sweep_run_value(const WlSweep *self, guint run, guint axis)
{
    g_return_val_if_fail(run < wl_sweep_run_count(self) && axis < self->shown->len, 0);
    return sweep_runs_at(&self->runs, run, axis);
}

const char *wl_sweep_run_text(const WlSweep *self, guint run, guint axis)
{
    return wl_sweep_axis(self, axis)->values[wl_sweep_run_value(self, run, axis)];
}
