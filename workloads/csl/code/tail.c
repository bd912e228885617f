/* Finds calls that end a function and lead back to it. Nothing of the function is
 * needed any more, so they are jumps: functions of PEs do not call themselves
 * otherwise. */
#include "workloads/csl/code/call.h"

typedef struct {
    const CslInstance *instance; /* whose body is looked at */
    GHashTable *tails;
} Search;

/* Whether a body calls the instance, directly or by others. */
static bool
leads_to(const CslTyped *typed, const CslInstance *instance, GHashTable *seen)
{
    if (typed == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < typed->count; i++) {
        if (leads_to(typed->children[i], instance, seen)) {
            return true;
        }
    }
    if (typed->kind != CSL_TYPED_CALL || typed->instance == NULL) {
        return false;
    }
    return typed->instance == instance ||
           (g_hash_table_add(seen, typed->instance) &&
            leads_to(typed->instance->body, instance, seen));
}

static void add_call(const Search *self, CslTyped *call)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

    /* A function that calls itself would overwrite arguments that it still reads. */
    if (call->type->kind == CSL_KIND_VOID && call->instance->body != NULL &&
        (call->count == 0 || call->instance != self->instance) &&
        (call->instance == self->instance ||
         leads_to(call->instance->body, self->instance, seen))) {
        g_hash_table_add(self->tails, call);
    }
}

/* A statement behind which the function returns. */
static void add_last(const Search *self, CslTyped *typed)
{
    if (typed == NULL) {
        return;
    }
    switch (+typed->kind) {
    case CSL_TYPED_CALL:
        add_call(self, typed);
        break;
    case CSL_TYPED_BLOCK:
        if (typed->count > 0) {
            add_last(self, typed->children[typed->count - 1]);
        }
        break;
    case CSL_TYPED_IF:
    case CSL_TYPED_SWITCH:
        for (uint32_t i = 1; i < typed->count; i++) {
            add_last(self, typed->children[i]);
        }
        break;
    case CSL_TYPED_ARM:
        add_last(self, typed->children[0]);
        break;
    default:
        break;
    }
}

/* Statements in front of `return;`. */
static void add_returns(const Search *self, CslTyped *typed)
{
    if (typed == NULL) {
        return;
    }
    for (uint32_t i = 0; i < typed->count; i++) {
        const CslTyped *child = typed->children[i];

        if (typed->kind == CSL_TYPED_BLOCK && i > 0 && child != NULL &&
            child->kind == CSL_TYPED_RETURN && child->count == 0) {
            add_last(self, typed->children[i - 1]);
        }
        add_returns(self, typed->children[i]);
    }
}

GHashTable *csl_find_tails(const CslPeClass *pe)
{
    GHashTable *tails = g_hash_table_new(NULL, NULL);

    for (guint i = 0; i < pe->instances->len; i++) {
        const CslInstance *instance = pe->instances->pdata[i];
        const Search search = {instance, tails};

        if (instance->body != NULL && instance->result->kind == CSL_KIND_VOID) {
            add_last(&search, instance->body);
            add_returns(&search, instance->body);
        }
    }
    return tails;
}
