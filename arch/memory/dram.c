/* Keeps DRAM in pages that exist from their first write on. */
#include "arch/memory/dram.h"

#include <string.h>

#include "arch/error.h"

enum {
    PAGE_BYTES = 1 << 16,
    GROUP_PAGES = 1 << 13,
};

struct ArchDram {
    uint64_t capacity_bytes;
    uint64_t allocated_bytes;
    uint64_t limit_bytes; /* for what is not given of all banks */
    guint8 ***groups; /* of pages; group and page are NULL where nothing was written */
    gsize group_count;
    gsize touched_count; /* pages */
    SimAccount *account; /* that pays for them, or NULL */
    guint8 *spare;       /* page that stands for all that cannot be paid for */
};

ArchDram *arch_dram_new(uint64_t capacity_bytes)
{
    ArchDram *self = g_new0(ArchDram, 1);

    self->capacity_bytes = capacity_bytes;
    self->limit_bytes = capacity_bytes;
    self->group_count = capacity_bytes / PAGE_BYTES / GROUP_PAGES + 1;
    self->groups = g_new0(guint8 **, self->group_count);
    return self;
}

void arch_dram_free(ArchDram *self)
{
    if (self != NULL) {
        for (gsize i = 0; i < self->group_count; i++) {
            for (gsize j = 0; self->groups[i] != NULL && j < GROUP_PAGES; j++) {
                g_free(self->groups[i][j]);
            }
            g_free(self->groups[i]);
        }
        g_free(self->spare);
        g_free(self->groups);
        g_free(self);
    }
}

void arch_dram_set_account(ArchDram *self, SimAccount *account)
{
    if (self->account != NULL) {
        sim_account_give(self->account, arch_dram_resident_bytes(self));
    }
    self->account = account;
    if (account != NULL) {
        (void) sim_account_need(account, "DRAM", arch_dram_resident_bytes(self));
    }
}

uint64_t arch_dram_resident_bytes(const ArchDram *self)
{
    return self->touched_count * PAGE_BYTES;
}

bool arch_dram_allocate(ArchDram *self,
                        uint64_t bytes,
                        uint64_t alignment,
                        uint64_t *address,
                        GError **error)
{
    uint64_t start;

    g_return_val_if_fail(alignment > 0 && (alignment & (alignment - 1)) == 0, false);
    start = (self->allocated_bytes + alignment - 1) & ~(alignment - 1);
    if (start > self->limit_bytes || bytes > self->limit_bytes - start) {
        return arch_refuse(error,
                           "dram: %" G_GUINT64_FORMAT
                           " bytes do not fit, %" G_GUINT64_FORMAT
                           " of %" G_GUINT64_FORMAT " are free",
                           bytes, self->limit_bytes - MIN(start, self->limit_bytes),
                           self->capacity_bytes);
    }
    self->allocated_bytes = start + bytes;
    *address = start;
    return true;
}

bool arch_dram_allocate_banks(ArchDram *self,
                              uint64_t bank_bytes,
                              uint64_t bytes,
                              uint64_t alignment,
                              uint64_t *offset,
                              GError **error)
{
    /* Every bank ends at its first one's limit from now on. */
    const uint64_t end = MIN(self->limit_bytes, bank_bytes);
    const uint64_t taken = self->allocated_bytes;
    uint64_t start;

    g_return_val_if_fail(alignment > 0 && (alignment & (alignment - 1)) == 0, false);
    start = bytes > end ? 0 : (end - bytes) & ~(alignment - 1);
    if (bytes > end || start < taken) {
        return arch_refuse(error,
                           "dram: %" G_GUINT64_FORMAT
                           " bytes of every bank do not fit, "
                           "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " are free",
                           bytes, end - MIN(taken, end), bank_bytes);
    }
    self->limit_bytes = start;
    *offset = start;
    return true;
}

bool arch_dram_check(const ArchDram *self,
                     uint64_t address,
                     uint64_t count,
                     GError **error)
{
    return (address <= self->capacity_bytes &&
            count <= self->capacity_bytes - address) ||
           arch_refuse(error,
                       "dram: %" G_GUINT64_FORMAT " bytes at address %" G_GUINT64_FORMAT
                       " reach past its end at %" G_GUINT64_FORMAT,
                       count, address, self->capacity_bytes);
}

/* NULL if nothing was written to it. */
static const guint8 *find_page(const ArchDram *self, uint64_t address)
{
    uint64_t page = address / PAGE_BYTES;
    guint8 **group = self->groups[page / GROUP_PAGES];

    return group != NULL ? group[page % GROUP_PAGES] : NULL;
}

static guint8 *touch_page(ArchDram *self, uint64_t address)
{
    uint64_t page = address / PAGE_BYTES;
    guint8 ***group = &self->groups[page / GROUP_PAGES];

    if (*group == NULL) {
        *group = g_new0(guint8 *, GROUP_PAGES);
    }
    if ((*group)[page % GROUP_PAGES] == NULL && self->account != NULL &&
        !sim_account_need(self->account, "DRAM", PAGE_BYTES)) {
        if (self->spare == NULL) {
            self->spare = g_malloc0(PAGE_BYTES);
        }
        return self->spare; /* the run is over */
    }
    if ((*group)[page % GROUP_PAGES] == NULL) {
        (*group)[page % GROUP_PAGES] = g_malloc0(PAGE_BYTES);
        self->touched_count++;
    }
    return (*group)[page % GROUP_PAGES];
}

bool arch_dram_write(
    ArchDram *self, uint64_t address, gconstpointer bytes, gsize count, GError **error)
{
    const guint8 *from = bytes;

    if (!arch_dram_check(self, address, count, error)) {
        return false;
    }
    while (count > 0) {
        gsize offset = address % PAGE_BYTES;
        gsize part = MIN(count, PAGE_BYTES - offset);

        memcpy(touch_page(self, address) + offset, from, part);
        from += part;
        address += part;
        count -= part;
    }
    return true;
}

bool arch_dram_read(
    const ArchDram *self, uint64_t address, gpointer bytes, gsize count, GError **error)
{
    guint8 *to = bytes;

    if (!arch_dram_check(self, address, count, error)) {
        return false;
    }
    while (count > 0) {
        gsize offset = address % PAGE_BYTES;
        gsize part = MIN(count, PAGE_BYTES - offset);
        const guint8 *page = find_page(self, address);

        if (page == NULL) {
            memset(to, 0, part);
        } else {
            memcpy(to, page + offset, part);
        }
        to += part;
        address += part;
        count -= part;
    }
    return true;
}
