/* The table of builtins: who may be called where, with how many arguments. */
#include "workloads/csl/meaning/builtin.h"

#include <string.h>

#include "arch/chipfile/spelling.h"
#include "sim/narrow.h"

static const CslBuiltin builtins[] = {
#define CSL_BUILTIN(name, fewest, most, where, run)                                    \
    {"@" #name, fewest, most, where, 0, run},
#define CSL_RAW_BUILTIN(name, fewest, most, where, run, raw)                           \
    {"@" #name, fewest, most, where, raw, run},
#include "workloads/csl/meaning/builtin.def"
#undef CSL_BUILTIN
#undef CSL_RAW_BUILTIN
};

const CslBuiltin *csl_builtin_find(const char *name)
{
    guint low = 0;
    guint high = G_N_ELEMENTS(builtins);

    while (low < high) {
        const guint middle = (low + high) / 2;
        const int order = strcmp(name, builtins[middle].name);

        if (order == 0) {
            return &builtins[middle];
        }
        if (order > 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

void csl_builtin_bind(CslNode *node)
{
    if (node == NULL) {
        return;
    }
    if (node->kind == CSL_BUILTIN) {
        const CslBuiltin *builtin = csl_builtin_find(node->name);

        node->slot = builtin == NULL ? 0 : sim_u32(builtin - builtins) + 1;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        csl_builtin_bind(node->children[i]);
    }
}

const CslBuiltin *csl_builtin_of(const CslNode *node)
{
    return node->slot == 0 ? NULL : &builtins[node->slot - 1];
}

const char *csl_builtin_nearest(const char *name)
{
    const char *names[G_N_ELEMENTS(builtins) + 1] = {NULL};
    const char *nearest;

    for (guint i = 0; i < G_N_ELEMENTS(builtins); i++) {
        names[i] = builtins[i].name;
    }
    nearest = arch_spelling_nearest(names, name);
    return nearest != NULL && arch_spelling_distance(nearest, name) <= 3 ? nearest
                                                                         : NULL;
}

const char *
csl_argument_text(CslEvaluator *self, const CslNode *node, const CslValue *of)
{
    if (of->type->kind == CSL_KIND_STRING) {
        return of->text->bytes;
    }
    csl_complain(self, node, "expected a string, found %s", of->type->name);
    return NULL;
}

bool csl_argument_integer(CslEvaluator *self,
                          const CslNode *node,
                          const CslValue *of,
                          CslInteger most,
                          uint32_t *to)
{
    g_autofree char *text = NULL;

    if (!csl_type_is_integer(of->type) && of->type->kind != CSL_KIND_ID) {
        csl_complain(self, node, "expected an integer, found %s", of->type->name);
        return false;
    }
    if (of->integer < 0 || of->integer > most) {
        text = csl_value_text(of);
        csl_complain(self, node, "%s is not in 0 to %u", text, sim_u32((int64_t) most));
        return false;
    }
    *to = sim_u32((int64_t) of->integer);
    return true;
}

static bool
is_well_placed(CslEvaluator *self, const CslNode *node, const CslBuiltin *builtin)
{
    const guint here = self->is_layout ? CSL_IN_LAYOUT : CSL_IN_COMPTIME;

    if ((builtin->where & here) != 0) {
        return true;
    }
    if (builtin->where == CSL_AT_RUN_TIME) {
        csl_complain(self, node, "%s runs on a PE, not at comptime", node->name);
    } else if (builtin->where == CSL_IN_LAYOUT) {
        csl_complain(self, node, "%s belongs in a layout block", node->name);
    } else {
        csl_complain(self, node, "%s belongs in a comptime block of a PE's code",
                     node->name);
    }
    return false;
}

static bool
has_arguments(CslEvaluator *self, const CslNode *node, const CslBuiltin *builtin)
{
    if (node->count >= builtin->fewest && node->count <= builtin->most) {
        return true;
    }
    if (builtin->fewest == builtin->most) {
        csl_complain(self, node, "%s takes %u %s, found %u", node->name, builtin->most,
                     builtin->most == 1 ? "argument" : "arguments", node->count);
    } else {
        csl_complain(self, node, "%s takes %u to %u arguments, found %u", node->name,
                     builtin->fewest, builtin->most, node->count);
    }
    return false;
}

CslValue csl_evaluate_builtin(CslEvaluator *self, const CslNode *node)
{
    const CslBuiltin *builtin = csl_builtin_of(node);
    CslValue arguments[CSL_ARGUMENTS_MOST];

    if (builtin == NULL) {
        const char *nearest = csl_builtin_nearest(node->name);

        csl_complain(self, node, "there is no builtin %s", node->name);
        if (nearest != NULL) {
            csl_report_hint(self->program->to, "there is %s", nearest);
        }
        return csl_no_value();
    }
    if (!is_well_placed(self, node, builtin) || !has_arguments(self, node, builtin)) {
        return csl_no_value();
    }
    if (builtin->run == NULL) {
        csl_complain(self, node, "%s is not known at comptime", node->name);
        return csl_no_value();
    }
    for (uint32_t i = 0; i < node->count; i++) {
        arguments[i] = csl_no_value();
        if (builtin->raw == i + 1) {
            continue;
        }
        arguments[i] = csl_evaluate(self, node->children[i]);
        if (arguments[i].type == NULL) {
            return csl_no_value();
        }
    }
    if (builtin->where != CSL_ANYWHERE || builtin->run == csl_builtin_import_module ||
        builtin->run == csl_builtin_comptime_print) {
        self->effect_count++;
    }
    return builtin->run(self, node, arguments);
}
