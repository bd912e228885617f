/* Generates calls: of functions, through pointers, and of the machine's own. */
#include "workloads/csl/code/call.h"

#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/operation.h"
#include "workloads/csl/code/registers.h"

static CslNumber
give_result(CslGenerator *self, const CslType *type, guint result, guint wanted)
{
    guint to;

    if (!csl_is_number(type)) {
        return csl_constant(0);
    }
    to = csl_target(self, type, wanted);
    csl_move(self, type, to, csl_in_register(result));
    return csl_in_register(to);
}

/* The machine's number of an instance. */
guint csl_function_of(CslGenerator *self, CslCodeFrame *frame)
{
    g_autoptr(GError) error = NULL;

    if (frame->function == ARCH_WSE_NONE) {
        const char *outside = csl_export_of(self, frame->instance);
        g_autofree char *name =
            outside != NULL
                ? g_strdup(outside)
                : g_strdup_printf("%s.%u", csl_global_name(frame->instance->function),
                                  g_hash_table_size(self->frames));

        csl_check(
            self,
            arch_wse_program_function(self->program, name, &frame->function, &error),
            &error);
    }
    return frame->function;
}

/* All arguments first: one may call the same function. */
static void pass(CslGenerator *self,
                 CslTyped *const *arguments,
                 uint32_t count,
                 const CslCodeSpot *places)
{
    g_autofree CslNumber *numbers = g_new0(CslNumber, count + 1);

    for (uint32_t i = 0; i < count; i++) {
        if (csl_is_number(arguments[i]->type)) {
            numbers[i] = csl_generate(self, arguments[i], CSL_ANYWHERE_ELSE);
        } else if (arguments[i]->type->kind != CSL_KIND_VOID) {
            csl_store_whole(self, &places[i], arguments[i]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (csl_is_number(arguments[i]->type)) {
            csl_store(self, &places[i], numbers[i]);
        }
    }
}

CslNumber csl_generate_call(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    CslCodeFrame *frame;
    g_autoptr(GError) error = NULL;
    guint function;

    if (typed->instance->function->node->children[1] == NULL) {
        return csl_generate_machine(self, typed, wanted);
    }
    frame = csl_frame_of(self, typed->instance);
    function = csl_function_of(self, frame);
    pass(self, typed->children, typed->count, frame->places);
    csl_emit_at(self, typed->place);
    csl_check(self,
              g_hash_table_contains(self->tails, typed)
                  ? arch_wse_program_call_last(self->program, function, &error)
                  : arch_wse_program_call(self->program, function, &error),
              &error);
    return give_result(self, typed->type, frame->result, wanted);
}

/* Registers that callers through pointers of a type and thunks agree upon: those of the
 * result, then of each argument, two for each. */
static guint signature_of(CslGenerator *self, const CslType *type)
{
    guint *first = g_hash_table_lookup(self->signatures, type);

    if (first == NULL) {
        first = g_new(guint, 1);
        *first = csl_new_register(self, NULL, 0);
        for (uint32_t i = 1; i < 2 * (type->count + 1); i++) {
            (void) csl_new_register(self, NULL, 0);
        }
        g_hash_table_insert(self->signatures, (gpointer) type, first);
    }
    return *first;
}

CslNumber
csl_generate_call_pointer(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    const CslType *type = typed->children[0]->type->element;
    const guint first = signature_of(self, type);
    const guint pointer = csl_generate_register(self, typed->children[0]);
    g_autofree CslCodeSpot *places = g_new0(CslCodeSpot, type->count + 1);
    g_autoptr(GError) error = NULL;

    for (uint32_t i = 0; i < type->count; i++) {
        places[i] = (CslCodeSpot){.is_register = true,
                                  .variable = first + 2 * (i + 1),
                                  .type = type->parts[i]};
    }
    pass(self, typed->children + 1, type->count, places);
    csl_emit_at(self, typed->place);
    csl_check(self, arch_wse_program_call_pointer(self->program, pointer, &error),
              &error);
    return give_result(self, typed->type, first, wanted);
}

const CslInstance *csl_plain_instance(const CslGenerator *self,
                                      const CslGlobal *function)
{
    for (guint i = 0; i < self->pe->instances->len; i++) {
        const CslInstance *instance = self->pe->instances->pdata[i];
        bool is_plain = instance->function == function;

        for (uint32_t j = 0; is_plain && j < instance->argument_count; j++) {
            is_plain = instance->arguments[j].type == NULL;
        }
        if (is_plain) {
            return instance;
        }
    }
    return NULL;
}

int64_t csl_function_number(CslGenerator *self, const CslGlobal *function)
{
    const CslInstance *instance = csl_plain_instance(self, function);
    g_autoptr(GError) error = NULL;
    CslCodeFrame *frame;

    if (instance == NULL || instance->body == NULL) {
        csl_code_fail(self, "'%s' has no code that a pointer could lead to",
                      csl_global_name(function));
        return 0;
    }
    frame = csl_frame_of(self, instance);
    if (instance->argument_count == 0 && instance->result->kind == CSL_KIND_VOID) {
        return csl_function_of(self, frame) + 1;
    }
    if (frame->thunk == ARCH_WSE_NONE) {
        g_autofree char *name = g_strdup_printf("%s.%u*", csl_global_name(function),
                                                g_hash_table_size(self->frames));

        csl_check(self,
                  arch_wse_program_function(self->program, name, &frame->thunk, &error),
                  &error);
        g_ptr_array_add(self->thunks, frame);
    }
    return frame->thunk + 1;
}

/* Moves what a caller through a pointer has left to where the function finds it. */
static void generate_thunk(CslGenerator *self, CslCodeFrame *frame)
{
    const CslInstance *instance = frame->instance;
    const guint first = signature_of(self, instance->function->type);
    g_autoptr(GError) error = NULL;
    guint local = 0;

    csl_check(self,
              arch_wse_program_begin_function(self->program, frame->thunk, &error),
              &error);
    for (uint32_t i = 0; i < instance->argument_count; i++) {
        if (csl_is_number(instance->types[i])) {
            csl_store(self, &frame->places[local++],
                      csl_in_register(first + 2 * (i + 1)));
        }
    }
    csl_check(
        self,
        arch_wse_program_call(self->program, csl_function_of(self, frame), &error),
        &error);
    if (csl_is_number(instance->result)) {
        csl_move(self, instance->result, first, csl_in_register(frame->result));
    }
    csl_check(self, arch_wse_program_end_function(self->program, &error), &error);
}

void csl_generate_thunks(CslGenerator *self)
{
    for (guint i = 0; i < self->thunks->len; i++) {
        self->frame = self->thunks->pdata[i];
        csl_emit_at(self, csl_global_place(self->frame->instance->function));
        generate_thunk(self, self->frame);
    }
}
