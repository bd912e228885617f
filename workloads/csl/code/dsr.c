/* Generates loads of explicit DSRs: descriptors that stay in registers. */
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/operation.h"

CslCodeDsr *csl_dsr_of(CslGenerator *self, const CslValue *value)
{
    g_autofree char *text =
        g_strdup_printf("%s %u", value->type->name, csl_u32(value->integer));
    CslCodeDsr *dsr = g_hash_table_lookup(self->dsrs, text);

    if (dsr == NULL) {
        dsr = g_new0(CslCodeDsr, 1);
        dsr->saved = ARCH_WSE_NONE;
        dsr->activated = ARCH_WSE_NONE;
        dsr->unblocked = ARCH_WSE_NONE;
        dsr->control_task = ARCH_WSE_NONE;
        g_hash_table_insert(self->dsrs, g_steal_pointer(&text), dsr);
    }
    return dsr;
}

static const CslValue *
find(const CslGenerator *self, const CslStruct *options, const char *name)
{
    return options == NULL ? NULL
                           : csl_struct_find(options, csl_name(self->source, name));
}

static bool is_set(const CslValue *value)
{
    return value != NULL && value->type->kind == CSL_KIND_BOOL && value->integer != 0;
}

/* Loads may differ in whether operations move the address. */
static void learn_saved(CslCodeDsr *dsr, const CslValue *value)
{
    dsr->is_saved |= is_set(value);
    dsr->is_kept |= !is_set(value);
}

/* What options of a load say of all operations on the DSR. */
static void learn_known(CslGenerator *self, CslCodeDsr *dsr, const CslStruct *options)
{
    const CslValue *control = find(self, options, "on_control");
    const CslStruct *given = control != NULL && control->type->kind == CSL_KIND_STRUCT
                                 ? control->members
                                 : NULL;

    dsr->is_async |= is_set(find(self, options, "async"));
    learn_saved(dsr, find(self, options, "save_address"));
    if (is_set(find(self, given, "terminate"))) {
        dsr->on_control = ARCH_WSE_CONTROL_ENDS;
    }
    if (find(self, given, "activate") != NULL &&
        csl_task_number(self, find(self, given, "activate"), &dsr->control_task)) {
        dsr->on_control = ARCH_WSE_CONTROL_ACTIVATES;
    }
    if (find(self, given, "unblock") != NULL &&
        csl_task_number(self, find(self, given, "unblock"), &dsr->control_task)) {
        dsr->on_control = ARCH_WSE_CONTROL_UNBLOCKS;
    }
}

/* The register of the task that a load names; 0 at the start, or what comptime loads.
 */
static void need_task(CslGenerator *self, guint *task, const CslValue *known)
{
    guint number = 0;

    if (known != NULL) {
        (void) csl_task_number(self, known, &number);
    }
    if (*task == ARCH_WSE_NONE) {
        *task = csl_new_register(self, NULL, sim_i32(number));
    }
}

static void learn(CslGenerator *self, const CslTyped *typed)
{
    const CslTyped *options = NULL;
    const CslValue *known;
    CslCodeDsr *dsr;

    if (typed == NULL) {
        return;
    }
    for (uint32_t i = 0; i < typed->count; i++) {
        learn(self, typed->children[i]);
    }
    if (typed->kind != CSL_TYPED_BUILTIN || !g_str_equal(typed->name, "@load_to_dsr")) {
        return;
    }
    dsr = csl_dsr_of(self, &typed->children[0]->value);
    if (typed->count == 3) {
        options = typed->children[2];
    }
    if (options != NULL && options->kind == CSL_TYPED_CONSTANT) {
        learn_known(self, dsr, options->value.members);
    } else if (options != NULL) {
        (void) csl_item(self, options, "async", &known);
        dsr->is_async |= is_set(known);
        (void) csl_item(self, options, "save_address", &known);
        learn_saved(dsr, known);
    } else {
        dsr->is_kept = true;
    }
    if (csl_item(self, options, "activate", &known) != NULL || known != NULL) {
        need_task(self, &dsr->activated, NULL);
    }
    if (csl_item(self, options, "unblock", &known) != NULL || known != NULL) {
        need_task(self, &dsr->unblocked, NULL);
    }
}

void csl_learn_dsrs(CslGenerator *self)
{
    GHashTableIter iterator;
    gpointer dsr;

    for (guint i = 0; i < self->pe->effects->len; i++) {
        const CslEffect *effect = &g_array_index(self->pe->effects, CslEffect, i);
        const CslStruct *options = NULL;
        int64_t bits = 0;

        if (!g_str_equal(effect->name, "@load_to_dsr")) {
            continue;
        }
        self->place = effect->place;
        CslCodeDsr *of = csl_dsr_of(self, &csl_struct_at(effect->arguments, 0)->value);

        if (effect->arguments->count == 3) {
            options = csl_struct_at(effect->arguments, 2)->value.members;
            learn_known(self, of, options);
        } else {
            of->is_kept = true;
        }
        if (csl_struct_at(effect->arguments, 1)->value.type->kind == CSL_KIND_DSD) {
            bits = csl_dsd_constant(self, &csl_struct_at(effect->arguments, 1)->value)
                       .bits;
        }
        of->variable = csl_new_register(self, NULL, csl_low_word(bits));
        (void) csl_new_register(self, NULL, csl_high_word(bits));
        if (find(self, options, "activate") != NULL) {
            need_task(self, &of->activated, find(self, options, "activate"));
        }
        if (find(self, options, "unblock") != NULL) {
            need_task(self, &of->unblocked, find(self, options, "unblock"));
        }
    }
    for (guint i = 0; i < self->pe->instances->len; i++) {
        learn(self, ((const CslInstance *) self->pe->instances->pdata[i])->body);
    }
    g_hash_table_iter_init(&iterator, self->dsrs);
    while (g_hash_table_iter_next(&iterator, NULL, &dsr)) {
        CslCodeDsr *of = dsr;

        if (of->variable == 0) {
            of->variable = csl_new_register(self, NULL, 0);
            (void) csl_new_register(self, NULL, 0);
        }
        if (of->is_saved && of->is_kept) {
            of->saved = csl_new_register(self, NULL, 0);
        }
    }
}

static void
load_task(CslGenerator *self, const CslTyped *options, const char *name, guint variable)
{
    const CslValue *known;
    const CslTyped *item = csl_item(self, options, name, &known);
    guint number = 0;

    if (variable == ARCH_WSE_NONE) {
        return;
    }
    if (known != NULL && csl_task_number(self, known, &number)) {
        csl_move(self, CSL_T(U16), variable, csl_constant(number));
    } else if (item != NULL) {
        csl_generate_into(self, item, variable);
    } else {
        csl_move(self, CSL_T(U16), variable, csl_constant(ARCH_WSE_NONE));
    }
}

void csl_generate_load_dsr(CslGenerator *self, const CslTyped *typed)
{
    const CslCodeDsr *dsr = csl_dsr_of(self, &typed->children[0]->value);
    const CslTyped *options = typed->count == 3 ? typed->children[2] : NULL;

    if (typed->children[1]->type->kind != CSL_KIND_DSD) {
        csl_code_fail(self, "the simulated PE loads DSDs into DSRs, not %s",
                      typed->children[1]->type->name);
        return;
    }
    csl_generate_into(self, typed->children[1], dsr->variable);
    if (dsr->saved != ARCH_WSE_NONE) {
        const CslValue *known = NULL;

        (void) csl_item(self, options, "save_address", &known);
        csl_move(self, CSL_T(U16), dsr->saved, csl_constant(is_set(known) ? 1 : 0));
    }
    load_task(self, options, "activate", dsr->activated);
    load_task(self, options, "unblock", dsr->unblocked);
}
