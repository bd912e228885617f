/* Numbers globals and locals, and points names at them. */
#include "workloads/csl/syntax/bind.h"

#include "sim/narrow.h"

typedef struct {
    const char *name;
    guint shadowed; /* its place + 1 among locals, or 0 */
    uint32_t slot;
    uint32_t scope; /* the block it stands in */
    bool is_const;
} Local;

typedef struct {
    CslTree *tree;
    CslDiagnostics *to;
    GArray *locals;    /* Local, those in scope */
    GHashTable *found; /* name -> place + 1 of the innermost local */
    uint32_t scope;
    uint32_t frame_size;
} Binder;

static void bind(Binder *self, CslNode *node);

static Local *local_at(const Binder *self, guint place)
{
    return &g_array_index(self->locals, Local, place - 1);
}

static void declare(Binder *self, CslNode *node, bool is_const)
{
    const guint found = GPOINTER_TO_UINT(g_hash_table_lookup(self->found, node->name));
    const Local local = {.name = node->name,
                         .shadowed = found,
                         .slot = self->locals->len,
                         .scope = self->scope,
                         .is_const = is_const};

    if (found != 0 && local_at(self, found)->scope == self->scope &&
        g_strcmp0(node->name, "_") != 0) {
        csl_report(self->to, CSL_ERROR, (CslPlace){self->tree->source, node->offset},
                   "'%s' is declared twice in this block", node->name);
    }
    node->slot = local.slot;
    node->binding = is_const ? CSL_LOCAL_CONST : CSL_LOCAL;
    g_array_append_val(self->locals, local);
    g_hash_table_insert(self->found, (gpointer) node->name,
                        GUINT_TO_POINTER(self->locals->len));
    self->frame_size = MAX(self->frame_size, self->locals->len);
}

/* Ends the life of locals behind the first `count`. */
static void forget(Binder *self, guint count)
{
    while (self->locals->len > count) {
        const Local *local = local_at(self, self->locals->len);

        if (local->shadowed != 0) {
            g_hash_table_insert(self->found, (gpointer) local->name,
                                GUINT_TO_POINTER(local->shadowed));
        } else {
            g_hash_table_remove(self->found, local->name);
        }
        g_array_set_size(self->locals, self->locals->len - 1);
    }
}

static void bind_name(Binder *self, CslNode *node)
{
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(self->found, node->name));

    if (found != 0) {
        const Local *local = local_at(self, found);

        node->slot = local->slot;
        node->binding = local->is_const ? CSL_LOCAL_CONST : CSL_LOCAL;
        return;
    }
    found = GPOINTER_TO_UINT(g_hash_table_lookup(self->tree->global_slots, node->name));
    if (found != 0) {
        node->slot = found - 1;
        node->binding = CSL_GLOBAL;
    }
}

static void bind_children(Binder *self, CslNode *node, uint32_t from)
{
    for (uint32_t i = from; i < node->count; i++) {
        bind(self, node->children[i]);
    }
}

/* Children of a scope of its own. */
static void bind_scope(Binder *self, CslNode *node, uint32_t from)
{
    const guint count = self->locals->len;
    const uint32_t outer = self->scope;

    self->scope = node->offset;
    bind_children(self, node, from);
    forget(self, count);
    self->scope = outer;
}

static void bind_for(Binder *self, CslNode *node)
{
    const guint count = self->locals->len;
    const uint32_t outer = self->scope;

    bind(self, node->children[0]);
    self->scope = node->offset;
    for (uint32_t i = 2; i < 4; i++) {
        if (node->children[i] != NULL) {
            declare(self, node->children[i], true);
        }
    }
    bind(self, node->children[1]);
    forget(self, count);
    self->scope = outer;
}

static void bind_access(Binder *self, CslNode *node)
{
    const guint count = self->locals->len;
    const uint32_t outer = self->scope;

    bind(self, node->children[1]);
    self->scope = node->offset;
    for (uint32_t i = 2; i < node->count; i++) {
        declare(self, node->children[i], true);
    }
    bind(self, node->children[0]);
    forget(self, count);
    self->scope = outer;
}

static void bind(Binder *self, CslNode *node)
{
    if (node == NULL) {
        return;
    }
    /* Others have only children. */
    switch (node->kind) {
    case CSL_NAME:
        bind_name(self, node);
        break;
    case CSL_VARIABLE:
        bind_children(self, node, 0);
        declare(self, node, node->token == CSL_TOKEN_CONST);
        break;
    case CSL_BLOCK:
        bind_scope(self, node, 0);
        break;
    case CSL_FOR:
        bind_for(self, node);
        break;
    case CSL_ACCESS:
        bind_access(self, node);
        break;
    default:
        bind_children(self, node, 0);
        break;
    }
}

/* A declaration of the file: a frame of its own. */
static void bind_frame(Binder *self, CslNode *node)
{
    self->frame_size = 0;
    self->scope = node->offset;
    if (node->kind == CSL_FUNCTION) {
        for (uint32_t i = 2; i < node->count; i++) {
            bind_children(self, node->children[i], 0);
            declare(self, node->children[i], true);
        }
        bind(self, node->children[0]);
        bind(self, node->children[1]);
    } else {
        bind_children(self, node, 0);
    }
    forget(self, 0);
    node->slot = self->frame_size;
}

static bool is_global(const CslNode *node)
{
    return node->kind == CSL_VARIABLE || node->kind == CSL_FUNCTION;
}

static void number_globals(Binder *self)
{
    CslTree *tree = self->tree;

    tree->globals = CSL_ARENA_ARRAY(tree->arena, CslNode *, MAX(tree->file->count, 1));
    for (uint32_t i = 0; i < tree->file->count; i++) {
        CslNode *node = tree->file->children[i];

        if (!is_global(node)) {
            continue;
        }
        if (g_hash_table_contains(tree->global_slots, node->name)) {
            csl_report(self->to, CSL_ERROR, (CslPlace){tree->source, node->offset},
                       "'%s' is declared twice in this file", node->name);
            continue;
        }
        tree->globals[tree->global_count++] = node;
        g_hash_table_insert(tree->global_slots, (gpointer) node->name,
                            GUINT_TO_POINTER(tree->global_count));
    }
}

void csl_tree_bind(CslTree *tree, CslDiagnostics *to)
{
    g_autoptr(GArray) locals = g_array_new(FALSE, FALSE, sizeof(Local));
    g_autoptr(GHashTable) found = g_hash_table_new(g_direct_hash, g_direct_equal);
    Binder binder = {.tree = tree, .to = to, .locals = locals, .found = found};

    tree->global_slots = g_hash_table_new(g_direct_hash, g_direct_equal);
    number_globals(&binder);
    for (uint32_t i = 0; i < tree->file->count; i++) {
        bind_frame(&binder, tree->file->children[i]);
    }
}
