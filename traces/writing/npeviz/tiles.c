/* Finds tiles from the numbers of the chip. */
#include "traces/writing/npeviz/tiles.h"

#include "traces/error.h"
#include "traces/file/json_member.h"

#define SIDE_MAXIMUM 64

/* An array of guint, each below `limit`; empty if the text is malformed. */
static GArray *list_of(const char *text, guint limit)
{
    GArray *items = g_array_new(FALSE, FALSE, sizeof(guint));
    g_auto(GStrv) words = g_strsplit(text != NULL ? text : "", ",", -1);

    for (char **word = words; *word != NULL; word++) {
        guint64 value;

        if (!g_ascii_string_to_unsigned(g_strstrip(*word), 10, 0, limit - 1, &value,
                                        NULL)) {
            g_array_set_size(items, 0);
            break;
        }
        guint item = (guint) value;

        g_array_append_val(items, item);
    }
    return items;
}

static guint count_of(JsonArray *numbers, const char *key)
{
    const char *text = trace_json_chip_number(numbers, "grid", key);
    guint64 value = 0;

    return text != NULL &&
                   g_ascii_string_to_unsigned(text, 10, 1, SIDE_MAXIMUM, &value, NULL)
               ? (guint) value
               : 0;
}

static bool has(const GArray *items, guint item)
{
    for (guint i = 0; i < items->len; i++) {
        if (g_array_index(items, guint, i) == item) {
            return true;
        }
    }
    return false;
}

/* Rows of cores without those that this chip does not have. */
static GArray *rows_of(JsonArray *numbers, guint limit)
{
    GArray *rows =
        list_of(trace_json_chip_number(numbers, "grid", "tensix_rows"), limit);
    g_autoptr(GArray) harvested =
        list_of(trace_json_chip_number(numbers, "grid", "harvested_rows"), limit);

    for (guint i = rows->len; i > 0; i--) {
        if (has(harvested, g_array_index(rows, guint, i - 1))) {
            g_array_remove_index(rows, i - 1);
        }
    }
    return rows;
}

bool npe_tiles_init(NpeTiles *self, JsonObject *result, GError **error)
{
    JsonArray *numbers = trace_json_array(result, "chip_parameters");

    if (numbers == NULL) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_LACKS,
                    "it does not have the numbers of its chip, which say where cores "
                    "lie; a trace that is cut off has none");
        return false;
    }
    self->columns = count_of(numbers, "column_count");
    self->rows = count_of(numbers, "row_count");
    if (self->columns == 0 || self->rows == 0) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_LACKS,
                    "its chip is no Wormhole: it has no grid.column_count");
        return false;
    }
    self->core_columns = list_of(
        trace_json_chip_number(numbers, "grid", "tensix_columns"), self->columns);
    self->core_rows = rows_of(numbers, self->rows);
    self->bank_columns =
        list_of(trace_json_chip_number(numbers, "dram", "view_columns"), self->columns);
    self->bank_rows =
        list_of(trace_json_chip_number(numbers, "dram", "view_rows"), self->rows);
    return true;
}

void npe_tiles_clear(NpeTiles *self)
{
    g_clear_pointer(&self->core_columns, g_array_unref);
    g_clear_pointer(&self->core_rows, g_array_unref);
    g_clear_pointer(&self->bank_columns, g_array_unref);
    g_clear_pointer(&self->bank_rows, g_array_unref);
}

static bool is_in(const GArray *items, int64_t index)
{
    return index >= 0 && (uint64_t) index < items->len;
}

bool npe_tiles_core(const NpeTiles *self, int64_t x, int64_t y, NpeTile *tile)
{
    if (!is_in(self->core_columns, x) || !is_in(self->core_rows, y)) {
        return false;
    }
    *tile = (NpeTile){.column = g_array_index(self->core_columns, guint, x),
                      .row = g_array_index(self->core_rows, guint, y)};
    return true;
}

bool npe_tiles_bank(const NpeTiles *self, int64_t bank, NpeTile *tile)
{
    if (!is_in(self->bank_columns, bank) || !is_in(self->bank_rows, bank)) {
        return false;
    }
    *tile = (NpeTile){.column = g_array_index(self->bank_columns, guint, bank),
                      .row = g_array_index(self->bank_rows, guint, bank)};
    return true;
}

/* One step on, up or down, around the edge. */
static guint step(guint at, guint count, bool is_up)
{
    return is_up ? (at + 1) % count : (at + count - 1) % count;
}

static void
go(const NpeTiles *self, guint noc, guint axis, NpeTile *at, NpeTile to, GArray *links)
{
    guint *place = axis == 0 ? &at->column : &at->row;
    guint end = axis == 0 ? to.column : to.row;

    while (*place != end) {
        NpeLink link = {.from = *at, .axis = axis};

        g_array_append_val(links, link);
        *place = step(*place, axis == 0 ? self->columns : self->rows, noc == 0);
    }
}

void npe_tiles_route(
    const NpeTiles *self, guint noc, NpeTile from, NpeTile to, GArray *links)
{
    const guint first = noc; /* network 0 goes along rows first, 1 along columns */
    NpeTile at = from;

    go(self, noc, first, &at, to, links);
    go(self, noc, 1 - first, &at, to, links);
}
