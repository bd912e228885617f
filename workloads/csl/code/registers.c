/* Gives registers to locals, results and what expressions need for a while. */
#include "workloads/csl/code/registers.h"

#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/memory.h"
#include "workloads/csl/code/operation.h"

enum {
    FILE_ROW = 32, /* registers that the file grows by */
};

ArchWseType csl_machine_type(CslGenerator *self, const CslType *type)
{
    static const ArchWseType integers[][2] = {
        {ARCH_WSE_U8, ARCH_WSE_I8},
        {ARCH_WSE_U16, ARCH_WSE_I16},
        {ARCH_WSE_U32, ARCH_WSE_I32},
        {ARCH_WSE_U64, ARCH_WSE_I64},
    };

    switch (+type->kind) {
    case CSL_KIND_BOOL:
    case CSL_KIND_DIRECTION:
    case CSL_KIND_ID:
    case CSL_KIND_POINTER:
        return ARCH_WSE_U16;
    case CSL_KIND_SIGNED:
    case CSL_KIND_UNSIGNED:
        return integers[g_bit_nth_msf(type->bits, -1) - 3]
                       [type->kind == CSL_KIND_SIGNED];
    case CSL_KIND_DSD:
        return ARCH_WSE_U64; /* where it lies in memory */
    case CSL_KIND_ENUM:
        return csl_machine_type(self, type->element);
    case CSL_KIND_COMPTIME_INT:
        return ARCH_WSE_I32;
    case CSL_KIND_COMPTIME_FLOAT:
        return ARCH_WSE_F32;
    case CSL_KIND_FLOAT:
        if (type == CSL_T(F32) || type == CSL_T(F16)) {
            return type == CSL_T(F32) ? ARCH_WSE_F32 : ARCH_WSE_F16;
        }
        break;
    default:
        break;
    }
    csl_code_fail(self, "the simulated PE does not compute with %s", type->name);
    return ARCH_WSE_U16;
}

bool csl_is_number(const CslType *type)
{
    return type->kind != CSL_KIND_ARRAY && type->kind != CSL_KIND_RECORD &&
           type->kind != CSL_KIND_VOID;
}

/* The register at a place of the file, which grows by rows of them. */
static guint file_at(CslGenerator *self, guint place)
{
    while (place >= self->file->len) {
        for (guint i = 0; i < FILE_ROW; i++) {
            const guint variable = csl_new_register(self, NULL, 0);

            g_array_append_val(self->file, variable);
        }
    }
    return g_array_index(self->file, guint, place);
}

/* `words` registers that follow each other, for a frame. A function's registers lie
 * above those of all that it calls: tasks and functions that are never under way at
 * once have the same. */
static guint frame_registers(CslGenerator *self, CslCodeFrame *frame, guint words)
{
    guint first;

    if (!self->is_shared) {
        first = csl_new_register(self, NULL, 0);
        if (words == 2) {
            (void) csl_new_register(self, NULL, 0);
        }
        return first;
    }
    first = file_at(self, frame->top);
    if (words == 2 && file_at(self, frame->top + 1) != first + 1) {
        first = file_at(self, ++frame->top);
    }
    frame->top += words;
    return first;
}

/* The next free one of a pool of `words` registers each. */
static guint take_of(CslGenerator *self, CslPool *pool, guint words)
{
    if (pool->used == pool->variables->len) {
        const guint first = frame_registers(self, self->frame, words);

        g_array_append_val(pool->variables, first);
    }
    return g_array_index(pool->variables, guint, pool->used++);
}

guint csl_take_single(CslGenerator *self)
{
    return take_of(self, &self->frame->singles, 1);
}

guint csl_take(CslGenerator *self, const CslType *type)
{
    return csl_is_pair(type) ? take_of(self, &self->frame->pairs, 2)
                             : csl_take_single(self);
}

guint csl_target(CslGenerator *self, const CslType *type, guint wanted)
{
    return wanted == CSL_ANYWHERE_ELSE ? csl_take(self, type) : wanted;
}

CslMark csl_mark(const CslGenerator *self)
{
    return (CslMark){self->frame->singles.used, self->frame->pairs.used};
}

void csl_release(CslGenerator *self, CslMark mark)
{
    self->frame->singles.used = mark.singles;
    self->frame->pairs.used = mark.pairs;
}

/* Marks locals whose address is taken: they need memory. */
static void find_addresses(const CslTyped *typed, bool *is_in_memory)
{
    if (typed == NULL) {
        return;
    }
    if (typed->kind == CSL_TYPED_ADDRESS &&
        typed->children[0]->kind == CSL_TYPED_LOCAL) {
        is_in_memory[typed->children[0]->local] = true;
    }
    for (uint32_t i = 0; i < typed->count; i++) {
        find_addresses(typed->children[i], is_in_memory);
    }
}

/* `name`: how the host finds them, or NULL. What the host writes is shared with nobody.
 */
static guint new_registers(CslGenerator *self,
                           CslCodeFrame *frame,
                           const CslType *type,
                           const char *name)
{
    guint first;

    if (name == NULL) {
        return frame_registers(self, frame, csl_is_pair(type) ? 2 : 1);
    }
    first = csl_new_register(self, name, 0);
    if (csl_is_pair(type)) {
        g_autofree char *upper = g_strdup_printf("%s+", name);

        (void) csl_new_register(self, upper, 0);
    }
    return first;
}

/* The host's name of an argument, or NULL. The caller frees it. */
static char *
argument_name(const CslGenerator *self, const CslInstance *instance, guint local)
{
    const char *outside = csl_export_of(self, instance);

    return outside == NULL || local >= instance->argument_count
               ? NULL
               : g_strdup_printf("%s:%u", outside, local);
}

static void
place_local(CslGenerator *self, CslCodeFrame *frame, guint i, bool is_in_memory)
{
    const CslLocal *local = &g_array_index(frame->instance->locals, CslLocal, i);
    CslCodeSpot *place = &frame->places[i];

    place->type = local->type;
    if (csl_is_number(local->type) && !is_in_memory) {
        g_autofree char *name = argument_name(self, frame->instance, i);

        place->is_register = true;
        place->variable = new_registers(self, frame, local->type, name);
    } else if (local->type->kind != CSL_KIND_VOID) {
        g_autofree char *name = g_strdup_printf(
            "%s.%s", csl_global_name(frame->instance->function), local->name);

        place->base = csl_constant(csl_new_memory(self, name, local->type));
    }
}

CslCodeFrame *csl_frame_of(CslGenerator *self, const CslInstance *instance)
{
    CslCodeFrame *frame = g_hash_table_lookup(self->frames, instance);
    const guint count = instance->locals->len;
    g_autofree bool *is_in_memory = NULL;

    if (frame != NULL) {
        return frame;
    }
    frame = g_new0(CslCodeFrame, 1);
    frame->instance = instance;
    frame->function = ARCH_WSE_NONE;
    frame->thunk = ARCH_WSE_NONE;
    frame->base = self->base;
    frame->top = self->base;
    frame->places = g_new0(CslCodeSpot, count + 1);
    frame->singles.variables = g_array_new(FALSE, FALSE, sizeof(guint));
    frame->pairs.variables = g_array_new(FALSE, FALSE, sizeof(guint));
    g_hash_table_insert(self->frames, (gpointer) instance, frame);
    is_in_memory = g_new0(bool, count + 1);
    find_addresses(instance->body, is_in_memory);
    for (guint i = 0; i < count; i++) {
        place_local(self, frame, i, is_in_memory[i]);
    }
    if (instance->result != NULL && csl_is_number(instance->result)) {
        frame->result = new_registers(self, frame, instance->result, NULL);
    } else if (instance->result != NULL && instance->result->kind != CSL_KIND_VOID) {
        frame->whole = (CslCodeSpot){
            .base = csl_constant(csl_new_memory(
                self, csl_global_name(instance->function), instance->result)),
            .type = instance->result,
        };
    }
    return frame;
}

void csl_frame_free(CslCodeFrame *self)
{
    g_array_free(self->singles.variables, TRUE);
    g_array_free(self->pairs.variables, TRUE);
    g_free(self->places);
    g_free(self);
}
