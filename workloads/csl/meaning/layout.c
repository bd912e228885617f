/* Keeps what a layout says, with equal things stored once. */
#include "workloads/csl/meaning/layout.h"

static guint hash_tile(gconstpointer key)
{
    const CslTile *tile = key;

    return g_direct_hash(tile->file) * 31U + g_direct_hash(tile->bindings);
}

static gboolean are_tiles_equal(gconstpointer a, gconstpointer b)
{
    const CslTile *left = a;
    const CslTile *right = b;

    return left->file == right->file && left->bindings == right->bindings;
}

CslLayout *csl_layout_new(void)
{
    CslLayout *self = g_new0(CslLayout, 1);

    self->all = g_array_new(FALSE, TRUE, sizeof(CslTile));
    self->color_lists = g_array_new(FALSE, TRUE, sizeof(CslColorList));
    self->configs = g_array_new(FALSE, TRUE, sizeof(CslColorConfig));
    self->names = g_array_new(FALSE, TRUE, sizeof(CslExportName));
    self->tile_indices =
        g_hash_table_new_full(hash_tile, are_tiles_equal, g_free, NULL);
    self->list_indices =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    self->config_indices = g_hash_table_new(g_direct_hash, g_direct_equal);
    return self;
}

void csl_layout_free(CslLayout *self)
{
    if (self == NULL) {
        return;
    }
    g_hash_table_destroy(self->tile_indices);
    g_hash_table_destroy(self->list_indices);
    g_hash_table_destroy(self->config_indices);
    g_array_free(self->all, TRUE);
    g_array_free(self->color_lists, TRUE);
    g_array_free(self->configs, TRUE);
    g_array_free(self->names, TRUE);
    g_free(self->tiles);
    g_free(self->colors);
    g_free(self);
}

uint32_t csl_layout_tile(CslLayout *self,
                         const CslFile *file,
                         const CslStruct *bindings,
                         CslPlace place)
{
    const CslTile tile = {
        .file = file, .bindings = bindings, .place = place, .pe_class = CSL_NO_INDEX};
    const guint found =
        GPOINTER_TO_UINT(g_hash_table_lookup(self->tile_indices, &tile));
    CslTile *kept;

    if (found != 0) {
        return found - 1;
    }
    g_array_append_val(self->all, tile);
    kept = g_new(CslTile, 1);
    *kept = tile;
    g_hash_table_insert(self->tile_indices, kept, GUINT_TO_POINTER(self->all->len));
    return self->all->len - 1;
}

uint32_t csl_layout_config(const CslLayout *self, const CslStruct *given)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(self->config_indices, given)) - 1;
}

uint32_t csl_layout_add_config(CslLayout *self,
                               const CslStruct *given,
                               const CslColorConfig *config)
{
    g_array_append_vals(self->configs, config, 1);
    g_hash_table_insert(self->config_indices, (gpointer) given,
                        GUINT_TO_POINTER(self->configs->len));
    return self->configs->len - 1;
}

bool csl_layout_set_color(CslLayout *self, uint32_t pe, uint8_t color, uint32_t config)
{
    const CslColorList list = {
        .before = self->colors[pe], .config = config, .color = color};
    const gint64 key = csl_pair_key(list.before, (config & 0xffffffU) << 8 | color);
    guint found;

    for (uint32_t i = list.before; i != CSL_NO_INDEX;) {
        const CslColorList *before = &g_array_index(self->color_lists, CslColorList, i);

        if (before->color == color) {
            return false;
        }
        i = before->before;
    }
    found = GPOINTER_TO_UINT(g_hash_table_lookup(self->list_indices, &key));
    if (found == 0) {
        gint64 *kept = g_new(gint64, 1);

        g_array_append_val(self->color_lists, list);
        found = self->color_lists->len;
        *kept = key;
        g_hash_table_insert(self->list_indices, kept, GUINT_TO_POINTER(found));
    }
    self->colors[pe] = found - 1;
    return true;
}
