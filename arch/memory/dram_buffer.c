/* Deals the pages of DRAM buffers out to banks. */
#include "arch/memory/dram_buffer.h"

#include "arch/error.h"
#include "sim/narrow.h"

struct ArchDramBuffer {
    ArchDram *dram;
    ArchDramBufferConfig config;
    uint64_t stride_bytes; /* from page to page in one bank */
    uint64_t offset;       /* in every bank */
    uint64_t bank_bytes;
    guint bank_count;
};

static bool check_config(const ArchDramBufferConfig *config, GError **error)
{
    return (config->page_bytes > 0 && config->page_count > 0 &&
            config->shard_pages > 0) ||
           arch_refuse(error,
                       "dram: a buffer of %" G_GUINT64_FORMAT
                       " pages of %" G_GUINT64_FORMAT " bytes, %" G_GUINT64_FORMAT
                       " in a shard, allowed is at least 1 each",
                       config->page_count, config->page_bytes, config->shard_pages);
}

static uint64_t divide_up(uint64_t amount, uint64_t by)
{
    return amount / by + (amount % by != 0);
}

/* Of the bank that has most; 0 when that is beyond counting. */
static uint64_t bytes_per_bank(const ArchDramBuffer *self)
{
    const uint64_t shards =
        divide_up(self->config.page_count, self->config.shard_pages);
    const uint64_t rounds = divide_up(shards, self->bank_count);

    if (self->stride_bytes == 0 || rounds > UINT64_MAX / self->config.shard_pages ||
        rounds * self->config.shard_pages > UINT64_MAX / self->stride_bytes) {
        return 0;
    }
    return rounds * self->config.shard_pages * self->stride_bytes;
}

static bool take_range(ArchDramBuffer *self, uint64_t alignment, GError **error)
{
    const uint64_t bytes = bytes_per_bank(self);

    if (bytes == 0 || bytes > self->bank_bytes) {
        return arch_refuse(error,
                           "dram: %" G_GUINT64_FORMAT " pages of %" G_GUINT64_FORMAT
                           " bytes do not fit, a bank has %" G_GUINT64_FORMAT,
                           self->config.page_count, self->config.page_bytes,
                           self->bank_bytes);
    }
    return arch_dram_allocate_banks(self->dram, self->bank_bytes, bytes, alignment,
                                    &self->offset, error);
}

ArchDramBuffer *arch_dram_buffer_new(ArchDram *dram,
                                     const ArchParams *params,
                                     const ArchDramBufferConfig *config,
                                     GError **error)
{
    const uint64_t alignment = arch_params_uint(params, "dram.read_alignment_bytes");
    const uint64_t bank_bytes = arch_params_uint(params, "dram.channel_bytes");
    g_autoptr(ArchDramBuffer) self = NULL;

    if (!check_config(config, error)) {
        return NULL;
    }
    self = g_new0(ArchDramBuffer, 1);
    self->dram = dram;
    self->config = *config;
    self->bank_bytes = bank_bytes;
    self->bank_count = sim_u32(arch_params_uint(params, "dram.channel_count"));
    self->stride_bytes =
        MIN(divide_up(config->page_bytes, alignment), UINT64_MAX / alignment) *
        alignment;
    return take_range(self, alignment, error) ? g_steal_pointer(&self) : NULL;
}

void arch_dram_buffer_free(ArchDramBuffer *self)
{
    g_free(self);
}

uint64_t arch_dram_buffer_page_bytes(const ArchDramBuffer *self)
{
    return self->config.page_bytes;
}

bool arch_dram_buffer_page(const ArchDramBuffer *self,
                           uint64_t page,
                           guint *bank,
                           uint64_t *offset,
                           GError **error)
{
    const uint64_t shard = page / self->config.shard_pages;
    const uint64_t place = shard / self->bank_count * self->config.shard_pages +
                           page % self->config.shard_pages;

    if (page >= self->config.page_count) {
        return arch_refuse(error,
                           "dram: page %" G_GUINT64_FORMAT
                           ", the buffer has 0..%" G_GUINT64_FORMAT,
                           page, self->config.page_count - 1);
    }
    *bank = sim_u32(shard % self->bank_count);
    *offset = self->offset + place * self->stride_bytes;
    return true;
}

static bool
check_range(const ArchDramBuffer *self, uint64_t first, uint64_t count, GError **error)
{
    const uint64_t bytes = self->config.page_bytes * self->config.page_count;

    return (first <= bytes && count <= bytes - first) ||
           arch_refuse(error,
                       "dram: %" G_GUINT64_FORMAT " bytes at %" G_GUINT64_FORMAT
                       " reach past the buffer's end at %" G_GUINT64_FORMAT,
                       count, first, bytes);
}

/* Where byte `first` lies, and how many follow it there. */
static uint64_t
address_of(const ArchDramBuffer *self, uint64_t first, gsize count, gsize *part)
{
    const uint64_t within = first % self->config.page_bytes;
    guint bank = 0;
    uint64_t offset = 0;

    (void) arch_dram_buffer_page(self, first / self->config.page_bytes, &bank, &offset,
                                 NULL);
    *part = MIN(count, self->config.page_bytes - within);
    return bank * self->bank_bytes + offset + within;
}

bool arch_dram_buffer_write(ArchDramBuffer *self,
                            uint64_t first,
                            gconstpointer bytes,
                            gsize count,
                            GError **error)
{
    const guint8 *from = bytes;
    gsize part;

    if (!check_range(self, first, count, error)) {
        return false;
    }
    for (gsize at = 0; at < count; at += part) {
        const uint64_t address = address_of(self, first + at, count - at, &part);

        if (!arch_dram_write(self->dram, address, from + at, part, error)) {
            return false;
        }
    }
    return true;
}

bool arch_dram_buffer_read(const ArchDramBuffer *self,
                           uint64_t first,
                           gpointer bytes,
                           gsize count,
                           GError **error)
{
    guint8 *to = bytes;
    gsize part;

    if (!check_range(self, first, count, error)) {
        return false;
    }
    for (gsize at = 0; at < count; at += part) {
        const uint64_t address = address_of(self, first + at, count - at, &part);

        if (!arch_dram_read(self->dram, address, to + at, part, error)) {
            return false;
        }
    }
    return true;
}
