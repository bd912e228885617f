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
} MetalMessage;

void metal_message_clear(MetalMessage *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MetalMessage, metal_message_clear)

typedef enum {
    METAL_RECEIVED,
    METAL_CLOSED, /* the other side is gone */
    METAL_FAILED,
} MetalStatus;

/* Asked a few times a second while nothing comes; false: stop waiting. */
typedef bool (*MetalPatience)(gpointer data, GError **error);

/* Fails with WL_ERROR_SYNTAX, if it is no message, and as `patience` does. */
MetalStatus metal_message_read(MetalMessage *self,
                               int socket,
                               MetalPatience patience,
                               gpointer data,
                               GError **error);

/* Returns false if the other side is gone. */
bool metal_message_write(const MetalMessage *self, int socket);
