/* Checks operations on DSDs: operands and options. */
#include "workloads/csl/meaning/analyser.h"
#include "workloads/csl/meaning/builtin.h"

/* Names of operations by what their scalars are. Of those that mix formats, only the
 * kinds of operands are checked. */
static const char *const singles[] = {"@fabss", "@fadds", "@fmacs", "@fmaxs", "@fmovs",
                                      "@fmuls", "@fnegs", "@fsubs", NULL};
static const char *const halves[] = {"@fabsh", "@faddh", "@fmach", "@fmaxh", "@fmovh",
                                     "@fmulh", "@fnegh", "@fsubh", NULL};
static const char *const words[] = {"@add16", "@addc16", "@and16", "@mov16",
                                    "@or16",  "@sar16",  "@sll16", "@slr16",
                                    "@sub16", "@xor16",  NULL};
static const char *const doubles[] = {"@mov32", NULL};
static const char *const others[] = {"@clz",     "@ctz",     "@faddhs",  "@fh2s",
                                     "@fh2xp16", "@fmachs",  "@fnormh",  "@fnorms",
                                     "@fs2h",    "@fs2xp16", "@fscaleh", "@fscales",
                                     "@popcnt",  "@xp162fh", "@xp162fs", NULL};

static const char *const option_names[] = {"async", "activate",   "unblock", "priority",
                                           "index", "on_control", "ut_id",   NULL};

bool csl_works_on_dsds(const char *name)
{
    return g_strv_contains(singles, name) || g_strv_contains(halves, name) ||
           g_strv_contains(words, name) || g_strv_contains(doubles, name) ||
           g_strv_contains(others, name);
}

static bool is_struct(const CslTyped *typed)
{
    return typed->type == CSL_T(COMPTIME_STRUCT);
}

static bool is_number(const CslType *type)
{
    return csl_type_is_integer(type) || csl_type_is_float(type) ||
           type->kind == CSL_KIND_ENUM;
}

/* The type that a scalar must have, or NULL: any. */
static const CslType *scalar_type(const char *name, const CslType *given)
{
    const bool is_signed = given->kind == CSL_KIND_SIGNED;

    if (g_strv_contains(singles, name)) {
        return CSL_T(F32);
    }
    if (g_strv_contains(halves, name)) {
        return given->kind == CSL_KIND_FLOAT && given->bits == 16 ? given : CSL_T(F16);
    }
    if (g_strv_contains(words, name)) {
        return is_signed ? CSL_T(I16) : CSL_T(U16);
    }
    if (g_strv_contains(doubles, name) && given != CSL_T(F32)) {
        return is_signed ? CSL_T(I32) : CSL_T(U32);
    }
    return NULL;
}

/* A scalar as the operation takes it; NULL after a report. Constants convert, negative
 * ones to signed numbers. */
static CslTyped *check_scalar(CslAnalyser *self, const char *name, CslTyped *typed)
{
    const CslType *type = scalar_type(name, typed->type);

    if (type == NULL || typed->type == type || typed->type->kind == CSL_KIND_ENUM) {
        return typed;
    }
    if (typed->kind == CSL_TYPED_CONSTANT && csl_type_is_integer(typed->type) &&
        typed->value.integer < 0 && type->kind == CSL_KIND_UNSIGNED) {
        type = type->bits == 16 ? CSL_T(I16) : CSL_T(I32);
    }
    if (typed->kind != CSL_TYPED_CONSTANT) {
        csl_complain(self->evaluator, typed->node, "%s takes %s as a scalar, found %s",
                     name, type->name, typed->type->name);
        csl_report_hint(self->evaluator->program->to, "@as(%s, ...) converts numbers",
                        type->name);
        return NULL;
    }
    return csl_typed_coerce(self, typed, type);
}

static bool refuse(CslAnalyser *self,
                   const CslTyped *operand,
                   const char *name,
                   const char *what,
                   const char *expected)
{
    csl_complain(self->evaluator, operand->node, "%s: %s is %s, found %s", name, what,
                 expected, operand->type->name);
    if (operand->type->kind == CSL_KIND_ARRAY) {
        csl_report_hint(self->evaluator->program->to,
                        "@get_dsd(mem1d_dsd, .{ .tensor_access = |i|{n} -> a[i] }) "
                        "describes an array");
    }
    return false;
}

/* A register of the first source may be the destination, too: it is changed in place.
 */
static bool check_destination(CslAnalyser *self, const char *name, const CslTyped *to)
{
    const CslType *type = to->type;

    if (type == CSL_T(FABIN_DSD) || type == CSL_T(DSR_SRC1)) {
        return refuse(self, to, name, "the destination", "written, not read");
    }
    if (type->kind == CSL_KIND_DSD || type->kind == CSL_KIND_DSR ||
        type->kind == CSL_KIND_FIFO ||
        (type->kind == CSL_KIND_POINTER && is_number(type->element))) {
        return true;
    }
    return refuse(self, to, name, "the destination", "a DSD or a pointer to a number");
}

static bool check_source(CslAnalyser *self, const char *name, const CslTyped *from)
{
    const CslType *type = from->type;

    if (type == CSL_T(FABOUT_DSD) || type == CSL_T(DSR_DEST)) {
        return refuse(self, from, name, "a source", "read, not written");
    }
    if (type->kind == CSL_KIND_DSD || type->kind == CSL_KIND_DSR ||
        type->kind == CSL_KIND_FIFO || is_number(type)) {
        return true;
    }
    return refuse(self, from, name, "a source", "a DSD or a number");
}

static bool check_operands(CslAnalyser *self, CslTyped *typed, uint32_t count)
{
    const char *name = typed->name;

    for (uint32_t i = 0; i < count; i++) {
        CslTyped *operand = typed->children[i];

        if (is_struct(operand)) {
            csl_complain(self->evaluator, operand->node,
                         "%s takes %u operands, found %u before the options", name,
                         count, i);
            return false;
        }
        if (i == 0 ? !check_destination(self, name, operand)
                   : !check_source(self, name, operand)) {
            return false;
        }
        if (i == 3 && !is_number(operand->type)) {
            return refuse(self, operand, name, "the last operand", "a number");
        }
        if (i > 0 && is_number(operand->type)) {
            typed->children[i] = check_scalar(self, name, operand);
            if (typed->children[i] == NULL) {
                return false;
            }
        }
    }
    return true;
}

/* The type of an option; NULL if it is not given. */
static const CslType *
option_type(const CslAnalyser *self, const CslTyped *options, const char *name)
{
    const char *interned = csl_name(self->evaluator->program, name);
    const CslTyped *item = csl_typed_item(options, interned);

    if (options->kind == CSL_TYPED_CONSTANT) {
        const CslValue *value = csl_struct_find(options->value.members, interned);

        return value == NULL ? NULL : value->type;
    }
    return item == NULL ? NULL : item->type;
}

static bool
check_names(CslAnalyser *self, const CslTyped *typed, const CslTyped *options)
{
    const CslStruct *members =
        options->kind == CSL_TYPED_CONSTANT ? options->value.members : NULL;
    const uint32_t count = members == NULL ? options->count : members->count;

    for (uint32_t i = 0; i < count; i++) {
        const char *name = members == NULL ? csl_typed_item_name(options, i)
                                           : csl_struct_at(members, i)->name;
        g_autofree char *all = NULL;

        if (name != NULL && g_strv_contains(option_names, name)) {
            continue;
        }
        all = g_strjoinv(", ", (char **) option_names);
        csl_complain(self->evaluator, options->node, "%s has no option '%s'",
                     typed->name, name == NULL ? "without name" : name);
        csl_report_hint(self->evaluator->program->to, "there are %s", all);
        return false;
    }
    return true;
}

/* Whether an operation may go on by itself: a stream ends it. */
static bool has_stream(const CslTyped *typed, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const CslType *type = typed->children[i]->type;

        if (type == CSL_T(FABIN_DSD) || type == CSL_T(FABOUT_DSD) ||
            type->kind == CSL_KIND_FIFO || type->kind == CSL_KIND_DSR) {
            return true;
        }
    }
    return false;
}

static bool is_task(const CslType *type)
{
    return type->kind == CSL_KIND_FUNCTION && type->is_task;
}

static bool check_options(CslAnalyser *self, const CslTyped *typed, uint32_t count)
{
    const CslTyped *options = typed->children[count];
    const CslType *activate;
    const CslType *unblock;

    if (!is_struct(options)) {
        csl_complain(self->evaluator, options->node,
                     "%s takes %u operands, then options, found %s", typed->name, count,
                     options->type->name);
        csl_report_hint(self->evaluator->program->to, ".{ .async = true }");
        return false;
    }
    if (!check_names(self, typed, options)) {
        return false;
    }
    activate = option_type(self, options, "activate");
    unblock = option_type(self, options, "unblock");
    if (activate != NULL && unblock != NULL) {
        csl_complain(self->evaluator, options->node,
                     "an operation has .activate or .unblock, not both");
        return false;
    }
    if (activate != NULL && activate != CSL_T(LOCAL_TASK_ID) && !is_task(activate)) {
        csl_complain(self->evaluator, options->node,
                     "expected a local_task_id or a task for .activate, found %s",
                     activate->name);
        return false;
    }
    if (unblock != NULL && unblock->kind != CSL_KIND_ID && !is_task(unblock)) {
        csl_complain(self->evaluator, options->node,
                     "expected a task id or a task for .unblock, found %s",
                     unblock->name);
        return false;
    }
    if (option_type(self, options, "async") != NULL && !has_stream(typed, count)) {
        csl_complain(self->evaluator, options->node,
                     ".async needs an operand of the fabric or a FIFO");
        csl_report_hint(self->evaluator->program->to,
                        "an operation on memory alone is done when the next begins");
        return false;
    }
    return true;
}

bool csl_check_operation(CslAnalyser *self, CslTyped *typed)
{
    const uint32_t count = csl_builtin_of(typed->node)->fewest;

    return check_operands(self, typed, count) &&
           (typed->count == count || check_options(self, typed, count));
}
