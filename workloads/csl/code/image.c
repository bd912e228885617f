/* Puts the programs of all classes onto a layout, with the routes of their colors. */
#include "workloads/csl/code/image.h"

#include "sim/narrow.h"
#include "workloads/csl/code/class.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/registers.h"
#include "workloads/csl/code/routing.h"

void csl_image_free(CslImage *self)
{
    if (self == NULL) {
        return;
    }
    g_clear_pointer(&self->layout, arch_wse_layout_free);
    g_array_free(self->symbols, TRUE);
    g_free(self);
}

const CslSymbol *csl_image_find(const CslImage *self, const char *name)
{
    for (guint i = 0; i < self->symbols->len; i++) {
        const CslSymbol *symbol = &g_array_index(self->symbols, CslSymbol, i);

        if (g_strcmp0(symbol->name, name) == 0) {
            return symbol;
        }
    }
    return NULL;
}

static void add_symbol(CslGenerator *self, CslImage *image, const CslExportName *name)
{
    CslSymbol symbol = {
        .name = name->name,
        .is_function = name->type->kind == CSL_KIND_FUNCTION,
        .is_mutable = name->is_mutable,
        .declared = name->type,
    };

    self->place = name->place;
    if (symbol.is_function) {
        symbol.argument_count = MIN(name->type->count, G_N_ELEMENTS(symbol.arguments));
        for (uint32_t i = 0; i < symbol.argument_count; i++) {
            symbol.arguments[i] = csl_machine_type(self, name->type->parts[i]);
        }
    } else {
        const CslType *element = name->type->element;

        element = element->kind == CSL_KIND_ARRAY ? element->element : element;
        symbol.type = element->kind == CSL_KIND_RECORD
                          ? ARCH_WSE_U16 /* the host copies words of it */
                          : csl_machine_type(self, element);
    }
    g_array_append_val(image->symbols, symbol);
}

static void fail(CslProgram *program, CslPlace place, GError **error)
{
    csl_report(program->to, CSL_ERROR, place, "%s", (*error)->message);
    g_clear_error(error);
}

static const CslTile *tile_at(const CslLayout *layout, guint pe)
{
    return layout->tiles[pe] == CSL_NO_INDEX
               ? NULL
               : &g_array_index(layout->all, CslTile, layout->tiles[pe]);
}

/* Sets code for runs of PEs of one class in each row. */
static void set_code(CslProgram *program, CslImage *image, ArchWseProgram *const *codes)
{
    const CslLayout *layout = program->layout;

    for (guint y = 0; y < layout->height; y++) {
        guint x = 0;

        while (x < layout->width) {
            const CslTile *tile = tile_at(layout, x + layout->width * y);
            guint end = x + 1;
            g_autoptr(GError) error = NULL;

            while (end < layout->width && layout->tiles[end + layout->width * y] ==
                                              layout->tiles[x + layout->width * y]) {
                end++;
            }
            if (tile != NULL && tile->pe_class != CSL_NO_INDEX &&
                !arch_wse_layout_set_tile_code(image->layout,
                                               (ArchWseTiles){x, y, end - 1, y, 1, 1},
                                               codes[tile->pe_class], &error)) {
                fail(program, tile->place, &error);
                return;
            }
            x = end;
        }
    }
}

/* Programs that no PE runs are nobody's. */
static void free_unused(const CslProgram *program, ArchWseProgram **codes)
{
    g_autofree bool *is_used = g_new0(bool, program->classes->len + 1);
    const CslLayout *layout = program->layout;

    for (guint i = 0; i < layout->width * layout->height; i++) {
        const CslTile *tile = tile_at(layout, i);

        if (tile != NULL && tile->pe_class != CSL_NO_INDEX) {
            is_used[tile->pe_class] = true;
        }
    }
    for (guint i = 0; i < program->classes->len; i++) {
        if (!is_used[i]) {
            g_clear_pointer(&codes[i], arch_wse_program_free);
        }
    }
}

CslImage *csl_image_new(CslProgram *program, const ArchParams *params)
{
    const CslLayout *layout = program->layout;
    g_autoptr(CslImage) image = g_new0(CslImage, 1);
    g_autofree ArchWseProgram **codes =
        g_new0(ArchWseProgram *, program->classes->len + 1);
    CslGenerator names = {.source = program};
    g_autoptr(GError) error = NULL;
    bool is_well = true;

    image->symbols = g_array_new(FALSE, TRUE, sizeof(CslSymbol));
    for (guint i = 0; i < layout->names->len; i++) {
        add_symbol(&names, image, &g_array_index(layout->names, CslExportName, i));
    }
    for (guint i = 0; i < program->classes->len; i++) {
        codes[i] = csl_generate_class(program, program->classes->pdata[i], params);
        is_well &= codes[i] != NULL;
    }
    image->layout = arch_wse_layout_new(params, MAX(layout->width, 1),
                                        MAX(layout->height, 1), &error);
    if (image->layout == NULL) {
        fail(program, (CslPlace){0}, &error);
    }
    if (!is_well || image->layout == NULL || names.has_failed) {
        for (guint i = 0; i < program->classes->len; i++) {
            g_clear_pointer(&codes[i], arch_wse_program_free);
        }
        return NULL;
    }
    arch_wse_layout_allow_loose_ends(image->layout);
    free_unused(program, codes);
    set_code(program, image, codes);
    csl_set_routes(program, image->layout);
    return csl_diagnostics_error_count(program->to) > 0 ? NULL
                                                        : g_steal_pointer(&image);
}
