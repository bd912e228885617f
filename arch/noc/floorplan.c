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

enum {
    FLOORPLAN_EDGE = 64,          /* the most columns and rows of a grid */
    HELD_FLITS_MAXIMUM = 1 << 23, /* by one channel of every tile; 4 GiB for all */
};

enum {
    TENSIX,
    DRAM,
    ETHERNET,
};

#define DRAM_KEYS "dram.tile_columns and dram.tile_rows"

static const TileLists tile_lists[] = {
    [TENSIX] = {"grid.tensix_columns", "grid.tensix_rows", false},
    [DRAM] = {"dram.tile_columns", "dram.tile_rows", true},
    [ETHERNET] = {"ethernet.tile_columns", "ethernet.tile_rows", true},
    {"grid.tensix_columns", "grid.harvested_rows", false},
    {"dram.view_columns", "dram.view_rows", true},
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

/* The keys that have put a tile at each place. */
typedef struct {
    const ArchParams *params;
    const char *keys[FLOORPLAN_EDGE][FLOORPLAN_EDGE]; /* [row][column]; NULL: none */
} Plan;

static bool place(Plan *self, uint64_t x, uint64_t y, const char *keys, GError **error)
{
    const char **taken = &self->keys[y][x];

    if (*taken != NULL) {
        return arch_refuse(error,
                           "%s: %s have a tile at %" G_GUINT64_FORMAT
                           ",%" G_GUINT64_FORMAT ", where %s have one, too",
                           arch_params_name(self->params), keys, x, y, *taken);
    }
    *taken = keys;
    return true;
}

static bool
place_lists(Plan *self, const TileLists *lists, const char *keys, GError **error)
{
    gsize columns = 0;
    gsize rows = 0;
    const uint64_t *x = arch_params_list(self->params, lists->columns, &columns);
    const uint64_t *y = arch_params_list(self->params, lists->rows, &rows);

    for (gsize i = 0; i < (lists->is_paired ? rows : columns * rows); i++) {
        const gsize column = lists->is_paired ? i : i % columns;
        const gsize row = lists->is_paired ? i : i / columns;

        if (!place(self, x[column], y[row], keys, error)) {
            return false;
        }
    }
    return true;
}

/* Every tile has a place of its own. */
static bool check_places(const ArchParams *params, Plan *plan, GError **error)
{
    plan->params = params;
    return place_lists(plan, &tile_lists[TENSIX],
                       "grid.tensix_columns and grid.tensix_rows", error) &&
           place_lists(plan, &tile_lists[DRAM], DRAM_KEYS, error) &&
           place_lists(plan, &tile_lists[ETHERNET],
                       "ethernet.tile_columns and ethernet.tile_rows", error) &&
           place(plan, arch_params_uint(params, "pcie.tile_column"),
                 arch_params_uint(params, "pcie.tile_row"),
                 "pcie.tile_column and pcie.tile_row", error);
}

/* Programs reach a channel through one DRAM tile that is no other channel's. */
static bool check_views(Plan *plan, GError **error)
{
    const uint64_t channels = arch_params_uint(plan->params, "dram.channel_count");
    gsize count = 0;
    const uint64_t *x = arch_params_list(plan->params, "dram.view_columns", &count);
    const uint64_t *y = arch_params_list(plan->params, "dram.view_rows", &count);

    if (count != channels) {
        return arch_refuse(error,
                           "%s: dram.channel_count = %" G_GUINT64_FORMAT
                           ", dram.view_columns and dram.view_rows have a tile for "
                           "each of %" G_GSIZE_FORMAT " channels",
                           arch_params_name(plan->params), channels, count);
    }
    for (gsize i = 0; i < count; i++) {
        const char **keys = &plan->keys[y[i]][x[i]];

        if (*keys == NULL || !g_str_equal(*keys, DRAM_KEYS)) {
            return arch_refuse(error,
                               "%s: dram.view_columns and dram.view_rows have "
                               "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
                               ", expected a tile of " DRAM_KEYS
                               " that is no other channel's",
                               arch_params_name(plan->params), x[i], y[i]);
        }
        *keys = "dram.view_columns and dram.view_rows";
    }
    return true;
}

/* Some row of Tensix tiles is not harvested. */
static bool check_harvest(const ArchParams *params, GError **error)
{
    gsize count = 0;
    gsize harvested_count = 0;
    const uint64_t *rows = arch_params_list(params, "grid.tensix_rows", &count);
    const uint64_t *harvested =
        arch_params_list(params, "grid.harvested_rows", &harvested_count);

    for (gsize i = 0; i < count; i++) {
        gsize at = 0;

        while (at < harvested_count && harvested[at] != rows[i]) {
            at++;
        }
        if (at == harvested_count) {
            return true;
        }
    }
    return arch_refuse(error,
                       "%s: grid.harvested_rows has all of grid.tensix_rows, no Tensix "
                       "tile is left",
                       arch_params_name(params));
}

static bool check_alignments(const ArchParams *params, GError **error)
{
    static const char *const paths[] = {
        "l1.noc_alignment_bytes",     "dram.read_alignment_bytes",
        "dram.write_alignment_bytes", "pcie.read_alignment_bytes",
        "pcie.write_alignment_bytes",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
        const uint64_t bytes = arch_params_uint(params, paths[i]);

        if ((bytes & (bytes - 1)) != 0) {
            return arch_refuse(error,
                               "%s: %s = %" G_GUINT64_FORMAT ", expected a power of 2",
                               arch_params_name(params), paths[i], bytes);
        }
    }
    return true;
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
 * rest, a flit at least. A channel may hold a flit, too, and all together no more than
 * fit into the host's memory. */
static bool check_buffers(const ArchParams *params, GError **error)
{
    const uint64_t flit = arch_params_uint(params, "noc.flit_bytes");
    const uint64_t port = arch_params_uint(params, "noc.port_buffer_bytes");
    const uint64_t own = arch_params_uint(params, "noc.vc_reserved_bytes");
    const uint64_t reserved = arch_params_uint(params, "noc.vc_count") * own;
    const uint64_t held =
        (own + arch_params_uint(params, "noc.vc_shared_limit_bytes")) / flit;
    const uint64_t most =
        HELD_FLITS_MAXIMUM / (arch_params_uint(params, "grid.column_count") *
                              arch_params_uint(params, "grid.row_count"));

    if (held < 1 || held > most) {
        return arch_refuse(error,
                           "%s: noc.vc_reserved_bytes and noc.vc_shared_limit_bytes "
                           "hold %" G_GUINT64_FORMAT
                           " flits of noc.flit_bytes, a channel of this grid has "
                           "1..%" G_GUINT64_FORMAT,
                           arch_params_name(params), held, most);
    }
    return reserved + flit <= port ||
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
    g_autofree Plan *plan = g_new0(Plan, 1);

    return check_tiles(params, error) && check_places(params, plan, error) &&
           check_views(plan, error) && check_harvest(params, error) &&
           check_alignments(params, error) && check_ports(params, error) &&
           check_links(params, error) && check_buffers(params, error);
}
