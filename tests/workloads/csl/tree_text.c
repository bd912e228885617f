/* Writes syntax trees as nested lists. */
#include "tests/workloads/csl/tree_text.h"

static void append_leaf(GString *text, const CslNode *node)
{
    if (node->kind == CSL_INTEGER) {
        g_string_append_printf(text, " %" G_GINT64_FORMAT, (gint64) *node->integer);
    } else if (node->kind == CSL_REAL) {
        g_string_append_printf(text, " %g", node->real);
    } else if (node->kind == CSL_STRING) {
        g_string_append_printf(text, " \"%s\"", node->text->bytes);
    } else if (node->name != NULL) {
        g_string_append_printf(text, " %s", node->name);
    }
}

static void append(GString *text, const CslNode *node)
{
    if (node == NULL) {
        g_string_append_c(text, '-');
        return;
    }
    if (node->kind == CSL_NAME) {
        g_string_append(text, node->name);
        return;
    }
    g_string_append_printf(text, "(%s", csl_node_kind_name(node->kind));
    append_leaf(text, node);
    if (node->token != 0) {
        g_string_append_printf(text, " %s", csl_token_spelling(node->token));
    }
    for (uint32_t i = 0; i < node->count; i++) {
        g_string_append_c(text, ' ');
        append(text, node->children[i]);
    }
    g_string_append_c(text, ')');
}

char *csl_tree_text(const CslNode *node)
{
    GString *text = g_string_new(NULL);

    append(text, node);
    return g_string_free(text, FALSE);
}
