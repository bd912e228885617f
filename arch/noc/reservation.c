/* Paths that are held from end to end: all of a path or nothing, first come first
 * served.
 *
 * Who waits holds nothing, so nobody waits in a ring; and what waits is never overtaken
 * on a channel it wants, so nobody waits for ever. */
#include "arch/noc/reservation.h"

#include <stdbool.h>

typedef struct {
    uint32_t owner;
    GArray *path;
    NocReservedFunc granted;
    gpointer data;
} Request;

typedef struct {
    uint32_t owner; /* while it is held */
    guint count;    /* of paths that hold it */
    guint64 wanted; /* the last round in which an earlier request had to wait for it */
} Channel;

struct NocReservations {
    Channel *channels;
    GQueue waiting; /* of Request, by age */
    guint64 round;
};

NocReservations *noc_reservations_new(guint channel_count)
{
    NocReservations *self = g_new0(NocReservations, 1);

    self->channels = g_new0(Channel, channel_count);
    return self;
}

static void request_free(gpointer data)
{
    Request *self = data;

    g_array_unref(self->path);
    g_free(self);
}

void noc_reservations_free(NocReservations *self)
{
    if (self != NULL) {
        g_queue_clear_full(&self->waiting, request_free);
        g_free(self->channels);
        g_free(self);
    }
}

guint noc_reservations_waiting(const NocReservations *self)
{
    return self->waiting.length;
}

static Channel *channel_of(const NocReservations *self, const GArray *path, guint index)
{
    return &self->channels[g_array_index(path, uint32_t, index)];
}

static bool is_free(const NocReservations *self, const Request *request)
{
    for (guint i = 0; i < request->path->len; i++) {
        const Channel *channel = channel_of(self, request->path, i);

        if (channel->wanted == self->round ||
            (channel->count > 0 && channel->owner != request->owner)) {
            return false;
        }
    }
    return true;
}

static void hold(const NocReservations *self, const Request *request)
{
    for (guint i = 0; i < request->path->len; i++) {
        Channel *channel = channel_of(self, request->path, i);

        channel->owner = request->owner;
        channel->count++;
    }
}

static void want(const NocReservations *self, const Request *request)
{
    for (guint i = 0; i < request->path->len; i++) {
        channel_of(self, request->path, i)->wanted = self->round;
    }
}

/* Grants what can be granted, the oldest first. */
static void serve(NocReservations *self)
{
    g_autoptr(GPtrArray) granted = g_ptr_array_new_with_free_func(request_free);
    GList *next;

    self->round++;
    for (GList *link = self->waiting.head; link != NULL; link = next) {
        Request *request = link->data;

        next = link->next;
        if (is_free(self, request)) {
            hold(self, request);
            g_ptr_array_add(granted, request);
            g_queue_delete_link(&self->waiting, link);
        } else {
            want(self, request);
        }
    }
    for (guint i = 0; i < granted->len; i++) {
        const Request *request = g_ptr_array_index(granted, i);

        request->granted(request->data);
    }
}

void noc_reservations_ask(NocReservations *self,
                          uint32_t owner,
                          GArray *path,
                          NocReservedFunc granted,
                          gpointer data)
{
    Request *request = g_new(Request, 1);

    *request = (Request){
        .owner = owner,
        .path = g_array_ref(path),
        .granted = granted,
        .data = data,
    };
    g_queue_push_tail(&self->waiting, request);
    serve(self);
}

void noc_reservations_hold_again(NocReservations *self, uint32_t owner, GArray *path)
{
    for (guint i = 0; i < path->len; i++) {
        Channel *channel = channel_of(self, path, i);

        g_assert(channel->count > 0 && channel->owner == owner);
        channel->count++;
    }
}

void noc_reservations_release(NocReservations *self, uint32_t owner, GArray *path)
{
    for (guint i = 0; i < path->len; i++) {
        Channel *channel = channel_of(self, path, i);

        g_assert(channel->count > 0 && channel->owner == owner);
        channel->count--;
    }
    if (self->waiting.length > 0) {
        serve(self);
    }
}
