/* Deals tasks to all who are free. */
#include "tools/gridloom/sweep/gang.h"

#include <poll.h>
#include <string.h>

enum {
    /* MPI has nothing to wait for together with a pipe: look again and again. */
    RANKS_MILLISECONDS = 1,
    ALONE_MILLISECONDS = 100,
};

/* Tasks on their way. */
typedef struct {
    const SweepGang *gang;
    const SweepGangCalls *calls;
    const GArray *tasks;
    guint next;      /* the first that nobody has */
    GPtrArray *held; /* for each rank an array of SweepTask; that of 0 is the crew's */
} Deal;

static guint rank_count(const SweepGang *self)
{
    return self->ranks == NULL ? 1 : (guint) sweep_ranks_count(self->ranks);
}

static GArray *held_by(const Deal *self, guint rank)
{
    return g_ptr_array_index(self->held, rank);
}

static guint room_of(const Deal *self, guint rank)
{
    const guint held = held_by(self, rank)->len;

    if (rank == 0) {
        return sweep_crew_room(self->gang->crew);
    }
    return sweep_ranks_has(self->gang->ranks, (int) rank) && held <= self->gang->jobs
               ? self->gang->jobs + 1 - held
               : 0;
}

static void give(Deal *self, guint rank)
{
    const SweepTask task = g_array_index(self->tasks, SweepTask, self->next);

    self->next++;
    g_array_append_val(held_by(self, rank), task);
    if (rank == 0) {
        sweep_crew_send(self->gang->crew, task);
    } else {
        sweep_ranks_send(self->gang->ranks, (int) rank, SWEEP_TASK, &task, sizeof task);
    }
}

/* One to each in turn: at the end, when few are left, none has two and another none. */
static void deal(Deal *self)
{
    bool is_given = true;

    while (is_given) {
        is_given = false;
        for (guint i = 0; i < self->held->len && self->next < self->tasks->len; i++) {
            if (room_of(self, i) > 0) {
                give(self, i);
                is_given = true;
            }
        }
    }
}

static bool is_over(const Deal *self)
{
    bool is_idle = self->next == self->tasks->len;

    for (guint i = 0; i < self->held->len; i++) {
        is_idle = is_idle && held_by(self, i)->len == 0;
    }
    return is_idle;
}

/* Passes an answer on, unless somebody else has given it before. */
static bool take(const Deal *self, guint rank, SweepAnswer *answer, GError **error)
{
    GArray *held = held_by(self, rank);

    for (guint i = 0; i < held->len; i++) {
        if (g_array_index(held, SweepTask, i).run == answer->run) {
            g_autofree char *job = g_steal_pointer(&answer->worker);

            g_array_remove_index(held, i);
            answer->worker = g_strdup_printf("%u.%s", rank, job != NULL ? job : "");
            return self->calls->answer(self->calls->data, answer, error);
        }
    }
    return true;
}

static bool hear_crew(const Deal *self, GError **error)
{
    GError *failure = NULL;

    for (;;) {
        g_auto(SweepAnswer) answer = {0};

        if (!sweep_crew_receive(self->gang->crew, &answer, &failure)) {
            break;
        }
        if (!take(self, 0, &answer, error)) {
            return false;
        }
    }
    if (failure != NULL) {
        g_propagate_error(error, failure);
        return false;
    }
    return true;
}

/* All that a rank had is lost. */
static bool lose_rank(const Deal *self, guint rank, GError **error)
{
    GArray *held = held_by(self, rank);

    sweep_ranks_forget(self->gang->ranks, (int) rank);
    self->calls->gone(self->calls->data, (int) rank);
    while (held->len > 0) {
        g_auto(SweepAnswer) answer = sweep_answer_lost(
            g_array_index(held, SweepTask, 0).run, "its process was killed");

        if (!take(self, rank, &answer, error)) {
            return false;
        }
    }
    return true;
}

static bool hear_ranks(const Deal *self, GError **error)
{
    SweepLetter letter;
    int gone;

    while (self->gang->ranks != NULL &&
           sweep_ranks_receive(self->gang->ranks, &letter)) {
        g_auto(SweepAnswer) answer = {0};

        if (letter.kind == SWEEP_ANSWER &&
            sweep_answer_unpack(&answer, letter.bytes, letter.count) &&
            !take(self, (guint) letter.from, &answer, error)) {
            return false;
        }
    }
    gone = self->gang->ranks != NULL ? sweep_ranks_watch(self->gang->ranks) : -1;
    return gone < 0 || lose_rank(self, (guint) gone, error);
}

static void wait_for_crew(const SweepGang *self)
{
    struct pollfd file = {.fd = sweep_crew_file(self->crew), .events = POLLIN};

    (void) poll(&file, 1,
                self->ranks != NULL ? RANKS_MILLISECONDS : ALONE_MILLISECONDS);
}

bool sweep_gang_do(const SweepGang *self,
                   const GArray *tasks,
                   const SweepGangCalls *calls,
                   GError **error)
{
    g_autoptr(GPtrArray) held =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    Deal work = {.gang = self, .calls = calls, .tasks = tasks, .held = held};

    for (guint i = 0; i < rank_count(self); i++) {
        g_ptr_array_add(held, g_array_new(FALSE, FALSE, sizeof(SweepTask)));
    }
    for (;;) {
        deal(&work);
        if (is_over(&work) || calls->is_stopping(calls->data)) {
            return true;
        }
        wait_for_crew(self);
        if (!hear_crew(&work, error) || !hear_ranks(&work, error)) {
            return false;
        }
    }
}

/* Waits for the next message of rank `from`. */
static bool await(SweepRanks *ranks, SweepLetter *letter, int *gone)
{
    while (!sweep_ranks_receive(ranks, letter)) {
        *gone = sweep_ranks_watch(ranks);
        if (*gone >= 0) {
            return false;
        }
        (void) poll(NULL, 0, RANKS_MILLISECONDS);
    }
    return true;
}

bool sweep_gang_meet(const SweepGang *self, const char *digest, GError **error)
{
    const int count = (int) rank_count(self);
    int gone = 0;

    for (int heard = 1; heard < count;) {
        SweepLetter letter;

        if (!await(self->ranks, &letter, &gone)) {
            sweep_ranks_forget(self->ranks, gone);
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                        "rank %d has not begun", gone);
            return false;
        }
        heard += letter.kind == SWEEP_HELLO || letter.kind == SWEEP_SORRY ? 1 : 0;
        g_autofree char *text = g_strndup(letter.bytes, letter.count);

        if (letter.kind == SWEEP_SORRY) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "rank %d: %s",
                        letter.from, text);
            return false;
        }
        if (letter.kind == SWEEP_HELLO && !g_str_equal(text, digest)) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                        "rank %d: its files make another sweep than those of rank 0",
                        letter.from);
            return false;
        }
    }
    return true;
}

/* Passes on what the crew has done. */
static bool tell_answers(const SweepGang *self, GError **error)
{
    GError *failure = NULL;

    for (;;) {
        g_auto(SweepAnswer) answer = {0};

        if (!sweep_crew_receive(self->crew, &answer, &failure)) {
            break;
        }
        g_autoptr(GBytes) packed = sweep_answer_pack(&answer);
        gsize count = 0;
        gconstpointer bytes = g_bytes_get_data(packed, &count);

        sweep_ranks_send(self->ranks, 0, SWEEP_ANSWER, bytes, count);
    }
    if (failure != NULL) {
        g_propagate_error(error, failure);
        return false;
    }
    return true;
}

bool sweep_gang_serve(const SweepGang *self, GError **error)
{
    for (;;) {
        SweepLetter letter;

        while (sweep_ranks_receive(self->ranks, &letter)) {
            SweepTask task;

            if (letter.kind == SWEEP_END) {
                return true;
            }
            if (letter.kind == SWEEP_TASK && letter.count == sizeof task) {
                memcpy(&task, letter.bytes, sizeof task);
                sweep_crew_send(self->crew, task);
            }
        }
        if (sweep_ranks_watch(self->ranks) >= 0) {
            sweep_ranks_forget(self->ranks, 0);
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "rank 0 is gone");
            return false;
        }
        wait_for_crew(self);
        if (!tell_answers(self, error)) {
            return false;
        }
    }
}
