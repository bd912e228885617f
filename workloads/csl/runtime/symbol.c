/* Finds variables of PEs by their names in the source. */
#include "workloads/csl/runtime/symbol.h"

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/host/member.h"
#include "workloads/wafer/wafer.h"

enum {
    PLACE_MOST = 65535,
};

/* The variable of that name in a class of PEs; NULL if there is none. */
static const CslGlobal *find_global(const CslPeClass *class, const char *name)
{
    for (guint i = 0; i < class->modules->len; i++) {
        const CslModule *module = g_ptr_array_index(class->modules, i);

        for (uint32_t k = 0; k < module->file->tree->global_count; k++) {
            const CslGlobal *global = &module->globals[k];

            if (global->node->kind == CSL_VARIABLE && global->type_state == CSL_KNOWN &&
                g_str_equal(csl_global_name(global), name)) {
                return global;
            }
        }
    }
    return NULL;
}

bool csl_symbol_read(CslCall *call, GError **error)
{
    const CslProgram *program = call->run->build->program;
    const CslLayout *layout = program->layout;
    const char *name = "";
    uint64_t x = 0;
    uint64_t y = 0;

    if (!host_member_text(call->request->words, "name", &name, error) ||
        !host_member_count(call->request->words, "x", PLACE_MOST, &x, error) ||
        !host_member_count(call->request->words, "y", PLACE_MOST, &y, error)) {
        return false;
    }
    if (x >= layout->width || y >= layout->height) {
        return wl_refuse(error,
                         "no PE (%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT
                         "): the program has %u x %u",
                         x, y, layout->width, layout->height);
    }
    const CslTile *tile =
        &g_array_index(layout->all, CslTile, layout->tiles[x + layout->width * y]);
    const CslGlobal *global =
        find_global(g_ptr_array_index(program->classes, tile->pe_class), name);
    const uint64_t bytes = global == NULL ? 0 : csl_type_bytes(global->type);

    if (bytes == 0) {
        return wl_refuse(error,
                         "PE (%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT
                         ") has no variable %s",
                         x, y, name);
    }
    const ArchWsePart part = {
        .tiles = {sim_u32(x), sim_u32(y), sim_u32(x), sim_u32(y), 1, 1},
        .name = name,
        .count = sim_u32(csl_type_element_count(global->type)),
    };

    g_byte_array_set_size(call->out, sim_u32(bytes));
    return arch_wse_read(wafer_wse(call->session), &part, call->out->data, bytes,
                         error);
}
