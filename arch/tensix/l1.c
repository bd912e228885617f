/* Allocates the bytes of a core's L1 from the bottom up. */
#include "arch/tensix/l1.h"

#include "arch/error.h"
#include "sim/narrow.h"

typedef struct {
    char *name;
    uint64_t address;
    uint64_t bytes;
} Part;

struct TensixL1 {
    uint64_t capacity_bytes;
    guint8 *bytes;
    GArray *parts; /* by address */
    guint kept;    /* parts that outlive a reset */
};

static void part_clear(gpointer data)
{
    g_free(((Part *) data)->name);
}

static void add_part(TensixL1 *self, const char *name, uint64_t address, uint64_t bytes)
{
    Part part = {.name = g_strdup(name), .address = address, .bytes = bytes};

    g_array_append_val(self->parts, part);
}

TensixL1 *tensix_l1_new(uint64_t capacity_bytes, uint64_t reserved_bytes)
{
    TensixL1 *self = g_new0(TensixL1, 1);

    self->capacity_bytes = capacity_bytes;
    /* The operating system provides memory only for touched pages. */
    self->bytes = g_malloc0(capacity_bytes);
    self->parts = g_array_new(FALSE, FALSE, sizeof(Part));
    g_array_set_clear_func(self->parts, part_clear);
    add_part(self, "firmware", 0, MIN(reserved_bytes, capacity_bytes));
    tensix_l1_keep(self);
    return self;
}

void tensix_l1_free(TensixL1 *self)
{
    if (self != NULL) {
        g_array_unref(self->parts);
        g_free(self->bytes);
        g_free(self);
    }
}

static uint64_t end_of(const TensixL1 *self)
{
    const Part *last = &g_array_index(self->parts, Part, self->parts->len - 1);

    return last->address + last->bytes;
}

static void add_line(GString *map, uint64_t address, uint64_t bytes, const char *name)
{
    g_string_append_printf(
        map, "%s  0x%06" G_GINT64_MODIFIER "x %8" G_GUINT64_FORMAT " bytes  %s",
        map->len == 0 ? "" : "\n", address, bytes, name);
}

/* Where, how large, what for, a line each; the caller frees it. */
static char *map_of(const TensixL1 *self)
{
    GString *map = g_string_new(NULL);

    for (guint i = 0; i < self->parts->len; i++) {
        const Part *part = &g_array_index(self->parts, Part, i);

        add_line(map, part->address, part->bytes, part->name);
    }
    if (end_of(self) < self->capacity_bytes) {
        add_line(map, end_of(self), self->capacity_bytes - end_of(self), "free");
    }
    return g_string_free(map, FALSE);
}

bool tensix_l1_allocate(TensixL1 *self,
                        const char *name,
                        uint64_t bytes,
                        uint64_t alignment,
                        uint32_t *address,
                        GError **error)
{
    uint64_t start;

    g_return_val_if_fail(alignment > 0 && (alignment & (alignment - 1)) == 0, false);
    start = (end_of(self) + alignment - 1) & ~(alignment - 1);
    if (bytes == 0) {
        return arch_refuse(error, "l1: 0 bytes for %s, at least 1 is needed", name);
    }
    if (start > self->capacity_bytes || bytes > self->capacity_bytes - start) {
        g_autofree char *map = map_of(self);

        return arch_refuse(
            error, "l1: %" G_GUINT64_FORMAT " bytes for %s do not fit, the map is\n%s",
            bytes, name, map);
    }
    add_part(self, name, start, bytes);
    *address = sim_u32(start);
    return true;
}

const char *tensix_l1_name_at(const TensixL1 *self, uint64_t address)
{
    for (guint i = 0; i < self->parts->len; i++) {
        const Part *part = &g_array_index(self->parts, Part, i);

        if (address >= part->address && address - part->address < part->bytes) {
            return part->name;
        }
    }
    return NULL;
}

void tensix_l1_keep(TensixL1 *self)
{
    self->kept = self->parts->len;
}

void tensix_l1_reset(TensixL1 *self)
{
    g_array_set_size(self->parts, self->kept);
}

void tensix_l1_clear(TensixL1 *self)
{
    self->kept = 1;
    tensix_l1_reset(self);
}

uint64_t tensix_l1_free_bytes(const TensixL1 *self)
{
    return self->capacity_bytes - end_of(self);
}

bool tensix_l1_is_whole(const TensixL1 *self)
{
    uint64_t end = 0;

    for (guint i = 0; i < self->parts->len; i++) {
        const Part *part = &g_array_index(self->parts, Part, i);

        if (part->address < end || part->address + part->bytes > self->capacity_bytes) {
            return false;
        }
        end = part->address + part->bytes;
    }
    return self->kept <= self->parts->len;
}

bool tensix_l1_check(const TensixL1 *self,
                     uint64_t address,
                     uint64_t bytes,
                     GError **error)
{
    return (address <= self->capacity_bytes &&
            bytes <= self->capacity_bytes - address) ||
           arch_refuse(error,
                       "l1: %" G_GUINT64_FORMAT " bytes at address %" G_GUINT64_FORMAT
                       " reach past its end at %" G_GUINT64_FORMAT,
                       bytes, address, self->capacity_bytes);
}

guint8 *tensix_l1_at(TensixL1 *self, uint64_t address)
{
    g_return_val_if_fail(address < self->capacity_bytes, NULL);

    return self->bytes + address;
}
