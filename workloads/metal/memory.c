/* The memory of a chip as host programs see it: banks of DRAM, the L1 of cores. */
#include "workloads/metal/memory.h"

#include "arch/tensix.h"
#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/host/member.h"

enum {
    PART_NUMBERS = 3, /* place, address, bytes */
};

#define BYTES_MOST (G_GUINT64_CONSTANT(1) << 36)

typedef struct {
    uint64_t place; /* a bank, or a core's number */
    uint64_t address;
    uint64_t bytes;
} Part;

typedef struct {
    uint64_t address;
    uint64_t page_bytes;
    uint64_t stride;
    uint64_t first;
    uint64_t count;
} Pages;

bool metal_memory_is_dram(JsonObject *request)
{
    const char *space;

    return host_member_text(request, "space", &space, NULL) &&
           g_str_equal(space, "dram");
}

static bool read_pages(JsonObject *request, Pages *pages, GError **error)
{
    return host_member_count(request, "address", BYTES_MOST, &pages->address, error) &&
           host_member_count(request, "page_bytes", BYTES_MOST, &pages->page_bytes,
                             error) &&
           host_member_count(request, "stride", BYTES_MOST, &pages->stride, error) &&
           host_member_count(request, "first_page", BYTES_MOST, &pages->first, error) &&
           host_member_count(request, "pages", BYTES_MOST, &pages->count, error);
}

static bool read_part(JsonArray *parts, guint index, Part *part, GError **error)
{
    return host_item_count(parts, index, G_MAXUINT16, &part->place, error) &&
           host_item_count(parts, index + 1, BYTES_MOST, &part->address, error) &&
           host_item_count(parts, index + 2, BYTES_MOST, &part->bytes, error);
}

bool metal_memory_count(JsonObject *request, uint64_t *count, GError **error)
{
    JsonArray *parts;
    Pages pages;

    *count = 0;
    if (!host_member_array(request, "parts", &parts, error)) {
        return false;
    }
    for (guint i = 0; parts != NULL && i < json_array_get_length(parts);
         i += PART_NUMBERS) {
        Part part;

        if (!read_part(parts, i, &part, error)) {
            return false;
        }
        *count += part.bytes;
    }
    if (parts == NULL) {
        if (!read_pages(request, &pages, error)) {
            return false;
        }
        *count = pages.page_bytes > 0 && pages.count > BYTES_MOST / pages.page_bytes
                     ? BYTES_MOST + 1
                     : pages.page_bytes * pages.count;
    }
    return *count <= BYTES_MOST ||
           wl_refuse(error, "the host program asks for more memory than a chip has");
}

static bool move_dram(const Session *session,
                      const Part *part,
                      guint8 *bytes,
                      bool is_write,
                      GError **error)
{
    const ArchParams *params = arch_chip_params(session->chip);
    const uint64_t bank_bytes = arch_params_uint(params, "dram.channel_bytes");
    const uint64_t bank_count = arch_params_uint(params, "dram.channel_count");
    ArchDram *dram = arch_chip_dram(session->chip);

    if (part->place >= bank_count || part->address > bank_bytes ||
        part->bytes > bank_bytes - part->address) {
        return wl_refuse(
            error,
            "%" G_GUINT64_FORMAT " bytes at address %" G_GUINT64_FORMAT
            " of bank %" G_GUINT64_FORMAT " lie outside of the DRAM: %" G_GUINT64_FORMAT
            " banks of %" G_GUINT64_FORMAT " bytes",
            part->bytes, part->address, part->place, bank_count, bank_bytes);
    }
    const uint64_t address = part->place * bank_bytes + part->address;

    return is_write ? arch_dram_write(dram, address, bytes, part->bytes, error)
                    : arch_dram_read(dram, address, bytes, part->bytes, error);
}

static bool move_l1(const Session *session,
                    const Part *part,
                    guint8 *bytes,
                    bool is_write,
                    GError **error)
{
    ArchTensix *tensix = arch_tensix_of(session->chip);
    const guint columns = arch_tensix_columns(tensix);
    const guint number = sim_u32(part->place);
    ArchTensixCore *core =
        arch_tensix_core(tensix, number % columns, number / columns, error);

    if (core == NULL) {
        return false;
    }
    return is_write ? arch_tensix_write(core, part->address, bytes, part->bytes, error)
                    : arch_tensix_read(core, part->address, bytes, part->bytes, error);
}

static bool move_pages(const Session *session,
                       JsonObject *request,
                       guint8 *bytes,
                       bool is_write,
                       GError **error)
{
    const uint64_t banks =
        arch_params_uint(arch_chip_params(session->chip), "dram.channel_count");
    Pages pages;

    if (!read_pages(request, &pages, error)) {
        return false;
    }
    for (uint64_t i = 0; i < pages.count; i++) {
        const uint64_t page = pages.first + i;
        const Part part = {.place = page % banks,
                           .address = pages.address + page / banks * pages.stride,
                           .bytes = pages.page_bytes};

        if (!move_dram(session, &part, bytes + i * pages.page_bytes, is_write, error)) {
            return false;
        }
    }
    return true;
}

bool metal_memory_move(const Session *session,
                       JsonObject *request,
                       guint8 *bytes,
                       bool is_write,
                       GError **error)
{
    JsonArray *parts;

    if (!host_member_array(request, "parts", &parts, error)) {
        return false;
    }
    if (parts == NULL) {
        return move_pages(session, request, bytes, is_write, error);
    }
    for (guint i = 0; i < json_array_get_length(parts); i += PART_NUMBERS) {
        Part part;

        if (!read_part(parts, i, &part, error) ||
            !(metal_memory_is_dram(request) ? move_dram : move_l1)(
                session, &part, bytes, is_write, error)) {
            return false;
        }
        bytes += part.bytes;
    }
    return true;
}
