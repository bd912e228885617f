/* Moves wavelets between the host and the routers of PEs. */
#include "arch/wse/host.h"

#include <string.h>

#include "arch/error.h"
#include "sim/narrow.h"

enum {
    SLOT_BITS = 8,
};

/* One color of one PE. Word i moves in cycle `start` + (first + i) * interval at the
 * earliest, and after the one before. */
typedef struct {
    GArray *words;  /* of uint32_t */
    guint moved;    /* of those to send; of those to take all are */
    guint expected; /* to take */
    uint32_t start;
    uint64_t first;
    SimRatio interval;
} WseHostStream;

static void stream_free(gpointer data)
{
    WseHostStream *self = data;

    g_array_unref(self->words);
    g_free(self);
}

static gpointer key_of(uint32_t pe, guint slot)
{
    return GSIZE_TO_POINTER((gsize) pe << SLOT_BITS | slot);
}

static WseHostStream *find(const WseFabric *fabric, uint32_t pe, guint slot)
{
    return fabric->host == NULL ? NULL
                                : g_hash_table_lookup(fabric->host, key_of(pe, slot));
}

static WseHostStream *find_or_add(WseFabric *fabric, uint32_t pe, guint slot)
{
    WseHostStream *stream = find(fabric, pe, slot);

    if (stream != NULL) {
        return stream;
    }
    if (fabric->host == NULL) {
        fabric->host = g_hash_table_new_full(NULL, NULL, NULL, stream_free);
    }
    stream = g_new0(WseHostStream, 1);
    stream->words = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_hash_table_insert(fabric->host, key_of(pe, slot), stream);
    return stream;
}

/* Words that have yet to move. */
static guint left_of(const WseHostStream *self)
{
    return self->expected > 0 ? self->expected - MIN(self->words->len, self->expected)
                              : self->words->len - self->moved;
}

static uint32_t earliest(const WseHostStream *self, guint word)
{
    const uint64_t number = self->first + word;

    return sim_u32(self->start + number * self->interval.num / self->interval.den);
}

static bool has_place(const WseFabric *fabric, const WseRing *ring)
{
    return ring->count < MIN(ring->depth, fabric->numbers.host_depth);
}

bool wse_host_lets_in(const WseFabric *fabric,
                      uint32_t pe,
                      guint slot,
                      const WseRing *ring)
{
    const WseHostStream *stream = find(fabric, pe, slot);

    return has_place(fabric, ring) || (stream != NULL && left_of(stream) > 0);
}

void wse_host_feed(WseRouterVisit *visit, guint slot)
{
    WseHostStream *stream = find(visit->fabric, visit->number, slot);

    if (stream == NULL || stream->expected > 0 || left_of(stream) == 0 ||
        earliest(stream, stream->moved) > visit->now) {
        return;
    }
    WseRing *ring = &visit->rings[visit->colors[slot].rings[ARCH_WSE_RAMP]];

    if (!has_place(visit->fabric, ring) ||
        wse_ring_back_time(ring, visit->slots) > visit->now) {
        return;
    }
    const WseToken token = {
        .head = visit->now,
        .count = 1,
        .data = g_array_index(stream->words, uint32_t, stream->moved),
    };
    wse_ring_push(ring, visit->slots, &token);
    visit->region->afloat++;
    stream->moved++;
}

void wse_host_look_again(WseRouterVisit *visit, guint slot)
{
    const WseHostStream *stream = find(visit->fabric, visit->number, slot);
    const WseRing *ring = &visit->rings[visit->colors[slot].rings[ARCH_WSE_RAMP]];

    if (stream == NULL || left_of(stream) == 0) {
        return;
    }
    visit->pe->pending |= 1u << slot;
    if (stream->expected > 0) {
        return; /* the PE's wavelets call */
    }
    if (has_place(visit->fabric, ring)) {
        const uint32_t head = wse_ring_back_time(ring, visit->slots);
        const uint32_t when = MAX(head, earliest(stream, stream->moved));

        visit->again = MIN(visit->again, MAX(when, visit->now + 1));
    }
}

bool wse_host_accept(WseRouterVisit *visit, guint slot, const WseToken *token)
{
    WseHostStream *stream = find(visit->fabric, visit->number, slot);

    if (stream == NULL || stream->words->len >= stream->expected) {
        return false;
    }
    const uint32_t when = earliest(stream, stream->words->len);

    if (!wse_visit_is_free(visit, when)) {
        return false;
    }
    g_array_append_val(stream->words, token->data);
    return true;
}

guint wse_host_left(const WseRegion *region, uint32_t pe, guint *color)
{
    const WseKind *kind = wse_region_kind(region, wse_region_pe(region, pe));
    guint left = 0;

    for (guint slot = 0;
         region->fabric->host != NULL && slot < kind->router->route_count; slot++) {
        const WseHostStream *stream = find(region->fabric, pe, slot);

        if (stream != NULL && left_of(stream) > 0) {
            *color = kind->router->routes[slot].color;
            left += left_of(stream);
        }
    }
    return left;
}

static bool check(const WseFabric *fabric,
                  const ArchWseStream *stream,
                  ArchWseHost host,
                  GError **error)
{
    const ArchWseTiles *tiles = &stream->tiles;
    const ArchWseLayout *layout = fabric->layout;

    if (fabric->is_fresh) {
        return arch_refuse(error, "a stream of color %u before the start",
                           stream->color);
    }
    if (tiles->x1 >= layout->columns || tiles->y1 >= layout->rows || tiles->dx == 0 ||
        tiles->dy == 0 || stream->color >= WSE_COLORS) {
        return arch_refuse(error, "a stream of color %u to PEs up to %u,%u of %ux%u",
                           stream->color, tiles->x1, tiles->y1, layout->columns,
                           layout->rows);
    }
    for (guint y = tiles->y0; y <= tiles->y1; y += tiles->dy) {
        for (guint x = tiles->x0; x <= tiles->x1; x += tiles->dx) {
            const WseRouter *router =
                &g_array_index(layout->routers, WseRouter,
                               layout->router_of[wse_layout_pe(layout, x, y)]);
            const uint8_t slot = router->slots[stream->color];

            if (slot == WSE_NO_RING || router->routes[slot].host != host) {
                return arch_refuse(error,
                                   "pe[%u,%u]: color %u is not one that the "
                                   "host %s",
                                   x, y, stream->color,
                                   host == ARCH_WSE_HOST_SENDS ? "sends" : "takes");
            }
        }
    }
    return true;
}

typedef void (*StreamFunc)(WseHostStream *stream,
                           const ArchWseStream *config,
                           const uint32_t *words);

/* Calls for every PE of the tiles; `words` is where its own begin. */
static void for_each(WseFabric *fabric,
                     const ArchWseStream *config,
                     StreamFunc func,
                     const uint32_t *words)
{
    const ArchWseTiles *tiles = &config->tiles;
    const uint32_t now = sim_u32(sim_engine_now(fabric->engine) + 1 - fabric->start);
    uint64_t first = 0;

    for (guint y = tiles->y0; y <= tiles->y1; y += tiles->dy) {
        for (guint x = tiles->x0; x <= tiles->x1; x += tiles->dx) {
            uint32_t number = 0;
            WseRegion *region = wse_fabric_find(fabric, x, y, &number);
            WsePe *pe = wse_region_pe(region, number);
            const guint slot =
                wse_region_kind(region, pe)->router->slots[config->color];
            WseHostStream *stream = find_or_add(fabric, number, slot);

            stream->start = now;
            stream->first = first;
            stream->interval = config->cycles_per_wavelet;
            func(stream, config, words == NULL ? NULL : words + first);
            pe->pending |= 1u << slot;
            wse_region_call(region, number, now, 1u << slot);
            first += config->count;
        }
    }
}

static void
add_words(WseHostStream *stream, const ArchWseStream *config, const uint32_t *words)
{
    g_array_remove_range(stream->words, 0, stream->moved);
    stream->moved = 0;
    g_array_append_vals(stream->words, words, config->count);
}

bool wse_host_send(WseFabric *fabric,
                   const ArchWseStream *stream,
                   const uint32_t *words,
                   GError **error)
{
    if (!check(fabric, stream, ARCH_WSE_HOST_SENDS, error)) {
        return false;
    }
    for_each(fabric, stream, add_words, words);
    return true;
}

static void
expect_words(WseHostStream *stream, const ArchWseStream *config, const uint32_t *words)
{
    (void) words;
    g_array_set_size(stream->words, 0);
    stream->expected = config->count;
}

bool wse_host_expect(WseFabric *fabric, const ArchWseStream *stream, GError **error)
{
    if (!check(fabric, stream, ARCH_WSE_HOST_TAKES, error)) {
        return false;
    }
    for_each(fabric, stream, expect_words, NULL);
    return true;
}

bool wse_host_take(const WseFabric *fabric,
                   const ArchWseStream *stream,
                   uint32_t *words,
                   GError **error)
{
    const ArchWseTiles *tiles = &stream->tiles;

    if (!check(fabric, stream, ARCH_WSE_HOST_TAKES, error)) {
        return false;
    }
    for (guint y = tiles->y0; y <= tiles->y1; y += tiles->dy) {
        for (guint x = tiles->x0; x <= tiles->x1; x += tiles->dx) {
            uint32_t pe = 0;
            const WseRegion *region = wse_fabric_find(fabric, x, y, &pe);
            const WseKind *kind = wse_region_kind(region, wse_region_pe(region, pe));
            const WseHostStream *got =
                find(fabric, pe, kind->router->slots[stream->color]);

            if (got == NULL || got->words->len < stream->count) {
                return arch_refuse(error, "pe[%u,%u]: %u of %u wavelets of color %u", x,
                                   y, got == NULL ? 0 : got->words->len, stream->count,
                                   stream->color);
            }
            memcpy(words, got->words->data, stream->count * sizeof *words);
            words += stream->count;
        }
    }
    return true;
}
