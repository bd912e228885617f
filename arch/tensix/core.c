/* Assembles a core: memory, circular buffers, semaphores, and notifications of changes.
 */
#include "arch/tensix/core.h"

#include <string.h>

#include "arch/error.h"
#include "arch/tensix/compute/compute.h"
#include "arch/tensix/core_lane.h"
#include "arch/tensix/mover/mover.h"
#include "sim/narrow.h"
#include "sim/probe.h"

/* A semaphore may count so far. */
#define SEMAPHORE_LIMIT INT32_MAX

const char *arch_tensix_core_name(const ArchTensixCore *self)
{
    return self->name;
}

ArchTile arch_tensix_core_tile(const ArchTensixCore *self)
{
    return self->tile;
}

guint arch_tensix_core_region(const ArchTensixCore *self)
{
    return self->region;
}

SimKey tensix_core_key(const ArchTensixCore *core, guint16 port)
{
    enum {
        FIRST_COMPONENT = 1, /* after what is no core */
    };

    return sim_key(FIRST_COMPONENT + core->index, port);
}

TensixL1 *tensix_core_l1(ArchTensixCore *core)
{
    if (core->l1 == NULL) {
        const ArchParams *params = core->owner->params;

        core->l1 = tensix_l1_new(arch_params_uint(params, "l1.capacity_bytes"),
                                 arch_params_uint(params, "l1.reserved_bytes"));
    }
    return core->l1;
}

static bool allocate(ArchTensixCore *self,
                     const char *name,
                     uint64_t bytes,
                     uint64_t alignment,
                     uint32_t *address,
                     GError **error)
{
    if (!tensix_l1_allocate(tensix_core_l1(self), name, bytes, alignment, address,
                            error)) {
        g_prefix_error(error, "%s: ", self->name);
        return false;
    }
    return true;
}

/* So that data from anywhere can go there. */
static uint64_t widest_alignment(const ArchTensixCore *self)
{
    const ArchParams *params = self->owner->params;

    return MAX(arch_params_uint(params, "l1.noc_alignment_bytes"),
               arch_params_uint(params, "dram.read_alignment_bytes"));
}

bool arch_tensix_allocate(ArchTensixCore *self,
                          const char *name,
                          uint64_t bytes,
                          uint32_t *address,
                          GError **error)
{
    return allocate(self, name, bytes, widest_alignment(self), address, error);
}

uint64_t arch_tensix_free_bytes(const ArchTensixCore *self)
{
    return tensix_l1_free_bytes(tensix_core_l1((ArchTensixCore *) self));
}

static bool check_bytes(const ArchTensixCore *self,
                        uint64_t address,
                        uint64_t count,
                        GError **error)
{
    if (!tensix_l1_check(tensix_core_l1((ArchTensixCore *) self), address, count,
                         error)) {
        g_prefix_error(error, "%s: ", self->name);
        return false;
    }
    return true;
}

/* What its units do to data in L1 may be put off: now it has to be there. */
static void settle_all(const ArchTensixCore *self)
{
    if (self->compute != NULL) {
        tensix_works_finish(self->compute->works);
    }
}

static void settle(gpointer data, uint64_t works)
{
    const ArchTensixCore *core = data;

    if (core->compute != NULL) {
        tensix_works_finish_first(core->compute->works, works);
    }
}

static uint64_t count_works(gpointer data)
{
    const ArchTensixCore *core = data;

    return core->compute != NULL ? tensix_works_count(core->compute->works) : 0;
}

bool arch_tensix_read(const ArchTensixCore *self,
                      uint64_t address,
                      gpointer bytes,
                      gsize count,
                      GError **error)
{
    if (!check_bytes(self, address, count, error)) {
        return false;
    }
    settle_all(self);
    if (count > 0) {
        memcpy(bytes, tensix_l1_at(self->l1, address), count);
    }
    return true;
}

bool arch_tensix_write(ArchTensixCore *self,
                       uint64_t address,
                       gconstpointer bytes,
                       gsize count,
                       GError **error)
{
    if (!check_bytes(self, address, count, error)) {
        return false;
    }
    settle_all(self);
    if (count > 0) {
        memcpy(tensix_l1_at(self->l1, address), bytes, count);
    }
    return true;
}

static void tell_movers(gpointer data, guint index)
{
    const ArchTensixCore *core = data;

    for (guint i = 0; i < MOVERS; i++) {
        if (core->movers[i] != NULL) {
            tensix_mover_cb_changed(core->movers[i], index);
        }
    }
}

static void tell_compute(gpointer data, guint index)
{
    const ArchTensixCore *core = data;

    if (core->compute != NULL) {
        tensix_compute_cb_changed(core->compute, index);
    }
}

void tensix_core_l1_changed(ArchTensixCore *core, uint64_t address, uint64_t bytes)
{
    for (guint i = 0; i < MOVERS; i++) {
        if (core->movers[i] != NULL) {
            tensix_mover_l1_changed(core->movers[i], address, bytes);
        }
    }
    core->cause.by = 0; /* whoever changes it next says so */
}

void tensix_core_put(ArchTensixCore *core,
                     uint64_t address,
                     const guint8 *bytes,
                     gsize count)
{
    memcpy(tensix_l1_at(tensix_core_l1(core), address), bytes, count);
    tensix_core_l1_changed(core, address, count);
}

bool tensix_core_increment(ArchTensixCore *core,
                           uint64_t address,
                           uint32_t value,
                           GError **error)
{
    uint32_t word;

    memcpy(&word, tensix_l1_at(tensix_core_l1(core), address), sizeof word);
    if ((uint64_t) word + value > SEMAPHORE_LIMIT) {
        return arch_refuse(error,
                           "the semaphore at 0x%" G_GINT64_MODIFIER
                           "x of %s overflows, %u + %u is above %d",
                           address, core->name, word, value, SEMAPHORE_LIMIT);
    }
    word += value;
    tensix_core_put(core, address, (const guint8 *) &word, sizeof word);
    return true;
}

static bool
refuse_buffer(const ArchTensixCore *self, guint index, GError **error, char *why)
{
    (void) arch_refuse(error, "%s: circular buffer %u: %s", self->name, index, why);
    g_free(why);
    return false;
}

static bool check_buffer(const ArchTensixCore *self,
                         const ArchCircularBufferConfig *config,
                         GError **error)
{
    const ArchParams *params = self->owner->params;
    const guint count =
        sim_u32(arch_params_uint(params, "circular_buffer.buffer_count"));
    const guint alignment = sim_u32(arch_params_uint(params, "l1.noc_alignment_bytes"));

    if (config->index >= count || config->index >= CIRCULAR_BUFFERS) {
        return refuse_buffer(self, config->index, error,
                             g_strdup_printf("a core has 0..%u", count - 1));
    }
    if (self->buffers[config->index].page_count > 0) {
        return refuse_buffer(self, config->index, error,
                             g_strdup("is configured already"));
    }
    if (config->page_count == 0 || config->page_bytes == 0 ||
        config->page_bytes % sizeof(uint32_t) != 0) {
        return refuse_buffer(
            self, config->index, error,
            g_strdup_printf("%u pages of %u bytes, allowed are at least 1 page and "
                            "multiples of 4 bytes",
                            config->page_count, config->page_bytes));
    }
    if (config->has_address && config->address % alignment != 0) {
        return refuse_buffer(self, config->index, error,
                             g_strdup_printf("address 0x%x is no multiple of %u",
                                             config->address, alignment));
    }
    return true;
}

static bool
place_buffer(ArchTensixCore *self, ArchCircularBufferConfig *config, GError **error)
{
    const uint64_t bytes = (uint64_t) config->page_count * config->page_bytes;
    const uint64_t reserved =
        arch_params_uint(self->owner->params, "l1.reserved_bytes");
    g_autofree char *name = NULL;

    if (!config->has_address) {
        name = g_strdup_printf("circular buffer %u: %u pages of %u bytes",
                               config->index, config->page_count, config->page_bytes);
        return allocate(self, name, bytes, widest_alignment(self), &config->address,
                        error);
    }
    if (config->address < reserved) {
        return refuse_buffer(
            self, config->index, error,
            g_strdup_printf("address 0x%x is the firmware's, which has "
                            "the first %" G_GUINT64_FORMAT " bytes",
                            config->address, reserved));
    }
    return check_bytes(self, config->address, bytes, error);
}

bool arch_tensix_add_circular_buffer(ArchTensixCore *self,
                                     ArchCircularBufferConfig *config,
                                     GError **error)
{
    const ArchTensix *owner = self->owner;
    CircularBuffer *buffer;

    if (!check_buffer(self, config, error) || !place_buffer(self, config, error)) {
        return false;
    }
    buffer = &self->buffers[config->index];
    buffer->regions[TENSIX_CB_MOVERS] = sim_engine_region(owner->engine, 0);
    buffer->regions[TENSIX_CB_COMPUTE] = sim_engine_region(owner->engine, self->region);
    for (guint domain = 0; domain < TENSIX_CB_DOMAINS; domain++) {
        buffer->keys[domain] =
            tensix_core_key(self, sim_u16(TENSIX_CORE_PORT_BUFFERS + config->index));
        buffer->moved[domain] = &self->moved[domain];
    }
    buffer->window = owner->window;
    buffer->changed[TENSIX_CB_MOVERS] = tell_movers;
    buffer->changed[TENSIX_CB_COMPUTE] = tell_compute;
    buffer->works = count_works;
    buffer->settle = settle;
    buffer->data = self;
    buffer->lane = tensix_core_lane(self, TENSIX_CORE_BUFFERS);
    buffer->is_watched =
        SIM_PROBES && sim_region_wants(buffer->regions[TENSIX_CB_MOVERS], buffer->lane);
    tensix_cb_configure(buffer, config);
    return true;
}

bool arch_tensix_add_semaphore(ArchTensixCore *self,
                               const char *name,
                               uint32_t value,
                               uint32_t *address,
                               GError **error)
{
    const uint64_t alignment =
        arch_params_uint(self->owner->params, "l1.noc_alignment_bytes");

    /* A place of its own each, as a word that is written from afar needs. */
    return allocate(self, name, alignment, alignment, address, error) &&
           arch_tensix_write(self, *address, &value, sizeof value, error);
}

char *tensix_core_fill_levels(const ArchTensixCore *core, TensixCbDomain domain)
{
    GString *lines = g_string_new(NULL);

    for (guint i = 0; i < CIRCULAR_BUFFERS; i++) {
        const CircularBuffer *buffer = &core->buffers[i];
        const uint64_t fill = domain == TENSIX_CB_DOMAINS
                                  ? buffer->pushed.total - buffer->popped.total
                                  : tensix_cb_fill(buffer, domain);

        if (buffer->page_count > 0) {
            g_string_append_printf(lines, "%scb %u: %" G_GUINT64_FORMAT " of %u pages",
                                   lines->len == 0 ? "" : "\n", i, fill,
                                   buffer->page_count);
        }
    }
    return g_string_free(lines, FALSE);
}

bool tensix_core_check_end(const ArchTensixCore *core, GError **error)
{
    for (guint i = 0; i < CIRCULAR_BUFFERS; i++) {
        const CircularBuffer *buffer = &core->buffers[i];

        if (buffer->page_count > 0 && buffer->pushed.total > buffer->waited) {
            return refuse_buffer(
                core, i, error,
                g_strdup_printf("%" G_GUINT64_FORMAT " pages were pushed, of which "
                                "%" G_GUINT64_FORMAT " were waited for",
                                buffer->pushed.total, buffer->waited));
        }
    }
    return true;
}

void tensix_core_reset(ArchTensixCore *core)
{
    for (guint i = 0; i < MOVERS; i++) {
        g_clear_pointer(&core->movers[i], tensix_mover_free);
    }
    g_clear_pointer(&core->compute, tensix_compute_free);
    for (guint i = 0; i < CIRCULAR_BUFFERS; i++) {
        if (core->buffers[i].page_count > 0) {
            tensix_cb_clear(&core->buffers[i]);
        }
    }
    if (core->l1 != NULL) {
        tensix_l1_reset(core->l1);
    }
}
