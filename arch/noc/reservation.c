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
    guint place;
} Claim;

struct NocReservations {
    GQueue *lines; /* by channel: of Claim, the first ones have it */
    guint channel_count;
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

    self->lines = g_new0(GQueue, channel_count);
    self->channel_count = channel_count;
    self->times = times;
    self->holds = g_hash_table_new_full(NULL, NULL, hold_free, NULL);
    return self;
}

void noc_reservations_free(NocReservations *self)
{
    if (self != NULL) {
        for (guint i = 0; i < self->channel_count; i++) {
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

/* Can a channel be had by `claim`, too, if those before it in line have it? */
static bool is_compatible(const Claim *claim, const GList *before)
{
    const NocHold *hold = claim->hold;
    uint32_t other = hold->owner;

    for (; before != NULL; before = before->prev) {
        const NocHold *earlier = ((const Claim *) before->data)->hold;
        const bool is_third = other != hold->owner && earlier->owner != other;

        if (earlier->owner != hold->owner) {
            if (is_third || hold->is_alone || earlier->is_alone) {
                return false;
            }
            other = earlier->owner;
        }
    }
    return true;
}

/* The claims that have a channel now are the first in its line: those of two owners,
 * unless one wants to be alone. */
static guint owner_count(const GQueue *line)
{
    guint count = 0;

    for (const GList *link = line->head;
         link != NULL && is_compatible(link->data, link->prev); link = link->next) {
        count++;
    }
    return count;
}

void noc_reservations_ask(NocReservations *self,
                          GArray *tree,
                          uint32_t owner,
                          bool is_alone,
                          SimTime start,
                          NocReservedFunc granted,
                          gpointer data)
{
    NocHold *hold = g_new0(NocHold, 1);

    hold->tree = g_array_ref(tree);
    hold->free = g_new0(SimTime, tree->len);
    hold->reached = g_new0(SimTime, tree->len);
    hold->start = start;
    hold->left = tree->len;
    hold->unpassed = tree->len;
    hold->owner = owner;
    hold->is_alone = is_alone;
    hold->granted = granted;
    hold->data = data;
    g_hash_table_add(self->holds, hold);
    self->waiting++;
    for (guint i = 0; i < tree->len; i++) {
        GQueue *line = &self->lines[channel_at(hold, i)->channel];
        Claim *claim = g_new(Claim, 1);

        *claim = (Claim){.hold = hold, .place = i};
        g_queue_push_tail(line, claim);
        if (owner_count(line) == line->length) {
            hold->free[i] = start + 1;
        }
    }
    if (tree->len > 0) {
        advance(self, hold, 0);
    }
}

/* Those whose turn has come at `now`. */
static void take_turns(NocReservations *self, GQueue *line, SimTime now)
{
    const guint owners = owner_count(line);

    for (guint i = 0; i < owners; i++) {
        const Claim *claim = g_queue_peek_nth(line, i);

        if (claim->hold->free[claim->place] == NEVER_REACHED) {
            claim->hold->free[claim->place] = now + self->times.handover + 1;
            advance(self, claim->hold, claim->place);
        }
    }
}

static void leave_line(NocReservations *self, GQueue *line, GList *link, SimTime now)
{
    g_autofree Claim *claim = link->data;

    g_queue_delete_link(line, link);
    if (--claim->hold->unpassed == 0) {
        g_hash_table_remove(self->holds, claim->hold);
    }
    take_turns(self, line, now);
}

static GList *claim_of(GQueue *line, const NocHold *hold)
{
    GList *link = line->head;

    while (link != NULL && ((const Claim *) link->data)->hold != hold) {
        link = link->next;
    }
    return link;
}

void noc_reservations_pass(NocReservations *self,
                           NocHold *hold,
                           uint32_t channel,
                           SimTime now)
{
    GQueue *line = &self->lines[channel];
    GList *link = claim_of(line, hold);

    g_assert(link != NULL);
    leave_line(self, line, link, now);
}

void noc_reservations_drop(NocReservations *self, NocHold *hold, SimTime now)
{
    g_autoptr(GArray) tree = g_array_ref(hold->tree);

    for (guint i = 0; i < tree->len; i++) {
        GQueue *line = &self->lines[g_array_index(tree, NocTreeChannel, i).channel];

        leave_line(self, line, claim_of(line, hold), now);
    }
}
