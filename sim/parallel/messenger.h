/* A messenger: a thread of its own that delivers parcels, one after another in the
 * order in which they were sent, while the sender fills the next one. It has few of
 * them, so that a sender who is faster waits for it. */
#pragma once

#include <glib.h>

typedef struct Messenger Messenger;

enum {
    MESSENGER_PARCELS = 2,
};

/* Delivers a parcel, of 0 to MESSENGER_PARCELS - 1. */
typedef void (*MessengerFunc)(gpointer data, guint parcel);

/* NULL where the host has no thread to give. */
Messenger *messenger_new(MessengerFunc func, gpointer data);
/* What was sent is delivered first. */
void messenger_free(Messenger *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Messenger, messenger_free)

/* The parcel to fill next; returns when it is not under way any more. One sender at a
 * time. */
guint messenger_parcel(Messenger *self);

/* Sends that parcel. */
void messenger_send(Messenger *self);

/* Returns when all that was sent is delivered; the sender sees what that changed. */
void messenger_wait(Messenger *self);
