/* Streams between the host and PEs, as methods of wafers. */
#include "workloads/wafer/stream.h"

#include <string.h>

#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"

typedef struct {
    ArchWseStream stream;
    HostBytes *bytes;
    bool is_to;
} WaferStream;

/* At least 1. */
static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return MAX(a, 1);
}

SimRatio wafer_stream_rate(const ArchParams *params, bool is_to, guint channels)
{
    const uint64_t bytes_per_second =
        arch_params_uint(params, is_to ? "host.host_to_device_bytes_per_second"
                                       : "host.device_to_host_bytes_per_second");
    const uint64_t saturating =
        MAX(arch_params_uint(params, "host.saturating_channel_count"), 1);
    const uint64_t num = arch_params_uint(params, "fabric.wavelet_bytes") *
                         arch_params_uint(params, "chip.clock_hz") * saturating;
    const uint64_t den = MAX(bytes_per_second, 1) * CLAMP(channels, 1U, saturating);
    const uint64_t divisor = common_divisor(num, den);

    return (SimRatio){num / divisor, MAX(den / divisor, 1)};
}

static guint count_along(guint first, guint last, guint step)
{
    return (last - first) / step + 1;
}

static uint64_t pe_count(const ArchWseTiles *tiles)
{
    return (uint64_t) count_along(tiles->x0, tiles->x1, tiles->dx) *
           count_along(tiles->y0, tiles->y1, tiles->dy);
}

static int add(lua_State *L, const char *what, bool is_to)
{
    static const char *const known[] = {"color", "buffer",   "count",
                                        "tiles", "channels", NULL};
    Wafer *self = wafer_check(L, what);

    arguments_check(L, 2, known);
    if (self->grain != ARCH_WSE_GRAIN_WAVELET) {
        return luaL_error(L, "%s: streams of the host need grain=wavelet", what);
    }
    WaferStream stream = {
        .is_to = is_to,
        .stream = {.tiles = wafer_tiles_of(L, 2, self),
                   .color = arguments_integer(L, 2, "color", -1, G_MAXUINT8),
                   .count = arguments_count(L, 2, "count", -1, G_MAXINT32)},
    };

    stream.stream.cycles_per_wavelet = wafer_stream_rate(
        arch_chip_params(self->session->chip), is_to,
        arguments_count(L, 2, "channels", WAFER_CHANNELS, WAFER_CHANNELS));
    if (field_push(L, 2, "buffer") != LUA_TUSERDATA) {
        return luaL_error(L, "buffer: expected one of host.buffer");
    }
    HostBytes *bytes = is_to ? host_bytes_check(L, lua_gettop(L))
                             : host_bytes_check_writable(L, lua_gettop(L));
    const uint64_t expected =
        pe_count(&stream.stream.tiles) * stream.stream.count * sizeof(uint32_t);

    if (bytes->count != expected) {
        return luaL_error(L, "buffer: %I bytes, the wavelets have %I",
                          (lua_Integer) bytes->count, (lua_Integer) expected);
    }
    stream.bytes = host_bytes_ref(bytes);
    if (self->streams == NULL) {
        self->streams = g_array_new(FALSE, FALSE, sizeof stream);
    }
    g_array_append_val(self->streams, stream);
    return 0;
}

int wafer_stream_to(lua_State *L)
{
    return add(L, "wafer:stream_to", true);
}

int wafer_stream_from(lua_State *L)
{
    return add(L, "wafer:stream_from", false);
}

/* Sends the words of a buffer, or zeros where a run has no data. */
static bool send(ArchWse *wse, const WaferStream *stream, GError **error)
{
    const HostBytes *bytes = stream->bytes;
    g_autofree uint32_t *words = g_malloc0(bytes->count);

    if (bytes->data != NULL) {
        memcpy(words, bytes->data, bytes->count);
    }
    return arch_wse_send(wse, &stream->stream, words, error);
}

bool wafer_streams_begin(Wafer *self, GError **error)
{
    ArchWse *wse = wafer_wse(self->session);

    for (guint i = 0; self->streams != NULL && i < self->streams->len; i++) {
        const WaferStream *stream = &g_array_index(self->streams, WaferStream, i);

        if (stream->is_to ? !send(wse, stream, error)
                          : !arch_wse_expect(wse, &stream->stream, error)) {
            return false;
        }
    }
    return true;
}

bool wafer_streams_take(Wafer *self, GError **error)
{
    for (guint i = 0; self->streams != NULL && i < self->streams->len; i++) {
        const WaferStream *stream = &g_array_index(self->streams, WaferStream, i);
        g_autofree uint32_t *words = NULL;

        if (stream->is_to) {
            continue;
        }
        words = g_malloc0(stream->bytes->count);
        if (!arch_wse_take(wafer_wse(self->session), &stream->stream, words, error)) {
            return false;
        }
        if (!host_bytes_can_change(stream->bytes, error)) {
            return false;
        }
        if (stream->bytes->data != NULL) {
            memcpy(stream->bytes->data, words, stream->bytes->count);
        }
    }
    return true;
}

void wafer_streams_clear(Wafer *self)
{
    for (guint i = 0; self->streams != NULL && i < self->streams->len; i++) {
        host_bytes_unref(g_array_index(self->streams, WaferStream, i).bytes);
    }
    g_clear_pointer(&self->streams, g_array_unref);
}
