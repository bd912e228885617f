/* Computes the vector operations of PEs when their numbers are needed. */
#include "arch/wse/data/backlog.h"

#include <string.h>

#include "arch/wse/data/carried.h"
#include "arch/wse/program/live.h"
#include "arch/wse/program/operation.h"
#include "arch/wse/program/product.h"
#include "sim/narrow.h"
#include "sim/pages.h"

enum {
    NO_QUEUE = 0xff,
    WORD = 4,
    PART = 16, /* of a PE's memory, that its deeds may take in the host's */
    LEAST_DEEDS = 4,
};

typedef struct {
    uint16_t count;
    bool is_seen;     /* its deeds have been done for the host before */
    uint32_t sent;    /* payload with what `copied` holds now, or WSE_NO_PAYLOAD */
    WseBytes written; /* by the deeds */
    WseBytes copied;
} Backlog;

struct WseBacklogs {
    Backlog *all;   /* by PE: few bytes, that stay in the host's cache */
    WseDeed *deeds; /* `most` of each */
    guint most;
    WseGivens *givens;
};

static Backlog *backlog_of(const WseRegion *region, uint32_t pe)
{
    return &region->fabric->backlogs->all[pe];
}

static WseDeed *deeds_of(const WseRegion *region, uint32_t pe)
{
    const WseBacklogs *backlogs = region->fabric->backlogs;

    return &backlogs->deeds[(gsize) pe * backlogs->most];
}

static const WseKind *kind_of(const WseRegion *region, uint32_t pe)
{
    const WseFabric *fabric = region->fabric;

    return &region->kinds[fabric->kind_of[pe]];
}

static const WseBytes all = {.low = 0, .high = INT32_MAX};
static const WseBytes none = {.low = INT32_MAX, .high = INT32_MIN};

WseBacklogs *wse_backlogs_new(guint pe_count, gsize memory_bytes)
{
    WseBacklogs *self = g_new0(WseBacklogs, 1);

    self->most =
        sim_u32(CLAMP(memory_bytes / PART / sizeof(WseDeed), LEAST_DEEDS, WSE_DEEDS));
    const gsize deeds = (gsize) pe_count * self->most;

    self->deeds = sim_pages_large(g_new(WseDeed, deeds), deeds * sizeof(WseDeed));
    self->all = g_new(Backlog, pe_count);
    for (guint i = 0; i < pe_count; i++) {
        self->all[i] =
            (Backlog){.sent = WSE_NO_PAYLOAD, .written = none, .copied = none};
    }
    self->givens = wse_givens_new(pe_count);
    return self;
}

void wse_backlogs_free(WseBacklogs *self)
{
    if (self != NULL) {
        wse_givens_free(self->givens);
        g_free(self->deeds);
        g_free(self->all);
        g_free(self);
    }
}

WseGivens *wse_backlogs_givens(WseBacklogs *self)
{
    return self->givens;
}

static bool are_apart(WseBytes one, WseBytes other)
{
    return one.high <= other.low || other.high <= one.low;
}

static WseBytes both(WseBytes one, WseBytes other)
{
    return (WseBytes){MIN(one.low, other.low), MAX(one.high, other.high)};
}

/* The element after the last. */
static guint end_of(const WseDeed *deed)
{
    const guint first = deed->first;

    return first + deed->count;
}

/* All that a descriptor in memory reaches. False if that is not all inside. */
static bool
reach(const WseDsd *dsd, int32_t offset, guint memory_bytes, WseBytes *bytes)
{
    int64_t low = dsd->address + (int64_t) offset * dsd->bytes;
    int64_t high = low + dsd->bytes;

    for (guint i = 0; i < dsd->rank; i++) {
        const int64_t span =
            (int64_t) dsd->strides[i] * (dsd->extents[i] - 1) * dsd->bytes;

        low += MIN(span, 0);
        high += MAX(span, 0);
    }
    if (low < 0 || high > memory_bytes) {
        return false;
    }
    *bytes = (WseBytes){sim_i32(low), sim_i32(high)};
    return true;
}

/* Whether it is an operation on memory, or from payloads to memory. */
static bool is_to_memory(const WseKind *kind, const WseInstruction *instruction)
{
    return !instruction->is_dynamic && !instruction->is_endless &&
           !instruction->has_fifo && instruction->output == NO_QUEUE &&
           kind->dsds[instruction->operands[0]].kind == WSE_MEMORY &&
           kind->dsds[instruction->operands[0]].zeroed == 0;
}

bool wse_deed_is_inside(const WseKind *kind, const WseDeed *self, WseBytes *written)
{
    const WseInstruction *instruction = &kind->code[self->instruction];

    for (guint i = 0; i < instruction->operand_count; i++) {
        const WseDsd *dsd = &kind->dsds[instruction->operands[i]];
        WseBytes bytes = none;

        if (dsd->kind != WSE_MEMORY) {
            continue;
        }
        if (dsd->length < end_of(self) ||
            !reach(dsd, self->offsets[i], kind->program->memory_bytes, &bytes)) {
            return false;
        }
        *written = i == 0 ? bytes : *written;
    }
    return true;
}

bool wse_deed_can_wait(const WseKind *kind, const WseDeed *self, WseBytes *written)
{
    return is_to_memory(kind, &kind->code[self->instruction]) &&
           wse_deed_is_inside(kind, self, written);
}

void wse_deed_offsets(const WseDeed *self, int32_t offsets[WSE_OPERANDS])
{
    for (guint i = 0; i < WSE_OPERANDS; i++) {
        offsets[i] = self->offsets[i];
    }
}

/* These bytes are written: payloads with what was there are not sent again. */
static void forget(const WseRegion *region, Backlog *self, WseBytes written)
{
    if (!are_apart(self->copied, written)) {
        wse_carried_forget(region, &self->sent);
        self->copied = none;
    }
}

static void execute(const WseRegion *region,
                    const WseKind *kind,
                    const WseDeed *deed,
                    WseProducts *products)
{
    const WseStreams streams = {
        .in = wse_carried_words(region, deed->payloads[0], deed->lefts[0]),
        .in2 = wse_carried_words(region, deed->payloads[1], deed->lefts[1]),
        .products = products,
    };
    int32_t offsets[WSE_OPERANDS];

    wse_deed_offsets(deed, offsets);
    const bool is_inside =
        wse_program_execute(kind->program, &kind->code[deed->instruction], offsets,
                            deed->first, deed->count, products->memory, &streams);

    g_assert(is_inside);
}

/* Does all deeds in `memory`, of which only `wanted` is right in the end. */
static void
execute_all(const WseRegion *region, uint32_t pe, uint8_t *memory, WseBytes wanted)
{
    const WseKind *kind = kind_of(region, pe);
    const WseDeed *deeds = deeds_of(region, pe);
    const guint count = backlog_of(region, pe)->count;
    WseProducts products; /* its list is filled in from the front on */

    products.memory = memory;
    products.count = 0;
    products.low = 0;
    products.high = 0;
    for (guint i = 0; i < count; i++) {
        execute(region, kind, &deeds[i], &products);
    }
    wse_products_settle(&products, wanted.low, wanted.high);
}

/* The PE's memory with all that it was given. */
static uint8_t *whole_memory(const WseRegion *region, uint32_t pe)
{
    uint8_t *memory = wse_region_memory(region, pe);

    wse_givens_make_whole(region->fabric->backlogs->givens, pe, memory);
    return memory;
}

static void settle(WseRegion *region, uint32_t pe)
{
    Backlog *self = backlog_of(region, pe);
    WseDeed *deeds = deeds_of(region, pe);

    if (self->count == 0) {
        return;
    }
    execute_all(region, pe, whole_memory(region, pe), all);
    for (guint i = 0; i < self->count; i++) {
        wse_carried_forget(region, &deeds[i].payloads[0]);
        wse_carried_forget(region, &deeds[i].payloads[1]);
    }
    self->count = 0;
    self->is_seen = false;
    self->written = none;
}

void wse_backlog_put(WseRegion *region,
                     uint32_t pe,
                     const WseDeed *deed,
                     WseBytes written)
{
    Backlog *self = backlog_of(region, pe);

    if (self->count == region->fabric->backlogs->most) {
        settle(region, pe);
    }
    self->is_seen = false;
    forget(region, self, written);
    deeds_of(region, pe)[self->count++] = *deed;
    self->written = both(self->written, written);
}

bool wse_backlog_add(WseRegion *region, uint32_t pe, const WseDeed *deed)
{
    WseBytes written = none;

    if (region->fabric->backlogs == NULL ||
        !wse_deed_can_wait(kind_of(region, pe), deed, &written)) {
        return false;
    }
    wse_backlog_put(region, pe, deed, written);
    return true;
}

uint8_t *wse_backlog_memory(WseRegion *region, uint32_t pe)
{
    if (region->fabric->backlogs == NULL) {
        return wse_region_memory(region, pe);
    }
    settle(region, pe);
    forget(region, backlog_of(region, pe), all);
    return whole_memory(region, pe);
}

void wse_backlog_write(
    WseRegion *region, uint32_t pe, WseBytes bytes, const uint8_t *from, bool is_kept)
{
    const WseBacklogs *backlogs = region->fabric->backlogs;
    uint8_t *memory = wse_region_memory(region, pe);

    if (backlogs != NULL) {
        settle(region, pe);
        forget(region, backlog_of(region, pe), bytes);
        if (is_kept && wse_givens_add(backlogs->givens, pe, bytes, from)) {
            return;
        }
        memory = whole_memory(region, pe);
    }
    memcpy(memory + bytes.low, from, (gsize) (bytes.high - bytes.low));
}

/* Such bytes of the PE's memory as it is, without what waits. */
static void
copy_memory(const WseRegion *region, uint32_t pe, WseBytes bytes, uint8_t *to)
{
    const WseBacklogs *backlogs = region->fabric->backlogs;

    if (backlogs != NULL && !wse_givens_is_whole(backlogs->givens, pe)) {
        wse_givens_copy(backlogs->givens, pe, bytes, to);
    } else {
        memcpy(to, wse_region_memory(region, pe) + bytes.low,
               (gsize) (bytes.high - bytes.low));
    }
}

void wse_backlog_read(
    WseRegion *region, uint32_t pe, WseBytes bytes, gpointer to, uint8_t *scratch)
{
    const WseBytes whole = {.high = sim_i32(region->fabric->memory_stride)};
    Backlog *self = region->fabric->backlogs != NULL ? backlog_of(region, pe) : NULL;

    if (self != NULL && !are_apart(self->written, bytes)) {
        if (!self->is_seen) {
            self->is_seen = true;
            copy_memory(region, pe, whole, scratch);
            execute_all(region, pe, scratch, bytes);
            memcpy(to, scratch + bytes.low, (gsize) (bytes.high - bytes.low));
            return;
        }
        settle(region, pe);
    }
    copy_memory(region, pe, bytes, to);
}

void wse_backlog_ask_for(const WseRegion *region, uint32_t pe)
{
    if (region->fabric->backlogs != NULL && region->fabric->diary == NULL) {
        __builtin_prefetch(backlog_of(region, pe), 1);
    }
}

uint8_t *wse_backlog_memory_for(WseRegion *region,
                                uint32_t pe,
                                const WseInstruction *instruction,
                                const int32_t offsets[WSE_OPERANDS])
{
    const WseKind *kind = kind_of(region, pe);

    if (region->fabric->backlogs == NULL) {
        return wse_region_memory(region, pe);
    }
    const WseDsd *to = wse_operand(kind->dsds, instruction, 0);

    if (to->kind != WSE_FABRIC_OUT || to->zeroed != 0 || instruction->has_fifo) {
        return wse_backlog_memory(region, pe);
    }
    for (guint i = 1; i < instruction->operand_count; i++) {
        const WseDsd *dsd = wse_operand(kind->dsds, instruction, i);
        WseBytes bytes = none;

        if (dsd->kind == WSE_MEMORY &&
            (!reach(dsd, offsets[i], kind->program->memory_bytes, &bytes) ||
             !are_apart(backlog_of(region, pe)->written, bytes))) {
            settle(region, pe);
        }
        if (dsd->kind == WSE_MEMORY) {
            (void) whole_memory(region, pe);
        }
    }
    return wse_region_memory(region, pe);
}

/* The bytes that a move of numbers one after the other sends; none if it is another
 * operation. */
static WseBytes moved(const WseKind *kind, const WseDeed *deed)
{
    const WseInstruction *instruction = &kind->code[deed->instruction];

    if (instruction->is_dynamic ||
        wse_operation_at(instruction->operation)->row != wse_row_mov) {
        return none;
    }
    const WseDsd *to = &kind->dsds[instruction->operands[0]];
    const WseDsd *from = &kind->dsds[instruction->operands[1]];
    WseBytes bytes = none;

    if (to->zeroed != 0 || from->kind != WSE_MEMORY || from->rank != 1 ||
        from->strides[0] != 1 || from->length < end_of(deed) ||
        !reach(from, deed->offsets[1], kind->program->memory_bytes, &bytes)) {
        return none;
    }
    bytes.low += deed->first * WORD;
    bytes.high = bytes.low + deed->count * WORD;
    return bytes;
}

/* A payload with bytes that no deed writes, if they are not in the PE's memory yet. */
static uint32_t
given_payload(const WseRegion *region, uint32_t pe, WseBytes bytes, uint32_t words)
{
    const WseGivens *givens = region->fabric->backlogs->givens;
    const uint32_t *fixed = wse_givens_words(givens, pe, bytes);

    if (fixed != NULL) {
        return wse_payloads_add_fixed(region->payloads, words, fixed);
    }
    const uint32_t payload = wse_payloads_add(region->payloads, words);

    wse_givens_copy(givens, pe, bytes,
                    (uint8_t *) wse_payloads_words(region->payloads, payload));
    return payload;
}

uint32_t wse_backlog_payload(WseRegion *region,
                             uint32_t pe,
                             const WseDeed *deed,
                             uint32_t words,
                             bool *is_filled)
{
    const WseBytes bytes = moved(kind_of(region, pe), deed);

    *is_filled = false;
    if (region->fabric->backlogs == NULL || bytes.low >= bytes.high) {
        return wse_payloads_add(region->payloads, words);
    }
    Backlog *self = backlog_of(region, pe);

    *is_filled = bytes.low == self->copied.low && bytes.high == self->copied.high;
    if (!*is_filled) {
        wse_carried_forget(region, &self->sent);
        *is_filled = are_apart(self->written, bytes) &&
                     !wse_givens_is_whole(region->fabric->backlogs->givens, pe);
        self->sent = *is_filled ? given_payload(region, pe, bytes, words)
                                : wse_payloads_add(region->payloads, words);
        self->copied = bytes;
    }
    wse_payloads_hold(wse_region_payloads(region, self->sent), self->sent, 1);
    return self->sent;
}
