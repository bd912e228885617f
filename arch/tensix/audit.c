/* Says who waits on cores, and what would end the wait. */
#include "arch/tensix/compute/compute.h"
#include "arch/tensix/core.h"
#include "arch/tensix/mover/state.h"

/* Who waits on a core, and after the last of them how full its buffers are. */
static void audit_core(const ArchTensixCore *core, GPtrArray *lines)
{
    const guint before = lines->len;

    for (guint i = 0; i < MOVERS; i++) {
        char *waits =
            core->movers[i] != NULL ? tensix_mover_waits(core->movers[i]) : NULL;

        if (waits != NULL) {
            g_ptr_array_add(lines, waits);
        }
    }
    char *waits = core->compute != NULL ? tensix_compute_waits(core->compute) : NULL;

    if (waits != NULL) {
        g_ptr_array_add(lines, waits);
    }
    if (lines->len == before) {
        return;
    }
    g_autofree char *levels = tensix_core_fill_levels(core, TENSIX_CB_DOMAINS);
    g_auto(GStrv) rows = g_strsplit(levels, "\n", -1);
    g_autofree char *row = g_strjoinv(", ", rows);
    char **last = (char **) &lines->pdata[lines->len - 1];

    if (row[0] != '\0') {
        char *whole = g_strdup_printf("%s\n    %s has %s", *last, core->name, row);

        g_free(*last);
        *last = whole;
    }
}

void tensix_audit(gpointer data, GPtrArray *lines)
{
    const ArchTensix *self = data;

    for (guint i = 0; self->has_program && i < self->columns * self->rows; i++) {
        audit_core(&self->cores[i], lines);
    }
}

/* A kernel that moved the counter of a buffer, or was about to. */
typedef struct {
    const char *name;
    uint64_t pages; /* so far */
    bool is_over;
} Peer;

static bool is_mover_of(const TensixCbLedger *ledger, bool is_push, Peer *peer)
{
    peer->pages = is_push ? ledger->pushed : ledger->popped;
    return peer->pages > 0 || (is_push ? ledger->reserved : ledger->waited) > 0;
}

static bool find_peer(const ArchTensixCore *core, guint cb, bool is_push, Peer *peer)
{
    for (guint i = 0; i < MOVERS; i++) {
        const ArchMover *mover = core->movers[i];

        if (mover != NULL && is_mover_of(&mover->ledgers[cb], is_push, peer)) {
            peer->name = mover->config.name;
            peer->is_over = mover->is_over;
            return true;
        }
    }
    if (core->compute == NULL ||
        !is_mover_of(&core->compute->program.ledgers[cb], is_push, peer)) {
        return false;
    }
    peer->name = core->compute->name;
    peer->is_over = core->compute->is_over;
    return true;
}

char *tensix_core_cb_ending(const ArchTensixCore *core, guint cb, bool is_push)
{
    Peer peer = {0};

    if (!find_peer(core, cb, is_push, &peer)) {
        return g_strdup_printf("no kernel of this core has %s a page of it",
                               is_push ? "pushed" : "popped");
    }
    return g_strdup_printf("kernel %s, which %s pages of it (%" G_GUINT64_FORMAT
                           " so far), %s",
                           peer.name, is_push ? "pushes" : "pops", peer.pages,
                           peer.is_over ? "has ended" : "waits too");
}

static bool is_inside(const TensixMoverSignal *signal, const ArchTensixCore *core)
{
    return core->x >= signal->start.x && core->x <= signal->corner_x &&
           core->y >= signal->start.y && core->y <= signal->corner_y;
}

static const TensixMoverSignal *
find_signal(const ArchMover *mover, const ArchTensixCore *core, uint32_t address)
{
    for (guint i = 0; mover != NULL && i < TENSIX_SIGNALS; i++) {
        const TensixMoverSignal *signal = &mover->signals.last[i];

        if (signal->count > 0 && signal->start.offset == address &&
            is_inside(signal, core)) {
            return signal;
        }
    }
    return NULL;
}

char *tensix_core_word_ending(const ArchTensixCore *core, uint32_t address)
{
    const ArchTensix *owner = core->owner;

    for (guint i = 0; i < owner->columns * owner->rows * MOVERS; i++) {
        const ArchMover *mover = owner->cores[i / MOVERS].movers[i % MOVERS];
        const TensixMoverSignal *signal = find_signal(mover, core, address);

        if (signal != NULL) {
            return g_strdup_printf("%s (%s), which changes it (%" G_GUINT64_FORMAT
                                   " so far), %s",
                                   mover->name, mover->config.name, signal->count,
                                   mover->is_over ? "has ended" : "waits too");
        }
    }
    return g_strdup("no kernel of this chip changes it");
}
