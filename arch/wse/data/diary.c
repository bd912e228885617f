/* Lets the PEs behind folded ones do what those wrote down. */
#include "arch/wse/data/diary.h"

#include <string.h>

#include "arch/wse/data/carried.h"
#include "arch/wse/data/letter.h"
#include "arch/wse/data/post.h"
#include "sim/narrow.h"

enum {
    SOURCES = 2, /* of streams that an operation takes */
    MOST_ENTRIES = 1 << 18,
    MOST_LETTERS = WSE_LETTER_COUNTED / 2,
    NONE = UINT32_MAX,
};

typedef struct {
    uint32_t pe;              /* that has a state */
    uint32_t before[SOURCES]; /* letters that were sent before those it takes; the
                                 first: before the one that it sends */
    uint32_t words;           /* that it sends; 0: it takes, or neither */
    bool can_wait;
    WseBytes written; /* if it can */
    WseDeed deed;     /* its payloads are letters */
    uint32_t next;    /* of the same PE, while it is settled */
} Entry;

typedef struct {
    uint32_t letters; /* ever */
    uint32_t words;   /* since the diary began */
} Sent;

struct WseDiary {
    GArray *entries; /* of Entry, those of a PE in the order of time */
    GArray *parts; /* of guint: the first entry of each. Nothing that is sent in a part
                      is taken in it */
    guint sent_in[WSE_LETTER_COUNTED]; /* by letter: the part, counted from 1, in which
                                          a PE sent it last */
    Sent *senders;                     /* by PE that has a state */
    Sent sent;                         /* by any PE at most */
    gsize most_words;                  /* that a PE sends before it is settled */
    WsePost *post;
};

/* --- writing ------------------------------------------------------------------- */

/* Letters of all PEs go on with the same number, so that the oldest are the lowest. */
static void begin(WseDiary *self, const WseFabric *fabric)
{
    g_array_set_size(self->entries, 0);
    g_array_set_size(self->parts, 1);
    g_array_index(self->parts, guint, 0) = 0;
    memset(self->sent_in, 0, sizeof self->sent_in);
    self->sent.words = 0;
    self->senders = g_renew(Sent, self->senders, fabric->pe_count);
    for (guint i = 0; i < fabric->pe_count; i++) {
        self->senders[i] = self->sent;
    }
}

WseDiary *wse_diary_new(const WseFabric *fabric)
{
    WseDiary *self = g_new0(WseDiary, 1);

    self->entries = g_array_new(FALSE, FALSE, sizeof(Entry));
    self->parts = g_array_new(FALSE, FALSE, sizeof(guint));
    self->most_words = fabric->memory_stride / sizeof(uint32_t);
    self->post = wse_post_new(fabric->layout->columns * fabric->layout->rows);
    begin(self, fabric);
    return self;
}

void wse_diary_free(WseDiary *self)
{
    if (self != NULL) {
        g_array_unref(self->entries);
        g_array_unref(self->parts);
        g_free(self->senders);
        wse_post_free(self->post);
        g_free(self);
    }
}

/* How many its sender sent before a letter under way. All that are not forgotten, of
 * whomever, are among the last WSE_LETTER_COUNTED. */
static uint32_t before_of(const WseDiary *self, uint32_t letter)
{
    return wse_letter_before(letter, self->sent.letters);
}

/* Whether the operation stays inside the memory: tried in one that nobody uses. */
static bool is_inside(const WseFabric *fabric, const WseKind *kind, const WseDeed *deed)
{
    g_autofree uint8_t *memory = g_malloc0(fabric->memory_stride);
    g_autofree uint32_t *words = g_new0(uint32_t, UINT16_MAX);
    const WseStreams streams = {.in = words, .in2 = words, .out = words};
    int32_t offsets[WSE_OPERANDS];

    wse_deed_offsets(deed, offsets);
    return wse_program_execute(kind->program, &kind->code[deed->instruction], offsets,
                               deed->first, deed->count, memory, &streams);
}

static bool write_down(WseRegion *region, Entry *entry)
{
    const WseKind *kind = wse_region_kind(region, wse_region_pe(region, entry->pe));
    const bool is_sure = wse_deed_is_inside(kind, &entry->deed, &entry->written);
    WseDiary *self = region->fabric->diary;

    entry->can_wait = is_sure && entry->words == 0;
    if (!is_sure && !is_inside(region->fabric, kind, &entry->deed)) {
        return false;
    }
    g_array_append_val(self->entries, *entry);
    return true;
}

bool wse_diary_add(WseRegion *region, uint32_t pe, const WseDeed *deed)
{
    WseDiary *self = region->fabric->diary;
    Entry entry = {.pe = pe, .deed = *deed};
    bool is_new = false;

    for (guint i = 0; i < SOURCES; i++) {
        if (deed->payloads[i] == WSE_NO_PAYLOAD) {
            continue;
        }
        entry.before[i] = before_of(self, deed->payloads[i]);
        is_new |=
            self->sent_in[deed->payloads[i] % WSE_LETTER_COUNTED] == self->parts->len;
    }
    if (is_new) {
        g_array_append_val(self->parts, self->entries->len);
    }
    return write_down(region, &entry);
}

bool wse_diary_send(WseRegion *region,
                    uint32_t pe,
                    const WseDeed *deed,
                    uint32_t words,
                    uint32_t *letter)
{
    WseDiary *self = region->fabric->diary;
    Sent *sender = &self->senders[pe];
    Entry entry = {
        .pe = pe, .deed = *deed, .words = words, .before = {sender->letters}};

    self->sent_in[sender->letters % WSE_LETTER_COUNTED] = self->parts->len;
    *letter = wse_letter_new(sender->letters);
    sender->letters++;
    sender->words += words;
    self->sent.letters = MAX(self->sent.letters, sender->letters);
    self->sent.words = MAX(self->sent.words, sender->words);
    return write_down(region, &entry);
}

bool wse_diary_is_full(const WseDiary *self)
{
    return self->entries->len >= MOST_ENTRIES || self->sent.words > self->most_words ||
           self->sent.letters - wse_post_forgotten(self->post) >= MOST_LETTERS;
}

/* --- doing it ------------------------------------------------------------------ */

/* A part of the diary that all PEs do side by side, rows of them in each job. */
typedef struct {
    const WseFabric *fabric;
    const Entry *entries;
    guint *firsts;  /* by PE that has a state: its first entry, or NONE */
    guint *columns; /* by column of the wafer: the one with its state */
    guint jobs;
} Work;

/* The payload of a letter that has come to this place. */
static uint32_t
payload_of(const Work *self, guint x, guint y, uint32_t letter, uint32_t before)
{
    const WseFabric *fabric = self->fabric;
    const guint sender = wse_layout_pe(fabric->layout, wse_letter_column(letter, x),
                                       wse_letter_row(letter, y));

    const uint32_t payload = wse_post_at(fabric->diary->post, sender, before);

    g_assert(payload != WSE_NO_PAYLOAD);
    return payload;
}

/* To `streams.out` or to memory; the others are those of the deed. */
static void
execute(WseRegion *region, uint32_t pe, const WseDeed *deed, WseStreams streams)
{
    const WseFabric *fabric = region->fabric;
    const WseKind *kind = &g_array_index(fabric->kinds, WseKind, fabric->kind_of[pe]);
    const WseInstruction *instruction = &kind->code[deed->instruction];
    int32_t offsets[WSE_OPERANDS];

    streams.in = wse_carried_words(region, deed->payloads[0], deed->lefts[0]);
    streams.in2 = wse_carried_words(region, deed->payloads[1], deed->lefts[1]);
    wse_deed_offsets(deed, offsets);
    const bool is_done = wse_program_execute(
        kind->program, instruction, offsets, deed->first, deed->count,
        wse_backlog_memory_for(region, pe, instruction, offsets), &streams);

    g_assert(is_done);
}

static void post(WseRegion *region, uint32_t pe, const Entry *entry)
{
    bool is_filled = false;
    const uint32_t payload =
        wse_backlog_payload(region, pe, &entry->deed, entry->words, &is_filled);

    if (!is_filled) {
        execute(region, pe, &entry->deed,
                (WseStreams){.out = wse_payloads_words(region->payloads, payload)});
    }
    wse_post_put(region->fabric->diary->post, pe, entry->before[0], payload);
}

static void
take(const Work *self, WseRegion *region, guint x, guint y, const Entry *entry)
{
    const uint32_t pe = wse_layout_pe(self->fabric->layout, x, y);
    WseDeed deed = entry->deed;

    for (guint i = 0; i < SOURCES; i++) {
        if (deed.payloads[i] != WSE_NO_PAYLOAD) {
            deed.payloads[i] =
                payload_of(self, x, y, deed.payloads[i], entry->before[i]);
        }
    }
    if (!entry->can_wait) {
        execute(region, pe, &deed, (WseStreams){0});
        return;
    }
    for (guint i = 0; i < SOURCES; i++) {
        if (deed.payloads[i] != WSE_NO_PAYLOAD) {
            wse_payloads_hold(wse_region_payloads(region, deed.payloads[i]),
                              deed.payloads[i], 1);
        }
    }
    wse_backlog_put(region, pe, &deed, entry->written);
}

static void do_row(const Work *self, WseRegion *region, guint y)
{
    const WseFabric *fabric = self->fabric;
    const guint row = wse_axis_at(&fabric->rows, y) * wse_axis_kept(&fabric->columns);

    for (guint x = 0; x < fabric->layout->columns; x++) {
        for (guint i = self->firsts[row + self->columns[x]]; i != NONE;
             i = self->entries[i].next) {
            const Entry *entry = &self->entries[i];

            if (entry->words > 0) {
                post(region, wse_layout_pe(fabric->layout, x, y), entry);
            } else {
                take(self, region, x, y, entry);
            }
        }
    }
}

static void do_rows(gpointer data, guint job)
{
    const Work *self = data;
    const guint rows = self->fabric->layout->rows;
    WseRegion *region = &self->fabric->regions[job];

    for (guint y = job * rows / self->jobs; y < (job + 1) * rows / self->jobs; y++) {
        do_row(self, region, y);
    }
}

/* Entries `first` to `end` - 1. */
static void do_part(Work *self, Entry *entries, guint first, guint end)
{
    for (guint i = end; i-- > first;) {
        entries[i].next = self->firsts[entries[i].pe];
        self->firsts[entries[i].pe] = i;
    }
    self->entries = entries;
    sim_crew_run_long(sim_engine_crew(self->fabric->engine), self->jobs, do_rows, self);
    for (guint i = first; i < end; i++) {
        self->firsts[entries[i].pe] = NONE;
    }
}

static void do_all(const WseFabric *fabric)
{
    const WseDiary *diary = fabric->diary;
    const guint columns = fabric->layout->columns;
    g_autofree guint *firsts = g_new(guint, fabric->pe_count);
    g_autofree guint *kept = g_new(guint, columns);
    Work work = {.fabric = fabric,
                 .firsts = firsts,
                 .columns = kept,
                 .jobs = MIN(fabric->region_count, fabric->layout->rows)};

    for (guint i = 0; i < fabric->pe_count; i++) {
        firsts[i] = NONE;
    }
    for (guint x = 0; x < columns; x++) {
        kept[x] = wse_axis_at(&fabric->columns, x);
    }
    for (guint i = 0; i < diary->parts->len; i++) {
        do_part(&work, (Entry *) (gpointer) diary->entries->data,
                g_array_index(diary->parts, guint, i),
                i + 1 < diary->parts->len ? g_array_index(diary->parts, guint, i + 1)
                                          : diary->entries->len);
    }
}

/* --- letters under way --------------------------------------------------------- */

/* Does this to each letter in the rings of a PE. */
typedef void LetterFunc(WseRegion *region, uint32_t pe, WseToken *token, gpointer data);

static void
each_letter(const WseFabric *fabric, uint32_t pe, LetterFunc *func, gpointer data)
{
    WseRegion *region = &fabric->regions[0];
    WsePe *at = wse_region_pe(region, pe);
    const WseRing *rings = wse_pe_rings(at, &fabric->block);
    WseToken *slots = wse_pe_slots(at, &fabric->block);

    for (guint i = 0; i < wse_region_kind(region, at)->ring_count; i++) {
        for (guint k = 0; k < rings[i].count; k++) {
            WseToken *token = wse_ring_at(&rings[i], slots, k);

            if (token->flags & WSE_TOKEN_PAYLOAD) {
                func(region, pe, token, data);
            }
        }
    }
}

static void find_oldest(WseRegion *region, uint32_t pe, WseToken *token, gpointer data)
{
    uint32_t *oldest = data;

    (void) pe;
    *oldest = MIN(*oldest, before_of(region->fabric->diary, token->data));
}

void wse_diary_settle(WseFabric *fabric)
{
    WseDiary *self = fabric->diary;

    if (self == NULL || self->entries->len == 0) {
        return;
    }
    uint32_t oldest = self->sent.letters;

    wse_post_reserve(self->post, self->sent.letters);
    do_all(fabric);
    for (guint i = 0; i < fabric->pe_count; i++) {
        each_letter(fabric, i, find_oldest, &oldest);
    }
    wse_post_forget(self->post, fabric, oldest);
    begin(self, fabric);
}

static void
become_payload(WseRegion *region, uint32_t pe, WseToken *token, gpointer data)
{
    const Work *self = data;
    const uint32_t payload =
        payload_of(self, wse_region_x(region, pe), wse_region_y(region, pe),
                   token->data, before_of(self->fabric->diary, token->data));

    wse_payloads_hold(wse_region_payloads(region, payload), payload, 1);
    token->data = payload;
}

void wse_diary_move(WseFabric *fabric)
{
    WseDiary *self = fabric->diary;
    Work work = {.fabric = fabric};

    if (self == NULL) {
        return;
    }
    if (fabric->columns.count + fabric->rows.count > 0) {
        begin(self, fabric);
        return;
    }
    for (guint i = 0; i < fabric->pe_count; i++) {
        each_letter(fabric, i, become_payload, &work);
    }
    wse_post_forget(self->post, fabric, self->sent.letters);
    g_clear_pointer(&fabric->diary, wse_diary_free);
}

void wse_diary_reset(WseFabric *fabric)
{
    WseDiary *self = fabric->diary;

    if (self != NULL) {
        wse_diary_settle(fabric);
        wse_post_forget(self->post, fabric, self->sent.letters);
    }
}
