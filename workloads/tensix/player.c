/* Players agree to a part of a tape, or not, before they take its first call. */
#include "workloads/tensix/player.h"

#include <string.h>

#include <lua.h>

#include "arch/tensix_compute.h"
#include "workloads/tensix/reads.h"
#include "workloads/tensix/tape.h"

enum {
    MOST_CHANGES = 4, /* of tapes, before a run makes its calls itself */
};

static void put_on(Tape *self, KernelRun *run)
{
    run->taking.tape = self;
    self->users++;
}

/* Forgets which arguments it agrees to. */
static void begin_reads(KernelRun *run)
{
    reads_forget(kernel_state_lua(run->voices), &run->taking);
    run->taking.reads = 0;
}

/* Takes the run off its tape; it may agree to another one already. */
static void take_off(KernelRun *run)
{
    Tape *tape = run->taking.tape;

    run->taking.tape = NULL;
    tape->users--;
    if (tape->users == 0) {
        (void) g_ptr_array_remove_fast(tape->tapes, tape);
        tape_free(tape);
    }
}

void player_leave(KernelRun *run)
{
    if (run->taking.tape != NULL) {
        kernel_state_lock(run->voices);
        begin_reads(run);
        take_off(run);
        kernel_state_unlock(run->voices);
    }
}

typedef struct {
    const Tape *tape;
    const KernelRun *run;
    guint reads;
    bool agrees;
} Question;

/* Lua function. */
static int ask(lua_State *L)
{
    Question *question = lua_touserdata(L, 1);
    const KernelRun *run = question->run;

    question->agrees = reads_agree(L, &question->tape->voice.recorder, &run->taking,
                                   run->arguments, run->taking.reads, question->reads);
    return 0;
}

/* Whether the run would have read what the tape's coroutine has. */
static bool has_read_same(KernelRun *run, const Tape *tape, guint reads)
{
    Question question = {.tape = tape, .run = run, .reads = reads};
    lua_State *L = kernel_state_lua(run->voices);

    if (run->taking.reads == reads) {
        return true;
    }
    lua_pushcfunction(L, ask);
    lua_pushlightuserdata(L, &question);
    if (!sandbox_call(L, 1, 0, NULL) || !question.agrees) {
        return false;
    }
    run->taking.reads = reads;
    return true;
}

/* The results of READ_VALUE that it has used; the caller frees them. */
static double *values_of(const KernelRun *run)
{
    const gsize bytes = run->taking.values * sizeof(double);
    double *values = g_malloc(bytes);

    if (bytes > 0) {
        memcpy(values, run->taking.tape->values->data, bytes);
    }
    return values;
}

/* Whether the tape has gone on with the run's value. */
static bool has_same_value(const KernelRun *run, const Tape *tape)
{
    const guint used = run->taking.values;

    return !run->is_value_wanted ||
           (used < tape->values->len &&
            reads_is_same(g_array_index(tape->values, double, used), run->value));
}

/* Whether the run can take its next part, which is on the tape. */
static bool may_take(KernelRun *run, const Tape *tape)
{
    const TapePart *part = tape_part(tape, run->taking.part);

    return part->end != TAPE_ALONE &&
           (tape->has_all_places || !arch_compute_wants_places(run->core)) &&
           has_same_value(run, tape) && has_read_same(run, tape, part->reads);
}

/* Whether it is of the same kernel, as far as anyone can tell before that reads
 * arguments. */
static bool is_alike(const KernelRun *run, const Tape *tape)
{
    const KernelRun *voice = &tape->voice;

    return voice->launch == run->launch &&
           strcmp(voice->function, run->function) == 0 &&
           memcmp(voice->memory->page_bytes, run->memory->page_bytes,
                  sizeof run->memory->page_bytes) == 0;
}

/* Whether the run could have come as far as it is on another tape, and can go on there.
 * `values` are those that it has used. */
static bool could_change(KernelRun *run, const Tape *other, const double *values)
{
    const KernelTaking *taking = &run->taking;

    return is_alike(run, other) && taking->part >= other->first &&
           taking->part < tape_part_count(other) &&
           other->values->len >= taking->values &&
           (taking->values == 0 || memcmp(other->values->data, values,
                                          taking->values * sizeof *values) == 0) &&
           may_take(run, other);
}

static Tape *find_other(KernelRun *run, const Tape *tape, const double *values)
{
    for (guint i = 0; i < tape->tapes->len; i++) {
        Tape *other = g_ptr_array_index(tape->tapes, i);

        begin_reads(run);
        if (other != tape && could_change(run, other, values)) {
            return other;
        }
    }
    begin_reads(run);
    return NULL;
}

/* A tape of its own, as far as it has come; NULL if that fails. */
static Tape *make_other(const KernelRun *run, const double *values)
{
    const KernelTaking *taking = &run->taking;
    g_autoptr(GError) error = NULL;
    Tape *self = tape_new(run, &error);

    while (self != NULL && tape_part_count(self) < taking->part) {
        const guint used = self->values->len;

        sandbox_progress(sandbox_of(kernel_state_lua(run->voices)));
        tape_make_part(self, run, used < taking->values ? values[used] : 0);
    }
    if (self != NULL) {
        self->first = taking->part;
        g_ptr_array_set_size(self->parts, 0);
        self->kept = 0;
        g_ptr_array_add(self->tapes, self);
    }
    return self;
}

/* Changes to another tape for a run that does not agree to the next part of its own.
 * False if there is none. */
static bool change(KernelRun *run)
{
    const Tape *tape = run->taking.tape;
    g_autofree double *values = values_of(run);
    Tape *other = find_other(run, tape, values);

    if (other == NULL) {
        other = make_other(run, values);
    }
    if (other != NULL) {
        run->taking.changes++;
        take_off(run);
        put_on(other, run);
    }
    return other != NULL;
}

/* The next part, which is the caller's; NULL if the run must make its calls itself. */
static TapePart *next_part(KernelRun *run)
{
    const KernelTaking *taking = &run->taking;

    while (taking->part >= taking->tape->first) {
        if (taking->part == tape_part_count(taking->tape)) {
            tape_make_part(taking->tape, run, run->value);
        }
        TapePart *part = tape_part(taking->tape, taking->part);

        if (may_take(run, taking->tape)) {
            return g_atomic_rc_box_acquire(part);
        }
        if (part->end == TAPE_ALONE || taking->changes == MOST_CHANGES ||
            !change(run)) {
            return NULL;
        }
    }
    return NULL;
}

/* False if the core refuses a call: the kernel must hear of it where it made it. */
static bool take(KernelRun *run, const TapePart *part)
{
    KernelTaking *taking = &run->taking;

    for (guint i = 0; i < part->count; i++) {
        taking->place = part->places[i];
        if (!arch_compute_call(run->core, &part->calls[i], NULL)) {
            return false;
        }
        taking->calls++;
    }
    return true;
}

static KernelStatus finish_part(KernelRun *run, const TapePart *part)
{
    run->taking.values += run->is_value_wanted ? 1 : 0;
    run->taking.part++;
    run->is_value_wanted = part->end == TAPE_WAITS;
    if (part->end == TAPE_ENDS && run->last_line == NULL) {
        run->last_line = g_strdup(run->taking.tape->voice.last_line);
    }
    return part->end == TAPE_ENDS ? KERNEL_ENDED : KERNEL_YIELDED;
}

/* The run makes the calls itself: first those that it has taken, once more. */
static KernelStatus go_alone(KernelRun *run)
{
    const double value = run->value;
    g_autofree double *values = NULL;
    GError *error = NULL;
    guint used = 0;

    kernel_state_lock(run->voices);
    values = values_of(run);
    run->state = run->own_state(run->launch, run->region, &error);
    kernel_state_unlock(run->voices);
    player_leave(run);
    run->taking.again = run->taking.calls;
    if (run->state == NULL || !kernel_state_begin(run->state, run, NULL, &error)) {
        sim_region_fail(run->region, error);
        return KERNEL_FAILED;
    }
    for (guint64 i = 0; i < run->taking.part; i++) {
        run->value =
            run->is_value_wanted && used < run->taking.values ? values[used++] : 0;
        (void) kernel_state_try(run->state, run, NULL);
    }
    run->value = value;
    return kernel_state_resume(run->state, run);
}

KernelStatus player_play(KernelRun *run)
{
    KernelStatus status;
    TapePart *part;

    if (run->taking.tape == NULL) {
        return kernel_state_resume(run->state, run);
    }
    kernel_state_lock(run->voices);
    part = next_part(run);
    kernel_state_unlock(run->voices);
    if (part == NULL) {
        return go_alone(run);
    }
    status = take(run, part) ? finish_part(run, part) : go_alone(run);
    tape_part_unref(part);
    return status;
}

bool player_join(KernelRun *run, GError **error)
{
    GPtrArray *tapes = kernel_state_tapes(run->voices);
    Tape *tape = NULL;

    for (guint i = 0; i < tapes->len && tape == NULL; i++) {
        Tape *other = g_ptr_array_index(tapes, i);

        tape = tape_part_count(other) == 0 && is_alike(run, other) ? other : NULL;
    }
    if (tape == NULL) {
        tape = tape_new(run, error);
        if (tape == NULL) {
            return false;
        }
        g_ptr_array_add(tapes, tape);
    }
    put_on(tape, run);
    return true;
}
