/* Trees of channels that are taken by waves.
 *
 * Who asks stands at once in the lines of all its channels. So all lines agree on who
 * comes first, the first of all waits for nobody, and nobody waits in a ring. */
#include "arch/noc/reservation.h"

#include <stdbool.h>

enum {
    NEVER_REACHED = 0, /* times are kept with 1 added */
};

struct NocHold {
    GArray *tree;
    uint32_t owner;
    guint place;
    bool is_alone;
    SimTime *free;    /* by place in the tree: when its turn came, plus 1 */
    SimTime *reached; /* when the wave was there, plus 1 */
    guint left;       /* channels that the wave has not reached */
    guint unpassed;
    SimTime start;
    SimTime when; /* the news of all of them */
    NocReservedFunc granted;
    gpointer data;
};

/* One in the line of a channel. */
typedef struct {
    NocHold *hold;
    guint index; /* of the channel in its tree */
} Claim;

struct NocReservations {
    GQueue *lines; /* [channel][place]: of Claim, the first has it */
    guint line_count;
    NocReservationTimes times;
    guint waiting;
    GHashTable *holds;
};

static void hold_free(gpointer data)
{
    NocHold *self = data;

    g_array_unref(self->tree);
    g_free(self->free);
    g_free(self->reached);
    g_free(self);
}

NocReservations *noc_reservations_new(guint channel_count, NocReservationTimes times)
{
    NocReservations *self = g_new0(NocReservations, 1);

    self->line_count = channel_count * NOC_RESERVATION_PLACES;
    self->lines = g_new0(GQueue, self->line_count);
    self->times = times;
    self->holds = g_hash_table_new_full(NULL, NULL, hold_free, NULL);
    return self;
}

void noc_reservations_free(NocReservations *self)
{
    if (self != NULL) {
        for (guint i = 0; i < self->line_count; i++) {
            g_queue_clear_full(&self->lines[i], g_free);
        }
        g_free(self->lines);
        g_hash_table_unref(self->holds);
        g_free(self);
    }
}

guint noc_reservations_waiting(const NocReservations *self)
{
    return self->waiting;
}

static const NocTreeChannel *channel_at(const NocHold *hold, guint place)
{
    return &g_array_index(hold->tree, NocTreeChannel, place);
}

/* The wave goes on from `place`, whose turn has come, as far as it can: to what is
 * listed behind it. */
static void advance(NocReservations *self, NocHold *hold, guint place)
{
    for (guint i = place; i < hold->tree->len; i++) {
        const NocTreeChannel *channel = channel_at(hold, i);
        const bool is_first = channel->parent == i;

        if (hold->reached[i] != NEVER_REACHED || hold->free[i] == NEVER_REACHED ||
            (!is_first && hold->reached[channel->parent] == NEVER_REACHED)) {
            continue;
        }
        const guint before = is_first ? 0 : channel_at(hold, channel->parent)->hops;
        const SimTime from =
            is_first ? hold->start + 1 : hold->reached[channel->parent];
        const SimTime came = from + self->times.out * (channel->hops - before);

        hold->reached[i] = MAX(came, hold->free[i]);
        hold->left--;
        hold->when =
            MAX(hold->when, hold->reached[i] - 1 + self->times.back * channel->hops);
    }
    if (hold->left == 0) {
        self->waiting--;
        hold->granted(hold->data, hold, hold->when);
    }
}

static GQueue *line_of(const NocReservations *self, uint32_t channel, guint place)
{
    return &self->lines[channel * NOC_RESERVATION_PLACES + place];
}

static bool wants_place(const NocHold *hold, guint place)
{
    return hold->is_alone || hold->place == place;
}

/* An owner does not wait for itself: its own packets follow each other. */
static bool is_its_turn(const GQueue *line, const NocHold *hold)
{
    for (const GList *link = line->head; link != NULL; link = link->next) {
        const NocHold *earlier = ((const Claim *) link->data)->hold;

        if (earlier == hold || earlier->owner != hold->owner) {
            return earlier == hold;
        }
    }
    return false;
}

/* It has all that it wants of the channel at `index` of its tree. */
static bool has_channel(const NocReservations *self, const NocHold *hold, guint index)
{
    const uint32_t channel = channel_at(hold, index)->channel;

    for (guint place = 0; place < NOC_RESERVATION_PLACES; place++) {
        if (wants_place(hold, place) &&
            !is_its_turn(line_of(self, channel, place), hold)) {
            return false;
        }
    }
    return true;
}

/* The place where fewer stand in line along the tree. */
static guint choose_place(const NocReservations *self, const GArray *tree)
{
    guint standing[NOC_RESERVATION_PLACES] = {0};

    for (guint i = 0; i < tree->len; i++) {
        const uint32_t channel = g_array_index(tree, NocTreeChannel, i).channel;

        for (guint place = 0; place < NOC_RESERVATION_PLACES; place++) {
            standing[place] += line_of(self, channel, place)->length;
        }
    }
    return standing[1] < standing[0] ? 1 : 0;
}

static void stand_in_lines(const NocReservations *self, NocHold *hold, guint index)
{
    for (guint place = 0; place < NOC_RESERVATION_PLACES; place++) {
        if (wants_place(hold, place)) {
            Claim *claim = g_new(Claim, 1);

            *claim = (Claim){.hold = hold, .index = index};
            g_queue_push_tail(line_of(self, channel_at(hold, index)->channel, place),
                              claim);
        }
    }
}

void noc_reservations_ask(NocReservations *self, const NocTreeRequest *request)
{
    const guint count = request->tree->len;
    NocHold *hold = g_new0(NocHold, 1);

    *hold = (NocHold){
        .tree = g_array_ref(request->tree),
        .owner = request->owner,
        .place = request->is_alone ? 0 : choose_place(self, request->tree),
        .is_alone = request->is_alone,
        .free = g_new0(SimTime, count),
        .reached = g_new0(SimTime, count),
        .left = count,
        .unpassed = count,
        .start = request->start,
        .granted = request->granted,
        .data = request->data,
    };
    g_hash_table_add(self->holds, hold);
    self->waiting++;
    for (guint i = 0; i < count; i++) {
        stand_in_lines(self, hold, i);
        if (has_channel(self, hold, i)) {
            hold->free[i] = request->start + 1;
        }
    }
    if (count > 0) {
        advance(self, hold, 0);
    }
}

guint noc_hold_place(const NocHold *self)
{
    return self->place;
}

bool noc_hold_is_alone(const NocHold *self)
{
    return self->is_alone;
}

SimTime noc_reservations_ask_again(const NocReservations *self,
                                   const NocHold *hold,
                                   SimTime start)
{
    guint hops = 0;

    for (guint i = 0; i < hold->tree->len; i++) {
        hops = MAX(hops, channel_at(hold, i)->hops);
    }
    return start + hops * (self->times.out + self->times.back);
}

/* Those in line whose turn has come at `now`: the first, and its owner's next ones. */
static void take_turns(NocReservations *self, const GQueue *line, SimTime now)
{
    for (const GList *link = line->head; link != NULL; link = link->next) {
        const Claim *claim = link->data;

        if (claim->hold->free[claim->index] == NEVER_REACHED &&
            has_channel(self, claim->hold, claim->index)) {
            claim->hold->free[claim->index] = now + self->times.handover + 1;
            advance(self, claim->hold, claim->index);
            return;
        }
    }
}

static void leave_line(GQueue *line, const NocHold *hold)
{
    GList *link = line->head;

    while (link != NULL && ((const Claim *) link->data)->hold != hold) {
        link = link->next;
    }
    g_assert(link != NULL);
    g_free(link->data);
    g_queue_delete_link(line, link);
}

void noc_reservations_pass(NocReservations *self,
                           NocHold *hold,
                           uint32_t channel,
                           SimTime now)
{
    const bool is_alone = hold->is_alone;
    const guint only = hold->place;

    for (guint place = 0; place < NOC_RESERVATION_PLACES; place++) {
        if (wants_place(hold, place)) {
            leave_line(line_of(self, channel, place), hold);
        }
    }
    if (--hold->unpassed == 0) {
        g_hash_table_remove(self->holds, hold);
    }
    for (guint place = 0; place < NOC_RESERVATION_PLACES; place++) {
        if (is_alone || place == only) {
            take_turns(self, line_of(self, channel, place), now);
        }
    }
}

void noc_reservations_drop(NocReservations *self, NocHold *hold, SimTime now)
{
    g_autoptr(GArray) tree = g_array_ref(hold->tree);

    for (guint i = 0; i < tree->len; i++) {
        noc_reservations_pass(self, hold,
                              g_array_index(tree, NocTreeChannel, i).channel, now);
    }
}
