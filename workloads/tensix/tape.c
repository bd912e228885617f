/* Tapes: a coroutine makes calls, and they become parts. */
#include "workloads/tensix/tape.h"

#include <string.h>

#include <lauxlib.h>

#include "workloads/sandbox/guard.h"

enum {
    KEPT_CALLS = 8192, /* at most, for cores that are behind */
};

static void part_clear(gpointer data)
{
    TapePart *part = data;

    g_free(part->calls);
    g_free(part->places);
}

void tape_part_unref(gpointer part)
{
    g_atomic_rc_box_release_full(part, part_clear);
}

void tape_free(Tape *self)
{
    lua_State *L = kernel_state_lua(self->voice.state);

    kernel_state_release(self->voice.state, &self->voice);
    reads_forget(L, &self->voice.recorder);
    g_free(self->voice.last_line);
    g_ptr_array_unref(self->parts);
    g_array_unref(self->values);
    g_array_unref(self->calls);
    g_array_unref(self->places);
    g_free(self);
}

Tape *tape_new(const KernelRun *run, GError **error)
{
    Tape *self = g_new0(Tape, 1);

    self->voice = *run;
    self->voice.state = run->voices;
    self->voice.taking = (KernelTaking){0};
    self->voice.recorder = self;
    self->voice.last_line = NULL;
    self->tapes = kernel_state_tapes(run->voices);
    self->parts = g_ptr_array_new_with_free_func(tape_part_unref);
    self->values = g_array_new(FALSE, FALSE, sizeof(double));
    self->calls = g_array_new(FALSE, FALSE, sizeof(ArchComputeCall));
    self->places = g_array_new(FALSE, FALSE, sizeof(ArchPlace));
    if (!kernel_state_begin(run->voices, &self->voice, &self->reads, error)) {
        tape_free(self);
        return NULL;
    }
    return self;
}

void tape_add(lua_State *L, KernelRun *voice, const ArchComputeCall *call)
{
    Tape *self = voice->recorder;
    const bool may_wait =
        call->op == ARCH_COMPUTE_CB_WAIT || call->op == ARCH_COMPUTE_CB_RESERVE;
    const ArchPlace place =
        may_wait || self->has_all_places ? sandbox_place(L) : (ArchPlace){0};

    if (G_UNLIKELY(self->is_alone)) {
        tape_end_here(L, voice);
    }
    g_array_append_val(self->calls, *call);
    g_array_append_val(self->places, place);
}

void tape_end_soon(KernelRun *run)
{
    if (run->recorder != NULL) {
        run->recorder->is_alone = true;
    }
}

void tape_end_here(lua_State *L, KernelRun *run)
{
    if (run->recorder != NULL) {
        tape_end_soon(run);
        if (L == run->thread && lua_isyieldable(L) != 0) {
            run->is_waiting = true;
            lua_yield(L, 0);
        }
        luaL_error(L, "each core goes on by itself from here");
    }
}

static gpointer copy(gconstpointer data, gsize bytes)
{
    gpointer to = g_malloc(bytes);

    if (bytes > 0) {
        memcpy(to, data, bytes);
    }
    return to;
}

static void drop_half(Tape *self)
{
    const guint dropped = self->parts->len / 2;

    for (guint i = 0; i < dropped; i++) {
        self->kept -= ((const TapePart *) g_ptr_array_index(self->parts, i))->count;
    }
    g_ptr_array_remove_range(self->parts, 0, dropped);
    self->first += dropped;
}

/* What the coroutine has added, and the state that it stopped in, become a part. */
static void end_part(Tape *self, KernelStatus status)
{
    TapePart *part = g_atomic_rc_box_new0(TapePart);

    part->count = self->calls->len;
    part->reads = reads_count(self->reads);
    part->end = status == KERNEL_ENDED        ? TAPE_ENDS
                : self->voice.is_value_wanted ? TAPE_WAITS
                                              : TAPE_GOES_ON;
    if (status == KERNEL_FAILED || self->is_alone) {
        part->end = TAPE_ALONE;
    }
    part->calls = copy(self->calls->data, part->count * sizeof(ArchComputeCall));
    part->places = copy(self->places->data, part->count * sizeof(ArchPlace));
    g_ptr_array_add(self->parts, part);
    self->kept += part->count;
    if (self->kept > KEPT_CALLS) {
        drop_half(self);
    }
}

void tape_make_part(Tape *self, const KernelRun *run, double value)
{
    g_autoptr(GError) error = NULL;

    if (self->voice.is_value_wanted) {
        g_array_append_val(self->values, value);
    }
    self->voice.value = value;
    self->voice.region = run->region;
    self->has_all_places = arch_compute_wants_places(run->core);
    g_array_set_size(self->calls, 0);
    g_array_set_size(self->places, 0);
    end_part(self, kernel_state_try(self->voice.state, &self->voice, &error));
}

static int end_first(lua_State *L)
{
    KernelRun *run = sandbox_subject(sandbox_of(L));

    if (run != NULL) {
        tape_end_here(L, run);
    }
    return 0;
}

void tape_open(lua_State *L)
{
    reads_open(L);
    lua_getglobal(L, "math");
    guard_put_first(L, "random", end_first);
    guard_put_first(L, "randomseed", end_first);
    lua_pop(L, 1);
}
