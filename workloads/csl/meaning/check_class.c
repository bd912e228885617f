/* Checks one program of PEs: its memory, and ids that libraries keep. */
#include "workloads/csl/meaning/check_class.h"

#include "sim/narrow.h"
#include "workloads/csl/meaning/typed.h"

#define SHOWN_ARRAYS 3

typedef struct {
    const CslGlobal *global;
    uint64_t bytes;
} Sized;

static gint compare_sizes(gconstpointer a, gconstpointer b)
{
    const Sized *left = a;
    const Sized *right = b;

    return left->bytes < right->bytes ? 1 : left->bytes > right->bytes ? -1 : 0;
}

/* Variables that somebody refers to. What only comptime knows takes no memory. */
static bool has_memory(const CslGlobal *global)
{
    return global->node->kind == CSL_VARIABLE && global->node->token == CSL_TOKEN_VAR &&
           global->state == CSL_KNOWN && (global->node->flags & CSL_IS_EXTERN) == 0;
}

static uint64_t collect_sizes(const CslPeClass *pe, GArray *all)
{
    uint64_t total = 0;

    for (guint i = 0; i < pe->modules->len; i++) {
        const CslModule *module = pe->modules->pdata[i];

        for (uint32_t j = 0; j < module->file->tree->global_count; j++) {
            const CslGlobal *global = &module->globals[j];
            Sized one = {global, 0};

            if (has_memory(global)) {
                one.bytes =
                    csl_type_is_plain(global->type) ? csl_type_bytes(global->type) : 0;
                total += one.bytes;
                g_array_append_val(all, one);
            }
        }
    }
    return total;
}

static void check_memory(CslProgram *program, const CslPeClass *pe)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Sized));
    const uint64_t total = collect_sizes(pe, all);
    const uint32_t room = program->options.memory_bytes;

    if (room == 0 || total <= room) {
        return;
    }
    g_array_sort(all, compare_sizes);
    csl_report(program->to, CSL_ERROR,
               csl_global_place(g_array_index(all, Sized, 0).global),
               "the variables of %s take %" G_GUINT64_FORMAT
               " bytes, a PE has %u beside its code",
               pe->root->file->path, total, room);
    for (guint i = 0; i < MIN(all->len, SHOWN_ARRAYS); i++) {
        const Sized *one = &g_array_index(all, Sized, i);

        csl_report(program->to, CSL_NOTE, csl_global_place(one->global),
                   "'%s' takes %" G_GUINT64_FORMAT " bytes",
                   csl_global_name(one->global), one->bytes);
    }
}

static bool has_memcpy(const CslPeClass *pe)
{
    for (guint i = 0; i < pe->modules->len; i++) {
        const CslModule *module = pe->modules->pdata[i];

        if (g_str_has_suffix(module->file->path, "memcpy/memcpy.csl")) {
            return true;
        }
    }
    return false;
}

/* What keeps an id from programs, or NULL. */
static const char *
keeper(const CslTaskBinding *binding, const CslPeClass *pe, bool is_wse3)
{
    const uint32_t id = binding->id;

    if (binding->kind == CSL_T(LOCAL_TASK_ID) && id == 29 && pe->teardowns->len > 0) {
        return "teardown handlers";
    }
    if (!has_memcpy(pe)) {
        return NULL;
    }
    if (binding->kind == CSL_T(CONTROL_TASK_ID)) {
        return id >= 33 && id <= 37 ? "<memcpy/memcpy>" : NULL;
    }
    return (id >= 21 && id <= 23 && !is_wse3) || id == 27 || id == 28 || id == 30
               ? "<memcpy/memcpy>"
               : NULL;
}

void csl_check_class(CslProgram *program, const CslPeClass *pe)
{
    const bool is_wse3 = g_strcmp0(program->options.arch, "wse3") == 0;

    check_memory(program, pe);
    for (guint i = 0; i < pe->tasks->len; i++) {
        const CslTaskBinding *binding = &g_array_index(pe->tasks, CslTaskBinding, i);
        const char *whose = keeper(binding, pe, is_wse3);

        if (whose != NULL) {
            csl_report(program->to, CSL_ERROR, binding->place,
                       "task id %u is reserved for %s", binding->id, whose);
        }
    }
    for (guint i = 0; has_memcpy(pe) && i < pe->colors->len; i++) {
        const CslLocalColor *local = &g_array_index(pe->colors, CslLocalColor, i);

        if (local->color >= 21) {
            csl_report(program->to, CSL_ERROR, local->place,
                       "color %u is reserved for <memcpy/memcpy>", local->color);
        }
    }
}
