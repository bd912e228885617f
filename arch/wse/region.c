/* Visits the PEs of a strip. */
#include "arch/wse/region.h"

#include <stdarg.h>

#include "arch/error.h"
#include "arch/wse/advance.h"
#include "arch/wse/ce/ce.h"
#include "arch/wse/data/backlog.h"
#include "arch/wse/rank/fit.h"
#include "arch/wse/rank/ranks.h"
#include "arch/wse/router/router.h"
#include "arch/wse/wake.h"
#include "arch/wse/watch/watch.h"
#include "sim/narrow.h"

enum {
    LINE = 64,
    GROUP = 4, /* lines that are asked for together */
    AHEAD = 4, /* PEs whose state is asked for before it is visited */
    FAR_AHEAD = 8,
    CACHE_BYTES = 1 << 19,
    MARKS = 64, /* of a word */
    FEW = 8,    /* PEs that are sorted without marks */
};

typedef char Line[LINE];

/* The PEs that a region visits alone, each with a state of its own. */
static WseRanks *ranks_new(WseRegion *self)
{
    const WseFabric *fabric = self->fabric;
    const bool is_whole = fabric->columns.count + fabric->rows.count == 0 &&
                          fabric->bands.strip_count == 1;

    return is_whole && self == &fabric->regions[0] ? wse_ranks_new(self) : NULL;
}

void wse_region_move(WseRegion *self)
{
    const WseFabric *fabric = self->fabric;
    const WseBlock *parts = &fabric->block;
    const guint width = wse_axis_kept(&fabric->columns);

    self->blocks = fabric->blocks;
    self->block_bytes = fabric->block.bytes;
    self->kinds = (const WseKind *) (gconstpointer) fabric->kinds->data;
    self->wheels = fabric->wheels;
    g_free(self->marks);
    self->marks = g_new0(uint64_t, fabric->pe_count / MARKS + 1);
    self->order = g_renew(uint32_t, self->order, fabric->pe_count + FEW);
    self->width = width;
    self->steps[ARCH_WSE_WEST] = UINT32_MAX;
    self->steps[ARCH_WSE_EAST] = 1;
    self->steps[ARCH_WSE_NORTH] = -width;
    self->steps[ARCH_WSE_SOUTH] = width;
    self->strides[ARCH_WSE_EAST] = (gssize) fabric->block.bytes;
    self->strides[ARCH_WSE_WEST] = -self->strides[ARCH_WSE_EAST];
    self->strides[ARCH_WSE_SOUTH] = self->strides[ARCH_WSE_EAST] * (gssize) width;
    self->strides[ARCH_WSE_NORTH] = -self->strides[ARCH_WSE_SOUTH];
    self->router_lines = sim_u32((parts->slots - 1) / LINE);
    self->ce_lines = sim_u32((parts->variables - parts->threads) / LINE);
    self->is_large = (gsize) fabric->pe_count * fabric->block.bytes > CACHE_BYTES;
    wse_ranks_free(self->ranks);
    self->ranks = ranks_new(self);
}

void wse_region_begin(WseRegion *self, WseFabric *fabric, guint index)
{
    self->fabric = fabric;
    self->sim = sim_engine_region(fabric->engine, index);
    wse_region_move(self);
    self->memory = fabric->memory;
    self->executed = g_new(uint64_t, fabric->code_count);
    self->moved = g_new(WseMoved, fabric->code_count);
    self->spent = fabric->has_lines ? g_new(WseSpent, fabric->code_count) : NULL;
    self->phase_cycles = g_new(uint64_t, fabric->phases->len);
    self->phase_streams = g_new(guint, fabric->phases->len);
    self->ends = g_array_new(FALSE, TRUE, sizeof(WseEnds));
    if (fabric->is_functional) {
        self->payloads = wse_payloads_new(sim_u32(self - fabric->regions));
    }
    wse_region_reset(self);
}

void wse_region_end(WseRegion *self)
{
    wse_payloads_free(self->payloads);
    wse_ranks_free(self->ranks);
    g_free(self->marks);
    g_free(self->order);
    g_array_unref(self->ends);
    g_free(self->phase_streams);
    g_free(self->phase_cycles);
    g_free(self->executed);
    g_free(self->moved);
    g_free(self->spent);
    g_clear_error(&self->failure);
}

static void reset_counters(WseRegion *self)
{
    const guint phase_count = self->fabric->phases->len;

    self->link_wavelets = 0;
    self->afloat = 0;
    self->polls = 0;
    self->scalars = 0;
    for (guint i = 0; i < self->fabric->code_count; i++) {
        self->executed[i] = 0;
        self->moved[i] = (WseMoved){0};
        if (self->spent != NULL) {
            self->spent[i] = (WseSpent){0};
        }
    }
    for (guint i = 0; i < phase_count; i++) {
        self->phase_cycles[i] = 0;
        self->phase_streams[i] = 0;
    }
    g_array_set_size(self->ends, 0);
}

void wse_region_reset(WseRegion *self)
{
    self->now = 0;
    self->left_out = 0;
    self->has_naps = false;
    wse_ranks_reset(self->ranks);
    reset_counters(self);
}

static void absorb_ends(GArray *ends, const GArray *others, guint times)
{
    if (others->len > ends->len) {
        g_array_set_size(ends, others->len);
    }
    for (guint i = 0; i < others->len; i++) {
        WseEnds *end = &g_array_index(ends, WseEnds, i);
        const WseEnds *other = &g_array_index(others, WseEnds, i);

        if (other->count == 0) {
            continue;
        }
        end->first = end->count == 0 ? other->first : MIN(end->first, other->first);
        end->last = MAX(end->last, other->last);
        end->count += other->count * times;
        end->sum += other->sum * times;
    }
}

void wse_region_absorb(WseRegion *self, WseRegion *other, guint times)
{
    self->link_wavelets += other->link_wavelets * times;
    self->afloat += other->afloat * times;
    self->polls += other->polls * times;
    self->scalars += other->scalars * times;
    for (guint i = 0; i < self->fabric->code_count; i++) {
        self->executed[i] += other->executed[i] * times;
        self->moved[i].half_words += other->moved[i].half_words * times;
        self->moved[i].ramp_words += other->moved[i].ramp_words * times;
        if (self->spent != NULL) {
            self->spent[i].busy += other->spent[i].busy * times;
            self->spent[i].memory_idle += other->spent[i].memory_idle * times;
        }
    }
    for (guint i = 0; i < self->fabric->phases->len; i++) {
        self->phase_cycles[i] += other->phase_cycles[i] * times;
        self->phase_streams[i] = MAX(self->phase_streams[i], other->phase_streams[i]);
    }
    absorb_ends(self->ends, other->ends, times);
    reset_counters(other);
}

static void
visit(WseRegion *self, WsePe *pe, uint32_t number, uint32_t now, uint32_t due)
{
    if (due & ~WSE_DUE_CE) {
        wse_router_poll(self, pe, number, now, due);
    }
    if (due & WSE_DUE_CE) {
        wse_ce_poll(self, pe, number, now);
    }
}

/* As sort() below, of a few. One that is there twice stays so: the second time, nothing
 * of it is due. */
static uint32_t sort_few(uint32_t *order, const WseChunk *chunk)
{
    for (uint32_t i = 0; i < chunk->count; i++) {
        const uint32_t number = chunk->entries[i] & WSE_WHEEL_NUMBER;
        uint32_t at = i;

        for (; at > 0 && order[at - 1] > number; at--) {
            order[at] = order[at - 1];
        }
        order[at] = number;
    }
    return chunk->count;
}

/* Puts the PEs of a bucket into the order of their numbers, so that visits go through
 * the host's memory in one direction. Returns how many they are. */
static uint32_t sort(WseRegion *self, const WseChunk *chunk)
{
    uint32_t first = UINT32_MAX;
    uint32_t last = 0;
    uint32_t count = 0;

    if (chunk != NULL && chunk->next == NULL && chunk->count <= FEW) {
        return sort_few(self->order, chunk);
    }
    for (; chunk != NULL; chunk = chunk->next) {
        for (uint32_t i = 0; i < chunk->count; i++) {
            const uint32_t number = chunk->entries[i] & WSE_WHEEL_NUMBER;
            const uint32_t word = number / MARKS;

            self->marks[word] |= UINT64_C(1) << number % MARKS;
            first = MIN(first, word);
            last = MAX(last, word);
        }
    }
    for (uint32_t word = first; word <= last; word++) {
        for (uint64_t left = self->marks[word]; left != 0; left &= left - 1) {
            self->order[count++] = word * MARKS + (uint32_t) __builtin_ctzll(left);
        }
        self->marks[word] = 0;
    }
    return count;
}

/* Inlined in any case: compilers think that a function which only asks does nothing,
 * and leave its calls out. */
G_ALWAYS_INLINE static inline void
ask_for_lines(const WsePe *pe, gsize from, guint lines)
{
    const Line *line = (const Line *) (gconstpointer) ((const char *) pe + from);

    for (guint i = 0; i < lines; i += GROUP, line += GROUP) {
        __builtin_prefetch(line[0], 1);
        __builtin_prefetch(line[1], 1);
        __builtin_prefetch(line[2], 1);
        __builtin_prefetch(line[3], 1);
    }
}

/* Asks the host's memory for what the visits after number `index` will read of their
 * PEs. */
G_ALWAYS_INLINE static inline void
ask_ahead(const WseRegion *self, uint32_t index, uint32_t now)
{
    const WseBlock *parts = &self->fabric->block;
    const uint32_t count = self->taken;

    if (index + FAR_AHEAD < count) {
        __builtin_prefetch(wse_region_pe(self, self->order[index + FAR_AHEAD]), 1);
    }
    if (index + AHEAD >= count) {
        return;
    }
    const uint32_t number = self->order[index + AHEAD];
    const WsePe *pe = wse_region_pe(self, number);

    if (wse_is_watched(self)) {
        __builtin_prefetch(&self->watch->seen[number], 1);
    }
    ask_for_lines(pe, LINE, self->router_lines);
    if (pe->due[now % WSE_NEAR_CYCLES] & WSE_DUE_CE) {
        ask_for_lines(pe, parts->threads, self->ce_lines);
        wse_backlog_ask_for(self, number);
    }
}

/* Collects all due parts of PEs for this cycle before the visits, so that the outcome
 * does not depend on the order of requests. */
static void gather_all(const WseRegion *self, const WseChunk *chunk, uint32_t now)
{
    for (; chunk != NULL; chunk = chunk->next) {
        for (uint32_t i = 0; i < chunk->count; i++) {
            const uint32_t entry = chunk->entries[i];

            if (entry & WSE_WHEEL_BIT) {
                WsePe *pe = wse_region_pe(self, entry & WSE_WHEEL_NUMBER);

                pe->due[now % WSE_NEAR_CYCLES] |= wse_wheel_due(entry);
            }
        }
    }
}

const WseChunk *wse_region_gather(const WseRegion *self, guint strip, uint32_t now)
{
    const WseChunk *chunk = wse_wheel_look(self->wheels[strip], now);

    gather_all(self, chunk, now);
    return chunk;
}

G_ALWAYS_INLINE static inline void
visit_if_due(WseRegion *self, uint32_t number, uint32_t now)
{
    WsePe *pe = wse_region_pe(self, number);
    uint32_t *due = &pe->due[now % WSE_NEAR_CYCLES];
    const uint32_t what = *due;

    if (what != 0) {
        *due = 0;
        self->polls++;
        visit(self, pe, number, now, what);
        self->has_failed = false;
    }
}

/* Visits a PE that was taken. */
G_ALWAYS_INLINE static inline void
visit_taken(const WseRegion *self, uint32_t index, WseRegion *counter, uint32_t now)
{
    if (self->is_large) {
        ask_ahead(self, index, now);
    }
    visit_if_due(counter, self->order[index], now);
}

void wse_region_visit_taken(const WseRegion *self,
                            uint32_t index,
                            WseRegion *counter,
                            uint32_t now)
{
    visit_taken(self, index, counter, now);
}

/* Puts the PEs of these chunks into their order, and gives the chunks back. */
static void keep(WseRegion *self, WseWheel *wheel, WseChunk *chunk)
{
    self->taken = sort(self, chunk);
    while (chunk != NULL) {
        WseChunk *next = chunk->next;

        wse_wheel_give(wheel, chunk);
        chunk = next;
    }
}

void wse_region_take(WseRegion *self, guint strip, uint32_t now)
{
    WseWheel *wheel = self->wheels[strip];

    keep(self, wheel, wse_wheel_take(wheel, now));
}

void wse_region_visit(WseRegion *self, guint strip, uint32_t now)
{
    WseWheel *wheel = self->wheels[strip];

    if (self->ranks != NULL && G_UNLIKELY(!wse_fit_may_go_on(self->fabric))) {
        wse_ranks_dissolve(self->ranks, now);
        g_clear_pointer(&self->ranks, wse_ranks_free);
    }
    if (!wse_wheel_is_due(wheel, now) && !wse_ranks_are_awake(self->ranks)) {
        return;
    }
    WseChunk *chunk = wse_wheel_take(wheel, now);

    gather_all(self, chunk, now);
    keep(self, wheel, chunk);
    if (self->ranks != NULL) {
        self->now = wse_ranks_visit(self->ranks, now) ? now : self->now;
        return;
    }
    if (self->now != now) {
        self->now = now;
        if (wse_is_watched(self)) {
            sim_region_go_on(self->sim, self->fabric->start + now, 0);
        }
    }
    for (uint32_t i = 0; i < self->taken; i++) {
        visit_taken(self, i, self, now);
    }
}

void wse_region_fail(WseRegion *self, uint32_t pe, const char *format, ...)
{
    const bool is_first = !self->has_failed;

    self->has_failed = true;
    if (!is_first || (self->failure != NULL && self->failed < pe)) {
        return;
    }
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_clear_error(&self->failure);
    self->failed = pe;
    self->failure = g_error_new(ARCH_ERROR, ARCH_ERROR_INVALID, "pe[%u,%u]: %s",
                                wse_region_x(self, pe), wse_region_y(self, pe), what);
}

void wse_region_call(WseRegion *self, uint32_t pe, uint32_t cycle, uint32_t due)
{
    wse_ranks_call(self->ranks, pe, cycle);
    wse_region_wake(self, pe, cycle - 1, cycle, due);
    wse_advance_call(self->fabric, cycle);
}
