/* One buffer at a time changes hands. The locks are those of POSIX, which the thread
 * sanitizer knows. */
#include "traces/writing/pftrace/writer.h"

#include <pthread.h>
#include <stdbool.h>

struct Writer {
    TraceDraft *draft;
    GThread *thread; /* NULL: there was no buffer so far */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    const guint8 *bytes; /* to be written; NULL: the thread is idle */
    gsize size;
    bool is_over;
};

Writer *writer_new(TraceDraft *draft)
{
    Writer *self = g_new0(Writer, 1);

    self->draft = draft;
    (void) pthread_mutex_init(&self->mutex, NULL);
    (void) pthread_cond_init(&self->changed, NULL);
    return self;
}

static gpointer work(gpointer data)
{
    Writer *self = data;

    (void) pthread_mutex_lock(&self->mutex);
    for (;;) {
        while (self->bytes == NULL && !self->is_over) {
            (void) pthread_cond_wait(&self->changed, &self->mutex);
        }
        if (self->bytes == NULL) {
            break;
        }
        (void) pthread_mutex_unlock(&self->mutex);
        trace_draft_put(self->draft, self->bytes, self->size);
        (void) pthread_mutex_lock(&self->mutex);
        self->bytes = NULL;
        (void) pthread_cond_signal(&self->changed);
    }
    (void) pthread_mutex_unlock(&self->mutex);
    return NULL;
}

/* With the mutex. */
static void wait_idle(Writer *self)
{
    while (self->bytes != NULL) {
        (void) pthread_cond_wait(&self->changed, &self->mutex);
    }
}

void writer_put(Writer *self, const guint8 *bytes, gsize size)
{
    if (self->thread == NULL) {
        self->thread = g_thread_new("trace-writer", work, self);
    }
    (void) pthread_mutex_lock(&self->mutex);
    wait_idle(self);
    self->bytes = bytes;
    self->size = size;
    (void) pthread_cond_signal(&self->changed);
    (void) pthread_mutex_unlock(&self->mutex);
}

void writer_wait(Writer *self)
{
    (void) pthread_mutex_lock(&self->mutex);
    wait_idle(self);
    (void) pthread_mutex_unlock(&self->mutex);
}

void writer_free(Writer *self)
{
    if (self == NULL) {
        return;
    }
    (void) pthread_mutex_lock(&self->mutex);
    self->is_over = true;
    (void) pthread_cond_signal(&self->changed);
    (void) pthread_mutex_unlock(&self->mutex);
    if (self->thread != NULL) {
        g_thread_join(self->thread);
    }
    (void) pthread_mutex_destroy(&self->mutex);
    (void) pthread_cond_destroy(&self->changed);
    g_free(self);
}
