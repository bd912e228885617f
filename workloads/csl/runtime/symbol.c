/* Finds variables of PEs by their names in the source, and what PEs have recorded. */
#include "workloads/csl/runtime/symbol.h"

#include "arch/wse_profile.h"
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

/* A PE of the program, or an error. */
static bool read_place(const CslCall *call, guint *x, guint *y, GError **error)
{
    const CslLayout *layout = call->run->build->program->layout;
    uint64_t column = 0;
    uint64_t row = 0;

    if (!host_member_count(call->request->words, "x", PLACE_MOST, &column, error) ||
        !host_member_count(call->request->words, "y", PLACE_MOST, &row, error)) {
        return false;
    }
    *x = sim_u32(column);
    *y = sim_u32(row);
    return (*x < layout->width && *y < layout->height) ||
           wl_refuse(error, "no PE (%u, %u): the program has %u x %u", *x, *y,
                     layout->width, layout->height);
}

bool csl_symbol_move(CslCall *call, bool is_set, GError **error)
{
    const CslProgram *program = call->run->build->program;
    const CslLayout *layout = program->layout;
    const char *name = "";
    guint x = 0;
    guint y = 0;

    if (!host_member_text(call->request->words, "name", &name, error) ||
        !read_place(call, &x, &y, error)) {
        return false;
    }
    const CslTile *tile = &g_array_index(layout->all, CslTile,
                                         layout->tiles[x + (gsize) layout->width * y]);
    const CslGlobal *global =
        find_global(g_ptr_array_index(program->classes, tile->pe_class), name);
    const uint64_t bytes = global == NULL ? 0 : csl_type_bytes(global->type);

    if (bytes == 0) {
        return wl_refuse(error, "PE (%u, %u) has no variable %s", x, y, name);
    }
    const ArchWsePart part = {
        .tiles = {x, y, x, y, 1, 1},
        .name = name,
        .count = sim_u32(csl_type_element_count(global->type)),
    };

    if (is_set) {
        return arch_wse_write(wafer_wse(call->session), &part, call->request->bytes,
                              call->request->count, error);
    }
    g_byte_array_set_size(call->out, sim_u32(bytes));
    return arch_wse_read(wafer_wse(call->session), &part, call->out->data, bytes,
                         error);
}

bool csl_symbol_records(CslCall *call, JsonObject *answer, GError **error)
{
    JsonArray *array = json_array_new();
    const char *key = "";
    guint x = 0;
    guint y = 0;

    json_object_set_array_member(answer, "records", array);
    if (!host_member_text(call->request->words, "key", &key, error) ||
        !read_place(call, &x, &y, error)) {
        return false;
    }
    g_autoptr(GArray) records = arch_wse_records(wafer_wse(call->session), x, y);

    for (guint i = 0; i < records->len; i++) {
        const ArchWsePrint *record = &g_array_index(records, ArchWsePrint, i);

        if (g_strcmp0(record->key, key) == 0) {
            JsonArray *pair = json_array_new();

            json_array_add_string_element(pair, record->text);
            json_array_add_int_element(pair, record->value);
            json_array_add_array_element(array, pair);
        }
    }
    return true;
}
