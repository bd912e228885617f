/* Starts processes and waits for them, without a thread for each. */
#include "workloads/batch.h"

#include <gio/gio.h>

enum {
    TICK_MILLISECONDS = 50,
};

/* A batch on its way. */
typedef struct {
    const WlBatch *batch;
    GMainLoop *loop;
    GHashTable *running; /* of Slot */
    guint next;
    bool is_stopped;
} Batch;

typedef struct {
    Batch *batch;
    guint index;
    GSubprocess *process; /* owned */
} Slot;

static void slot_free(gpointer data)
{
    Slot *self = data;

    g_clear_object(&self->process);
    g_free(self);
}

static void fill(Batch *self);

static void report(const Batch *self, guint index, WlProcess process)
{
    if (!self->is_stopped) {
        self->batch->done(self->batch->data, index, &process);
    }
    wl_process_clear(&process);
}

static char *text_of(GBytes *bytes)
{
    gsize length = 0;
    const char *data = bytes == NULL ? NULL : g_bytes_get_data(bytes, &length);

    return data == NULL ? g_strdup("") : g_strndup(data, length);
}

/* A GAsyncReadyCallback. */
static void ended(GObject *source, GAsyncResult *result, gpointer data)
{
    Slot *slot = data;
    Batch *self = slot->batch;
    g_autoptr(GBytes) out = NULL;
    g_autoptr(GBytes) complaints = NULL;
    g_autoptr(GError) error = NULL;

    if (g_subprocess_communicate_finish(G_SUBPROCESS(source), result, &out, &complaints,
                                        &error)) {
        g_autofree char *out_text = text_of(out);
        g_autofree char *complaints_text = text_of(complaints);

        report(self, slot->index,
               wl_process_read(out_text, complaints_text,
                               g_subprocess_get_status(slot->process)));
    } else {
        report(self, slot->index,
               (WlProcess){.code = WL_EXIT_STOPPED, .why = g_strdup(error->message)});
    }
    g_hash_table_remove(self->running, slot);
    fill(self);
}

static void start(Batch *self, guint index)
{
    const char *const *words = g_ptr_array_index(self->batch->runs, index);
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) line = wl_process_command(words[0], words + 1, &error);
    g_autoptr(GSubprocess) process =
        line == NULL ? NULL
                     : g_subprocess_newv((const char *const *) line,
                                         G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                             G_SUBPROCESS_FLAGS_STDERR_PIPE,
                                         &error);

    if (self->batch->begun != NULL) {
        self->batch->begun(self->batch->data, index);
    }
    if (process == NULL) {
        report(self, index,
               (WlProcess){.code = WL_EXIT_STOPPED, .why = g_strdup(error->message)});
        return;
    }
    Slot *slot = g_new(Slot, 1);

    *slot = (Slot){.batch = self, .index = index, .process = g_steal_pointer(&process)};
    g_hash_table_add(self->running, slot);
    g_subprocess_communicate_async(slot->process, NULL, NULL, ended, slot);
}

/* Starts what there is room for; ends the loop where nothing is left. */
static void fill(Batch *self)
{
    while (!self->is_stopped && self->next < self->batch->runs->len &&
           g_hash_table_size(self->running) < self->batch->jobs) {
        start(self, self->next++);
    }
    if (g_hash_table_size(self->running) == 0) {
        g_main_loop_quit(self->loop);
    }
}

/* A GSourceFunc. */
static gboolean tick(gpointer data)
{
    Batch *self = data;

    if (self->batch->is_stopping(self->batch->data) && !self->is_stopped) {
        GHashTableIter iterator;
        gpointer slot = NULL;

        self->is_stopped = true;
        g_hash_table_iter_init(&iterator, self->running);
        while (g_hash_table_iter_next(&iterator, &slot, NULL)) {
            g_subprocess_force_exit(((Slot *) slot)->process);
        }
    }
    return G_SOURCE_CONTINUE;
}

GPtrArray *wl_batch_runs_new(void)
{
    return g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
}

bool wl_batch_do(const WlBatch *self)
{
    g_autoptr(GMainContext) context = g_main_context_new();
    g_autoptr(GMainLoop) loop = g_main_loop_new(context, FALSE);
    g_autoptr(GHashTable) running = g_hash_table_new_full(NULL, NULL, slot_free, NULL);
    g_autoptr(GSource) ticks = g_timeout_source_new(TICK_MILLISECONDS);
    Batch batch = {.batch = self, .loop = loop, .running = running};

    if (self->runs->len == 0) {
        return true;
    }
    g_main_context_push_thread_default(context);
    g_source_set_callback(ticks, tick, &batch, NULL);
    if (self->is_stopping != NULL) {
        (void) g_source_attach(ticks, context);
    }
    fill(&batch);
    if (g_hash_table_size(running) > 0) {
        g_main_loop_run(loop);
    }
    g_source_destroy(ticks);
    g_main_context_pop_thread_default(context);
    return !batch.is_stopped;
}
