/* Keeps the counters of circular buffers as each domain sees them, and carries updates
 * between domains. */
#include "arch/tensix/circular_buffer.h"

#include "sim/narrow.h"
#include "sim/probe.h"

enum {
    OPEN_ROOM = 256, /* moves that a side may not wait for */
};

const char *tensix_cb_name(guint index)
{
    static const char *const names[CIRCULAR_BUFFERS] = {
        "cb 0",  "cb 1",  "cb 2",  "cb 3",  "cb 4",  "cb 5",  "cb 6",  "cb 7",
        "cb 8",  "cb 9",  "cb 10", "cb 11", "cb 12", "cb 13", "cb 14", "cb 15",
        "cb 16", "cb 17", "cb 18", "cb 19", "cb 20", "cb 21", "cb 22", "cb 23",
        "cb 24", "cb 25", "cb 26", "cb 27", "cb 28", "cb 29", "cb 30", "cb 31",
    };

    return names[index];
}

/* There are `pages` more, from when the other side sees it. */
static void
show(const CircularBuffer *self, TensixCbDomain domain, int64_t pages, SimTime when)
{
    SimRegion *region = self->regions[domain];

    sim_region_change(region, self->lane, tensix_cb_name(self->index),
                      MAX(when, sim_region_now(region)), pages);
}

void tensix_cb_configure(CircularBuffer *self, const ArchCircularBufferConfig *config)
{
    TensixCbCounter *counters[] = {&self->pushed, &self->popped};

    self->index = config->index;
    self->page_count = config->page_count;
    self->page_bytes = config->page_bytes;
    self->room = config->is_filled || config->is_open
                     ? MAX(config->page_count, OPEN_ROOM)
                     : config->page_count;
    self->is_filled = config->is_filled;
    self->is_open = config->is_open;
    self->address = config->address;
    self->format = config->format;
    self->is_foreign = config->is_foreign;
    self->waited = 0;
    for (guint i = 0; i < G_N_ELEMENTS(counters); i++) {
        *counters[i] = (TensixCbCounter){0};
        for (guint domain = 0; domain < TENSIX_CB_DOMAINS; domain++) {
            counters[i]->views[domain].sights = g_new0(TensixCbSight, self->room);
            counters[i]->passages[domain] =
                (TensixCbPassage){.buffer = self,
                                  .counter = counters[i],
                                  .to = (TensixCbDomain) domain,
                                  .sights = g_new0(TensixCbSight, self->room),
                                  .batches = g_new0(guint, self->room)};
        }
    }
}

void tensix_cb_clear(CircularBuffer *self)
{
    TensixCbCounter *counters[] = {&self->pushed, &self->popped};
    const int64_t left = (int64_t) (self->pushed.total - self->popped.total);

    if (SIM_PROBES && self->is_watched && left != 0) {
        show(self, TENSIX_CB_MOVERS, -left,
             sim_region_now(self->regions[TENSIX_CB_COMPUTE]));
    }
    for (guint i = 0; i < G_N_ELEMENTS(counters); i++) {
        for (guint domain = 0; domain < TENSIX_CB_DOMAINS; domain++) {
            g_clear_pointer(&counters[i]->views[domain].sights, g_free);
            g_clear_pointer(&counters[i]->passages[domain].sights, g_free);
            g_clear_pointer(&counters[i]->passages[domain].batches, g_free);
        }
    }
    self->page_count = 0;
}

static guint next(const CircularBuffer *self, guint place)
{
    return place + 1 == self->room ? 0 : place + 1;
}

/* No more than page_count moves of a counter can be news to its reader: the writer is
 * never further ahead. Older ones make place. */
static void see(CircularBuffer *self,
                TensixCbCounter *counter,
                TensixCbDomain domain,
                TensixCbSight sight)
{
    TensixCbView *view = &counter->views[domain];

    if (view->length == self->room) {
        view->first = next(self, view->first);
        view->length--;
    }
    guint place = view->first + view->length;

    view->sights[place < self->room ? place : place - self->room] = sight;
    view->length++;
    view->latest = sight.count;
    if (self->changed[domain] != NULL) {
        self->changed[domain](self->data, self->index);
    }
}

static void arrive(SimRegion *region, gpointer data)
{
    TensixCbPassage *passage = data;
    const CircularBuffer *buffer = passage->buffer;
    const guint count = passage->batches[passage->first_message];
    const guint last = (passage->next_out + count - 1) % buffer->room;

    (void) region;
    if (passage->to == TENSIX_CB_MOVERS && buffer->settle != NULL) {
        buffer->settle(buffer->data, passage->sights[last].works);
    }
    passage->first_message = next(buffer, passage->first_message);
    for (guint i = 0; i < count; i++) {
        const TensixCbSight sight = passage->sights[passage->next_out];

        passage->next_out = next(buffer, passage->next_out);
        see(passage->buffer, passage->counter, passage->to, sight);
    }
}

static void send(CircularBuffer *self, TensixCbPassage *passage, TensixCbDomain domain)
{
    const guint count = passage->unsent;
    const guint first = (passage->next_in + self->room - count) % self->room;
    const SimTime earliest = sim_region_now(self->regions[domain]) + self->window;

    if (count == 0) {
        return;
    }
    passage->unsent = 0;
    passage->batches[passage->next_message] = count;
    passage->next_message = next(self, passage->next_message);
    sim_region_post(self->regions[domain], self->regions[passage->to],
                    MAX(passage->sights[first].when, earliest), self->keys[passage->to],
                    arrive, passage);
}

void tensix_cb_send(CircularBuffer *self, TensixCbDomain domain)
{
    const TensixCbDomain other =
        domain == TENSIX_CB_MOVERS ? TENSIX_CB_COMPUTE : TENSIX_CB_MOVERS;

    send(self, &self->pushed.passages[other], domain);
    send(self, &self->popped.passages[other], domain);
}

static void move(CircularBuffer *self,
                 TensixCbCounter *counter,
                 TensixCbDomain domain,
                 guint pages,
                 SimTime when)
{
    TensixCbDomain other =
        domain == TENSIX_CB_MOVERS ? TENSIX_CB_COMPUTE : TENSIX_CB_MOVERS;
    TensixCbPassage *passage = &counter->passages[other];
    TensixCbSight sight;

    counter->total += pages;
    sight = (TensixCbSight){
        .count = counter->total, .when = when, .by = self->movers[domain]};
    if (domain == TENSIX_CB_COMPUTE && self->works != NULL) {
        sight.works = self->works(self->data);
    }
    /* Whoever is told of it below may go on to the next move. */
    if (self->is_open || !counter->views[domain].is_read) {
        passage->sights[passage->next_in] = sight;
        passage->next_in = next(self, passage->next_in);
        passage->unsent++;
        *self->moved[domain] |= 1U << self->index;
    }
    see(self, counter, domain, sight);
}

void tensix_cb_push(CircularBuffer *self,
                    TensixCbDomain domain,
                    guint pages,
                    SimTime when)
{
    if (SIM_PROBES && G_UNLIKELY(self->is_watched)) {
        show(self, domain, pages, when);
    }
    move(self, &self->pushed, domain, pages, when);
}

void tensix_cb_pop(CircularBuffer *self,
                   TensixCbDomain domain,
                   guint pages,
                   SimTime when)
{
    if (SIM_PROBES && G_UNLIKELY(self->is_watched)) {
        show(self, domain, -(int64_t) pages, when);
    }
    move(self, &self->popped, domain, pages, when);
}

/* The first sight of at least `count`; what is older is of no use any more. */
static SimTime when_seen(const CircularBuffer *self,
                         TensixCbCounter *counter,
                         TensixCbDomain domain,
                         uint64_t count)
{
    TensixCbView *view = &counter->views[domain];

    view->is_read = true;
    while (view->length > 0 && view->sights[view->first].count < count) {
        view->first = next(self, view->first);
        view->length--;
    }
    return view->length > 0 ? view->sights[view->first].when : SIM_TIME_NEVER;
}

SimTime tensix_cb_when_filled(CircularBuffer *self, TensixCbDomain domain, guint pages)
{
    const uint64_t count = self->popped.total + pages;

    self->waited = MAX(self->waited, count);
    return when_seen(self, &self->pushed, domain, count);
}

SimTime tensix_cb_when_free(CircularBuffer *self, TensixCbDomain domain, guint pages)
{
    uint64_t needed = self->pushed.total + pages;

    if (needed <= self->page_count) {
        self->popped.views[domain].is_read = true;
        return 0;
    }
    return when_seen(self, &self->popped, domain, needed - self->page_count);
}

TensixCause
tensix_cb_cause(const CircularBuffer *self, TensixCbDomain domain, bool is_filled)
{
    const TensixCbView *view =
        is_filled ? &self->pushed.views[domain] : &self->popped.views[domain];

    return view->length > 0 ? view->sights[view->first].by : (TensixCause){0};
}

uint64_t tensix_cb_fill(const CircularBuffer *self, TensixCbDomain domain)
{
    const uint64_t pushed = self->pushed.views[domain].latest;
    const uint64_t popped = self->popped.views[domain].latest;

    return pushed > popped ? pushed - popped : 0;
}

static uint32_t page_address(const CircularBuffer *self, uint64_t page)
{
    return self->address + sim_u32(page % self->page_count) * self->page_bytes;
}

uint32_t tensix_cb_read_address(const CircularBuffer *self, guint offset)
{
    return page_address(self, self->popped.total + offset);
}

uint32_t tensix_cb_write_address(const CircularBuffer *self, guint offset)
{
    return page_address(self, self->pushed.total + offset);
}
