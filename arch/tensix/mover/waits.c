/* Says in words what a data mover waits for. */
#include "arch/tensix/mover/state.h"

static char *words_of_buffer(const ArchMover *self)
{
    const TensixMoverWait *wait = &self->wait;
    const CircularBuffer *buffer = &self->core->buffers[wait->cb];
    const bool is_read = wait->op == ARCH_MOVER_CB_WAIT;

    return g_strdup_printf("%s(%u, %u): %" G_GUINT64_FORMAT " of %u pages",
                           is_read ? "cb_wait_front" : "cb_reserve_back", wait->cb,
                           wait->pages, tensix_cb_fill(buffer, TENSIX_CB_MOVERS),
                           buffer->page_count);
}

const char *tensix_mover_barrier_name(ArchBarrier barrier)
{
    static const char *const names[BARRIERS] = {
        [ARCH_BARRIER_READ] = "noc_async_read_barrier",
        [ARCH_BARRIER_WRITE] = "noc_async_write_barrier",
        [ARCH_BARRIER_FLUSH] = "noc_async_writes_flushed",
        [ARCH_BARRIER_ATOMIC] = "noc_async_atomic_barrier",
        [ARCH_BARRIER_FABRIC] = "fabric_write_barrier",
    };

    return names[barrier];
}

static char *words_of_barrier(const ArchMover *self)
{
    const TensixMoverWait *wait = &self->wait;
    g_autofree char *id = wait->transaction == TENSIX_TRANSACTIONS
                              ? g_strdup("")
                              : g_strdup_printf("_with_trid(%u)", wait->transaction);

    return g_strdup_printf("%s%s: %" G_GUINT64_FORMAT " under way",
                           tensix_mover_barrier_name((ArchBarrier) wait->op), id,
                           self->outstanding[wait->op][wait->transaction]);
}

/* ", semaphore 3: it is 1": the name of a word of its core, and its value. */
static char *words_of_word(const ArchMover *self, uint64_t address)
{
    const char *name;
    uint32_t word = 0;

    (void) arch_tensix_read(self->core, address, &word, sizeof word, NULL);
    name = tensix_l1_name_at(self->core->l1, address);
    return g_strdup_printf("%s%s: it is %u", name == NULL ? "" : ", ",
                           name == NULL ? "" : name, word);
}

static char *words_of_semaphore(const ArchMover *self)
{
    const TensixMoverWait *wait = &self->wait;
    g_autofree char *word = words_of_word(self, wait->address);

    return g_strdup_printf("noc_semaphore_wait%s(0x%x, %u)%s",
                           wait->is_minimum ? "_min" : "", wait->address, wait->value,
                           word);
}

/* What would end the wait; NULL: unknown. */
static char *ending_of(const ArchMover *self)
{
    const TensixMoverWait *wait = &self->wait;

    switch (wait->kind) {
    case WAIT_CIRCULAR_BUFFER:
        return tensix_core_cb_ending(self->core, wait->cb,
                                     wait->op == ARCH_MOVER_CB_WAIT);
    case WAIT_SEMAPHORE:
        return tensix_core_word_ending(self->core, wait->address);
    case WAIT_NONE:
    case WAIT_PLACE:
    case WAIT_SLOT:
    case WAIT_BARRIER:
        break;
    }
    return NULL;
}

static char *place_of(const ArchMover *self)
{
    return self->config.place == NULL
               ? g_strdup("")
               : arch_place_text(self->config.place(self->config.data));
}

static char *words_of(const ArchMover *self)
{
    switch (self->wait.kind) {
    case WAIT_NONE:
        break;
    case WAIT_CIRCULAR_BUFFER:
        return words_of_buffer(self);
    case WAIT_PLACE:
        return g_strdup_printf("a place in a command queue of noc %u",
                               self->config.noc);
    case WAIT_SLOT:
        return g_strdup_printf("a free slot of %s", tensix_port_name(self->wait.port));
    case WAIT_BARRIER:
        return words_of_barrier(self);
    case WAIT_SEMAPHORE:
        return words_of_semaphore(self);
    }
    return NULL;
}

/* What its calls look at while it goes on, and may change nothing for ever. */
static char *words_of_reading(const ArchMover *self)
{
    const TensixMoverReadings *reading = &self->readings;

    if (reading->call == NULL) {
        return g_strdup("its own calls");
    }
    if (g_str_has_prefix(reading->call, "cb_")) {
        return g_strdup_printf("%s of circular buffer %" G_GUINT64_FORMAT,
                               reading->call, reading->place);
    }
    g_autofree char *word = words_of_word(self, reading->place);

    return g_strdup_printf("%s(0x%" G_GINT64_MODIFIER "x)%s", reading->call,
                           reading->place, word);
}

static char *words_of_far_reading(const ArchMover *self)
{
    const ArchNocAddress *from = &self->readings.far;

    return self->readings.is_far
               ? g_strdup_printf(" after noc_async_read from %s %u,%u at "
                                 "0x%" G_GINT64_MODIFIER "x",
                                 from->is_dram ? "DRAM" : "core", from->x, from->y,
                                 from->offset)
               : g_strdup("");
}

static char *spins(const ArchMover *self)
{
    g_autofree char *reading = words_of_reading(self);
    g_autofree char *far_reading = words_of_far_reading(self);

    g_autofree char *place = place_of(self);

    return g_strdup_printf("%s (%s) spins on %s%s, since cycle %" G_GUINT64_FORMAT "%s",
                           self->name, self->config.name, reading, far_reading,
                           self->readings.worked, place);
}

char *tensix_mover_waits(const ArchMover *self)
{
    g_autofree char *words = words_of(self);

    if (self->is_over) {
        return NULL;
    }
    /* A read that it polls with may be under way. */
    if (words == NULL ||
        (self->readings.is_repeating && self->wait.kind == WAIT_BARRIER)) {
        return spins(self);
    }
    g_autofree char *ending = ending_of(self);
    g_autofree char *place = place_of(self);

    return g_strdup_printf("%s (%s) waits for %s, since cycle %" G_GUINT64_FORMAT
                           "%s%s%s",
                           self->name, self->config.name, words, self->lane.at, place,
                           ending != NULL ? "; " : "", ending != NULL ? ending : "");
}
