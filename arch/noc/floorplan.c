/* Checks keys of a chip file that must agree with each other. */
#include "arch/noc/floorplan.h"

#include "arch/error.h"
#include "sim/narrow.h"

/* Lists of tiles that belong together. */
typedef struct {
    const char *columns;
    const char *rows;
    bool is_paired; /* a tile an item, not all crossings */
} TileLists;

static const TileLists tile_lists[] = {
    {"grid.tensix_columns", "grid.tensix_rows", false},
    {"grid.tensix_columns", "grid.harvested_rows", false},
    {"dram.tile_columns", "dram.tile_rows", true},
    {"dram.view_columns", "dram.view_rows", true},
    {"ethernet.tile_columns", "ethernet.tile_rows", true},
};

static bool check_item(const ArchParams *params,
                       const char *path,
                       uint64_t item,
                       guint count,
                       GError **error)
{
    return item < count ||
           arch_refuse(error, "%s: %s has %" G_GUINT64_FORMAT ", the grid has 0..%u",
                       arch_params_name(params), path, item, count - 1);
}

static bool check_list(const ArchParams *params,
                       const char *path,
                       guint count,
                       gsize *length,
                       GError **error)
{
    const uint64_t *items = arch_params_list(params, path, length);

    for (gsize i = 0; i < *length; i++) {
        if (!check_item(params, path, items[i], count, error)) {
            return false;
        }
    }
    return true;
}

static bool check_tiles(const ArchParams *params, GError **error)
{
    const guint width = sim_u32(arch_params_uint(params, "grid.column_count"));
    const guint height = sim_u32(arch_params_uint(params, "grid.row_count"));

    for (gsize i = 0; i < G_N_ELEMENTS(tile_lists); i++) {
        const TileLists *lists = &tile_lists[i];
        gsize columns = 0;
        gsize rows = 0;

        if (!check_list(params, lists->columns, width, &columns, error) ||
            !check_list(params, lists->rows, height, &rows, error)) {
            return false;
        }
        if (lists->is_paired && columns != rows) {
            return arch_refuse(error,
                               "%s: %s has %" G_GSIZE_FORMAT
                               " values, %s has %" G_GSIZE_FORMAT ", expected as many",
                               arch_params_name(params), lists->columns, columns,
                               lists->rows, rows);
        }
    }
    return check_item(params, "pcie.tile_column",
                      arch_params_uint(params, "pcie.tile_column"), width, error) &&
           check_item(params, "pcie.tile_row",
                      arch_params_uint(params, "pcie.tile_row"), height, error);
}

/* A flit's words pass at once, through as many ports. */
static guint words_of_flit(const ArchParams *params)
{
    const uint64_t flit = arch_params_uint(params, "noc.flit_bytes");
    const uint64_t word = arch_params_uint(params, "l1.bank_word_bytes");

    return sim_u32((flit + word - 1) / word);
}

static bool check_ports(const ArchParams *params, GError **error)
{
    const uint64_t ports = arch_params_uint(params, "l1.port_count");
    const guint words = words_of_flit(params);
    gsize count = 0;
    const uint64_t *firsts = arch_params_list(params, "l1.noc_ports", &count);

    for (gsize i = 0; i < count; i++) {
        if (firsts[i] + words > ports) {
            return arch_refuse(error,
                               "%s: l1.noc_ports has %u ports from %" G_GUINT64_FORMAT
                               " on, an L1 has 0..%" G_GUINT64_FORMAT,
                               arch_params_name(params), words, firsts[i], ports - 1);
        }
    }
    return arch_params_uint(params, "l1.mover_port") < ports ||
           arch_refuse(error,
                       "%s: l1.mover_port = %" G_GUINT64_FORMAT
                       ", an L1 has 0..%" G_GUINT64_FORMAT,
                       arch_params_name(params),
                       arch_params_uint(params, "l1.mover_port"), ports - 1);
}

/* A router moves a flit a cycle, and a link carries one in whole cycles. */
static bool check_links(const ArchParams *params, GError **error)
{
    const uint64_t flit = arch_params_uint(params, "noc.flit_bytes");
    const uint64_t link = arch_params_uint(params, "noc.link_bytes_per_cycle");

    return (link <= flit && flit % link == 0) ||
           arch_refuse(error,
                       "%s: noc.link_bytes_per_cycle = %" G_GUINT64_FORMAT
                       ", a flit of %" G_GUINT64_FORMAT
                       " bytes takes one cycle of a link or several whole ones",
                       arch_params_name(params), link, flit);
}

/* What channels have for themselves comes out of the port's buffer; they share the
 * rest, a flit at least. */
static bool check_buffers(const ArchParams *params, GError **error)
{
    const uint64_t port = arch_params_uint(params, "noc.port_buffer_bytes");
    const uint64_t reserved = arch_params_uint(params, "noc.vc_count") *
                              arch_params_uint(params, "noc.vc_reserved_bytes");

    return reserved + arch_params_uint(params, "noc.flit_bytes") <= port ||
           arch_refuse(
               error,
               "%s: noc.port_buffer_bytes = %" G_GUINT64_FORMAT
               ", noc.vc_count and noc.vc_reserved_bytes reserve %" G_GUINT64_FORMAT
               " of it",
               arch_params_name(params), port, reserved);
}

SimTime noc_floorplan_link_cycles(const ArchParams *params)
{
    return arch_params_uint(params, "noc.flit_bytes") /
           arch_params_uint(params, "noc.link_bytes_per_cycle");
}

bool noc_floorplan_check(const ArchParams *params, GError **error)
{
    return check_tiles(params, error) && check_ports(params, error) &&
           check_links(params, error) && check_buffers(params, error);
}
