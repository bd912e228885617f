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
        dsr->variable = ARCH_WSE_NONE;
        dsr->asynced = ARCH_WSE_NONE;
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

guint csl_thread_of(const CslValue *id)
{
    return id != NULL && id->type == CSL_T(UT_ID) ? csl_u32(id->integer) + 1 : 0;
}

/* Loads may differ in whether operations wait, and whether they move the address. */
static void learn_ways(CslCodeDsr *dsr, const CslValue *async, const CslValue *saved)
{
    dsr->is_async |= csl_is_true(async);
    dsr->is_waited |= !csl_is_true(async);
    dsr->is_saved |= csl_is_true(saved);
    dsr->is_kept |= !csl_is_true(saved);
}

/* What a load says of control wavelets holds for all operations on the DSR. */
static void learn_control(CslGenerator *self, CslCodeDsr *dsr, const CslValue *control)
{
    const CslStruct *given = control != NULL && control->type->kind == CSL_KIND_STRUCT
                                 ? control->members
                                 : NULL;

    if (csl_is_true(find(self, given, "terminate"))) {
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
    const CslValue *saved;
    CslCodeDsr *dsr;

    if (typed == NULL) {
        return;
    }
    for (uint32_t i = 0; i < typed->count; i++) {
        learn(self, typed->children[i]);
    }
    if (typed->kind == CSL_TYPED_BUILTIN &&
        g_str_has_prefix(typed->name, "@set_fifo_")) {
        csl_learn_fifo(self, typed);
    }
    if (typed->kind != CSL_TYPED_BUILTIN || !g_str_equal(typed->name, "@load_to_dsr")) {
        return;
    }
    dsr = csl_dsr_of(self, &typed->children[0]->value);
    if (typed->count == 3) {
        options = typed->children[2];
    }
    (void) csl_item(self, options, "async", &known);
    (void) csl_item(self, options, "save_address", &saved);
    learn_ways(dsr, known, saved);
    (void) csl_item(self, options, "on_control", &known);
    learn_control(self, dsr, known);
    (void) csl_item(self, options, "ut_id", &known);
    dsr->thread = MAX(dsr->thread, csl_thread_of(known));
    if (csl_item(self, options, "activate", &known) != NULL || known != NULL) {
        need_task(self, &dsr->activated, NULL);
    }
    if (csl_item(self, options, "unblock", &known) != NULL || known != NULL) {
        need_task(self, &dsr->unblocked, NULL);
    }
}

/* A load at comptime, before all others. */
static void learn_first(CslGenerator *self, const CslStruct *arguments)
{
    const CslValue *dsd = &csl_struct_at(arguments, 1)->value;
    const CslStruct *options =
        arguments->count == 3 ? csl_struct_at(arguments, 2)->value.members : NULL;
    const CslValue *async = find(self, options, "async");
    const CslValue *saved = find(self, options, "save_address");
    CslCodeDsr *dsr = csl_dsr_of(self, &csl_struct_at(arguments, 0)->value);
    const int64_t bits =
        dsd->type->kind == CSL_KIND_DSD ? csl_dsd_constant(self, dsd).bits : 0;

    learn_ways(dsr, async, saved);
    learn_control(self, dsr, find(self, options, "on_control"));
    dsr->thread = csl_thread_of(find(self, options, "ut_id"));
    dsr->asynced = csl_new_register(self, NULL, csl_is_true(async) ? 1 : 0);
    dsr->saved = csl_new_register(self, NULL, csl_is_true(saved) ? 1 : 0);
    dsr->variable = csl_new_register(self, NULL, csl_low_word(bits));
    (void) csl_new_register(self, NULL, csl_high_word(bits));
    if (find(self, options, "activate") != NULL) {
        need_task(self, &dsr->activated, find(self, options, "activate"));
    }
    if (find(self, options, "unblock") != NULL) {
        need_task(self, &dsr->unblocked, find(self, options, "unblock"));
    }
}

/* The register that says which of two ways the last load has chosen, if both occur. */
static void need_way(CslGenerator *self, guint *variable, bool is_one, bool is_other)
{
    if (!is_one || !is_other) {
        *variable = ARCH_WSE_NONE;
    } else if (*variable == ARCH_WSE_NONE) {
        *variable = csl_new_register(self, NULL, 0);
    }
}

void csl_learn_dsrs(CslGenerator *self)
{
    GHashTableIter iterator;
    gpointer value;

    for (guint i = 0; i < self->pe->effects->len; i++) {
        const CslEffect *effect = &g_array_index(self->pe->effects, CslEffect, i);

        if (g_str_equal(effect->name, "@load_to_dsr")) {
            self->place = effect->place;
            learn_first(self, effect->arguments);
        }
    }
    for (guint i = 0; i < self->pe->instances->len; i++) {
        learn(self, ((const CslInstance *) self->pe->instances->pdata[i])->body);
    }
    g_hash_table_iter_init(&iterator, self->dsrs);
    while (g_hash_table_iter_next(&iterator, NULL, &value)) {
        CslCodeDsr *dsr = value;

        if (dsr->variable == ARCH_WSE_NONE) {
            dsr->variable = csl_new_register(self, NULL, 0);
            (void) csl_new_register(self, NULL, 0);
        }
        need_way(self, &dsr->asynced, dsr->is_async, dsr->is_waited);
        need_way(self, &dsr->saved, dsr->is_saved, dsr->is_kept);
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

static void
load_way(CslGenerator *self, const CslTyped *options, const char *name, guint variable)
{
    const CslValue *known;

    if (variable != ARCH_WSE_NONE) {
        (void) csl_item(self, options, name, &known);
        csl_move(self, CSL_T(U16), variable, csl_constant(csl_is_true(known) ? 1 : 0));
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
    load_way(self, options, "async", dsr->asynced);
    load_way(self, options, "save_address", dsr->saved);
    load_task(self, options, "activate", dsr->activated);
    load_task(self, options, "unblock", dsr->unblocked);
}
