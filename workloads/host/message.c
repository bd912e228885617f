/* Messages: lengths, then JSON, then bytes. */
#include "workloads/host/message.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/narrow.h"
#include "workloads/error.h"

enum {
    HEAD_BYTES = 12,
    WORDS_BYTES = 4,
    TICK_MILLISECONDS = 100,
};

/* What a host program may send at a time. */
#define WORDS_MOST (G_GUINT64_CONSTANT(1) << 30)
#define BYTES_MOST (G_GUINT64_CONSTANT(1) << 36)

void host_message_clear(HostMessage *self)
{
    g_clear_pointer(&self->node, json_node_unref);
    g_clear_pointer(&self->bytes, g_free);
}

typedef struct {
    int socket;
    HostPatience patience;
    gpointer data;
} Reader;

static HostStatus wait_for(const Reader *self, GError **error)
{
    struct pollfd place = {.fd = self->socket, .events = POLLIN};

    while (poll(&place, 1, TICK_MILLISECONDS) == 0) {
        if (!self->patience(self->data, error)) {
            return HOST_FAILED;
        }
    }
    return HOST_RECEIVED;
}

static HostStatus
read_all(const Reader *self, gpointer bytes, gsize count, GError **error)
{
    guint8 *at = bytes;

    while (count > 0) {
        ssize_t got;

        if (wait_for(self, error) == HOST_FAILED) {
            return HOST_FAILED;
        }
        got = read(self->socket, at, count);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
            return HOST_CLOSED;
        }
        at += MAX(got, 0);
        count -= (gsize) MAX(got, 0);
    }
    return HOST_RECEIVED;
}

static uint64_t number_at(const guint8 *bytes, guint count)
{
    uint64_t value = 0;

    for (guint i = count; i-- > 0;) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static HostStatus refuse(GError **error, const char *why)
{
    (void) wl_refuse(error, "the host program sent %s", why);
    return HOST_FAILED;
}

static HostStatus
read_words(HostMessage *self, const Reader *reader, gsize length, GError **error)
{
    g_autofree char *text = g_try_malloc(length + 1);
    HostStatus status;

    if (text == NULL) {
        return refuse(error, "more words than memory can hold");
    }
    status = read_all(reader, text, length, error);
    if (status != HOST_RECEIVED) {
        return status;
    }
    text[length] = '\0';
    self->node = json_from_string(text, NULL);
    if (self->node == NULL || !JSON_NODE_HOLDS_OBJECT(self->node)) {
        return refuse(error, "something else than an object of JSON");
    }
    self->words = json_node_get_object(self->node);
    return HOST_RECEIVED;
}

HostStatus host_message_read(
    HostMessage *self, int socket, HostPatience patience, gpointer data, GError **error)
{
    const Reader reader = {.socket = socket, .patience = patience, .data = data};
    guint8 head[HEAD_BYTES];
    HostStatus status = read_all(&reader, head, sizeof head, error);

    *self = (HostMessage){0};
    if (status != HOST_RECEIVED) {
        return status;
    }
    const uint64_t words = number_at(head, WORDS_BYTES);

    self->count = number_at(head + WORDS_BYTES, HEAD_BYTES - WORDS_BYTES);
    if (words > WORDS_MOST || self->count > BYTES_MOST) {
        return refuse(error, "a message longer than any can be");
    }
    status = read_words(self, &reader, words, error);
    if (status != HOST_RECEIVED || self->count == 0) {
        return status;
    }
    self->bytes = g_try_malloc(self->count);
    return self->bytes == NULL ? refuse(error, "more bytes than memory can hold")
                               : read_all(&reader, self->bytes, self->count, error);
}

static bool write_all(int socket, gconstpointer bytes, gsize count)
{
    const guint8 *at = bytes;

    while (count > 0) {
        const ssize_t put = send(socket, at, count, MSG_NOSIGNAL);

        if (put < 0 && errno != EINTR) {
            return false;
        }
        at += MAX(put, 0);
        count -= (gsize) MAX(put, 0);
    }
    return true;
}

static void put_number(guint8 *bytes, guint count, uint64_t value)
{
    for (guint i = 0; i < count; i++) {
        bytes[i] = sim_u8(value >> 8 * i & 0xff);
    }
}

bool host_message_write(const HostMessage *self, int socket)
{
    g_autofree char *text = json_to_string(self->node, FALSE);
    guint8 head[HEAD_BYTES];

    put_number(head, WORDS_BYTES, strlen(text));
    put_number(head + WORDS_BYTES, HEAD_BYTES - WORDS_BYTES, self->count);
    return write_all(socket, head, sizeof head) &&
           write_all(socket, text, strlen(text)) &&
           write_all(socket, self->bytes, self->count);
}
