/* Finds the cores beside DRAM banks. */
#include "arch/traffic/neighbours.h"

#include <string.h>

#include "sim/narrow.h"

/* The core of a bank while its place is sought, and the bank's place in its group. */
typedef struct {
    guint bank;
    ArchTile tile;
} Place;

static gint compare_rows(gconstpointer a, gconstpointer b)
{
    const guint first = ((const Place *) a)->tile.y;
    const guint second = ((const Place *) b)->tile.y;

    return (first > second) - (first < second);
}

static guint count_row(const guint *rows, gsize count, guint row)
{
    guint found = 0;

    for (gsize i = 0; i < count; i++) {
        found += rows[i] == row;
    }
    return found;
}

static bool has_cores(const ArchTiles *tiles, guint row)
{
    for (guint i = 0; i < tiles->rows->len; i++) {
        if (g_array_index(tiles->rows, guint, i) == row) {
            return true;
        }
    }
    return false;
}

/* Another row for a core that has none of its own: one that no bank of the group is
 * beside, else any; from above, or from below for the last row. */
static void
move(Place *place, const ArchTiles *tiles, const guint *rows, gsize count, guint shift)
{
    const bool is_last = place->tile.y + 1 >= tiles->height;

    for (gsize most = 0; most <= count; most += count) {
        for (guint i = 0; i < tiles->height; i++) {
            const guint row = is_last ? tiles->height - 1 - i : i;

            if (has_cores(tiles, row) && count_row(rows, count, row) <= most) {
                place->tile = (ArchTile){.x = place->tile.x + shift, .y = row};
                return;
            }
        }
    }
}

/* The banks of one column: those whose row has no cores move away, each one column less
 * far than the one before it. The lowest bank is the first. */
static void place_group(GArray *group, const ArchTiles *tiles)
{
    enum {
        FIRST_SHIFT = 3,
    };
    const gsize count = group->len;
    g_autofree guint *rows = g_new(guint, count);
    guint shift = FIRST_SHIFT;

    g_array_sort(group, compare_rows);
    for (gsize i = 0; i < count; i++) {
        rows[i] = g_array_index(group, Place, i).tile.y;
    }
    for (gsize i = 0; i < count; i++) {
        Place *place = &g_array_index(group, Place, (i + count - 1) % count);

        if (!has_cores(tiles, place->tile.y) ||
            count_row(rows, count, place->tile.y) > 1) {
            move(place, tiles, rows, count, shift);
            shift -= shift > 0;
        }
    }
}

/* The closest core of each bank. */
static void place_all(const ArchParams *params, const ArchTiles *tiles, ArchTile *cores)
{
    gsize count = 0;
    const uint64_t *columns = arch_params_list(params, "dram.view_columns", &count);
    const uint64_t *rows = arch_params_list(params, "dram.view_rows", &count);

    for (guint column = 0; column < tiles->width; column++) {
        g_autoptr(GArray) group = g_array_new(FALSE, FALSE, sizeof(Place));

        for (guint i = 0; i < count; i++) {
            const Place place = {i, {.x = column + 1, .y = sim_u32(rows[i])}};

            if (columns[i] == column) {
                g_array_append_val(group, place);
            }
        }
        if (group->len > 0) {
            place_group(group, tiles);
        }
        for (guint i = 0; i < group->len; i++) {
            const Place *place = &g_array_index(group, Place, i);

            cores[place->bank] = place->tile;
        }
    }
}

#define NO_BANK G_MAXUINT

typedef struct {
    const ArchTiles *tiles;
    guint *banks; /* by core, column by column */
} Map;

/* The logical column of a tile. */
static guint column_of(const ArchTiles *tiles, ArchTile tile)
{
    guint column = 0;

    while (column + 1 < tiles->columns->len &&
           g_array_index(tiles->columns, guint, column) < tile.x) {
        column++;
    }
    return column;
}

static guint row_of(const ArchTiles *tiles, ArchTile tile)
{
    guint row = 0;

    while (row + 1 < tiles->rows->len &&
           g_array_index(tiles->rows, guint, row) < tile.y) {
        row++;
    }
    return row;
}

static guint *bank_at(const Map *self, guint column, guint row)
{
    const ArchTiles *tiles = self->tiles;

    return &self->banks[column * tiles->rows->len + row];
}

/* Cores beside a closest one read its bank too, unless they are the closest of another.
 */
static void add_beside(Map *self, const guint *closest, ArchNeighbours which)
{
    const guint columns = self->tiles->columns->len;
    const guint rows = self->tiles->rows->len;

    for (guint i = 0; i < columns * rows; i++) {
        const guint column = i / rows;
        const guint row = i % rows;
        const guint far = which == ARCH_NEIGHBOURS_ROW ? columns - 1 : 1;

        if (closest[i] == NO_BANK) {
            continue;
        }
        for (guint step = 1; step <= far; step++) {
            const guint sides[] = {column + step, column + columns - step};

            for (guint side = 0; side < 2; side++) {
                const guint at = sides[side] % columns * rows + row;

                if (closest[at] == NO_BANK &&
                    which !=
                        (side == 0 ? ARCH_NEIGHBOURS_WEST : ARCH_NEIGHBOURS_EAST)) {
                    self->banks[at] = closest[i];
                }
            }
        }
    }
}

GArray *arch_neighbours_new(const ArchParams *params,
                            const ArchTiles *tiles,
                            guint bank_count,
                            ArchNeighbours which)
{
    GArray *neighbours = g_array_new(FALSE, FALSE, sizeof(ArchNeighbour));
    const gsize core_count = (gsize) tiles->columns->len * tiles->rows->len;
    gsize count = 0;
    const uint64_t *columns = arch_params_list(params, "dram.view_columns", &count);
    const uint64_t *rows = arch_params_list(params, "dram.view_rows", &count);
    g_autofree ArchTile *cores = g_new0(ArchTile, count);
    g_autofree guint *banks = g_new(guint, core_count);
    g_autofree guint *closest = g_new(guint, core_count);
    Map map = {.tiles = tiles, .banks = banks};

    for (gsize i = 0; i < core_count; i++) {
        banks[i] = NO_BANK;
    }
    place_all(params, tiles, cores);
    for (guint i = 0; i < MIN(bank_count, count); i++) {
        *bank_at(&map, column_of(tiles, cores[i]), row_of(tiles, cores[i])) = i;
    }
    memcpy(closest, banks, core_count * sizeof(*banks));
    add_beside(&map, closest, which);
    for (guint i = 0; i < core_count; i++) {
        if (banks[i] != NO_BANK) {
            const ArchNeighbour neighbour = {
                .core =
                    arch_tiles_core(tiles, i / tiles->rows->len, i % tiles->rows->len),
                .bank = {.x = sim_u32(columns[banks[i]]),
                         .y = sim_u32(rows[banks[i]])}};

            g_array_append_val(neighbours, neighbour);
        }
    }
    return neighbours;
}
