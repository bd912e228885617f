/* Messages between a host program and the simulator, over a socket: an object of JSON,
 * and bytes. Before them go their lengths, 4 and 8 bytes, the lowest first. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct {
    JsonNode *node;
    JsonObject *words; /* of `node`, borrowed */
    guint8 *bytes;     /* NULL: none */
    gsize count;
} HostMessage;

void host_message_clear(HostMessage *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HostMessage, host_message_clear)

typedef enum {
    HOST_RECEIVED,
    HOST_CLOSED, /* the other side is gone */
    HOST_FAILED,
} HostStatus;

/* Asked a few times a second while nothing comes; false: stop waiting. */
typedef bool (*HostPatience)(gpointer data, GError **error);

/* Fails with WL_ERROR_SYNTAX, if it is no message, and as `patience` does. */
HostStatus host_message_read(HostMessage *self,
                             int socket,
                             HostPatience patience,
                             gpointer data,
                             GError **error);

/* Returns false if the other side is gone. */
bool host_message_write(const HostMessage *self, int socket);
