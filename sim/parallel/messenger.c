/* Counts parcels sent and delivered. A parcel is some thousand records, a millisecond's
 * work, so that locks cost nothing and spinning would not pay. */
#include "sim/parallel/messenger.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/narrow.h"

/* Locks are those of pthread, as the thread sanitizer does not see GLib's. */
struct Messenger {
    MessengerFunc func;
    gpointer data;
    GThread *thread;
    pthread_mutex_t mutex;
    pthread_cond_t has_sent; /* a parcel, or is_over */
    pthread_cond_t has_delivered;
    uint64_t sent;
    uint64_t delivered;
    bool is_over;
};

static gpointer deliver(gpointer data)
{
    Messenger *self = data;

    (void) pthread_mutex_lock(&self->mutex);
    for (;;) {
        while (self->delivered == self->sent && !self->is_over) {
            (void) pthread_cond_wait(&self->has_sent, &self->mutex);
        }
        if (self->delivered == self->sent) {
            break;
        }
        (void) pthread_mutex_unlock(&self->mutex);
        self->func(self->data, sim_u32(self->delivered % MESSENGER_PARCELS));
        (void) pthread_mutex_lock(&self->mutex);
        self->delivered++;
        (void) pthread_cond_signal(&self->has_delivered);
    }
    (void) pthread_mutex_unlock(&self->mutex);
    return NULL;
}

static void discard(Messenger *self)
{
    (void) pthread_mutex_destroy(&self->mutex);
    (void) pthread_cond_destroy(&self->has_sent);
    (void) pthread_cond_destroy(&self->has_delivered);
    g_free(self);
}

Messenger *messenger_new(MessengerFunc func, gpointer data)
{
    Messenger *self = g_new0(Messenger, 1);

    self->func = func;
    self->data = data;
    (void) pthread_mutex_init(&self->mutex, NULL);
    (void) pthread_cond_init(&self->has_sent, NULL);
    (void) pthread_cond_init(&self->has_delivered, NULL);
    self->thread = g_thread_try_new("messenger", deliver, self, NULL);
    if (self->thread == NULL) {
        discard(self);
        return NULL;
    }
    return self;
}

void messenger_free(Messenger *self)
{
    if (self != NULL) {
        (void) pthread_mutex_lock(&self->mutex);
        self->is_over = true;
        (void) pthread_cond_signal(&self->has_sent);
        (void) pthread_mutex_unlock(&self->mutex);
        (void) g_thread_join(self->thread);
        discard(self);
    }
}

/* Returns when at most so many are under way. */
static void wait_for(Messenger *self, guint most)
{
    (void) pthread_mutex_lock(&self->mutex);
    while (self->sent - self->delivered > most) {
        (void) pthread_cond_wait(&self->has_delivered, &self->mutex);
    }
    (void) pthread_mutex_unlock(&self->mutex);
}

guint messenger_parcel(Messenger *self)
{
    wait_for(self, MESSENGER_PARCELS - 1);
    return sim_u32(self->sent % MESSENGER_PARCELS); /* only the sender changes it */
}

void messenger_send(Messenger *self)
{
    (void) pthread_mutex_lock(&self->mutex);
    self->sent++;
    (void) pthread_cond_signal(&self->has_sent);
    (void) pthread_mutex_unlock(&self->mutex);
}

void messenger_wait(Messenger *self)
{
    wait_for(self, 0);
}
