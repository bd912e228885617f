/* Writes typed functions as text. */
#include "tests/workloads/csl/typed_text.h"

static void append(GString *text, const CslInstance *of, const CslTyped *typed);

static void append_list(GString *text,
                        const CslInstance *of,
                        const CslTyped *typed,
                        uint32_t from,
                        const char *between)
{
    for (uint32_t i = from; i < typed->count; i++) {
        if (i > from) {
            g_string_append(text, between);
        }
        append(text, of, typed->children[i]);
    }
}

static void append_local(GString *text, const CslInstance *of, uint32_t local)
{
    const char *name = g_array_index(of->locals, CslLocal, local).name;

    g_string_append(text, name);
    if (g_strcmp0(name, "value") == 0) { /* one that has no name in the program */
        g_string_append_printf(text, "%u", local);
    }
}

static void append_constant(GString *text, const CslTyped *typed)
{
    g_autofree char *value = csl_value_text(&typed->value);

    g_string_append_printf(text, "%s:%s", value, typed->type->name);
}

static void
append_statement(GString *text, const CslInstance *of, const CslTyped *typed)
{
    switch (+typed->kind) {
    case CSL_TYPED_DECLARE:
        g_string_append(text, "var ");
        append_local(text, of, typed->local);
        g_string_append_printf(text, ":%s", typed->type->name);
        if (typed->count > 0) {
            g_string_append(text, " = ");
            append(text, of, typed->children[0]);
        }
        break;
    case CSL_TYPED_ASSIGN:
        append(text, of, typed->children[0]);
        g_string_append_printf(
            text, " %s%s ",
            typed->token == CSL_TOKEN_ASSIGN ? "" : csl_token_spelling(typed->token),
            "=");
        append(text, of, typed->children[1]);
        break;
    case CSL_TYPED_BLOCK:
        if (typed->name != NULL) {
            g_string_append_printf(text, "%s: ", typed->name);
        }
        g_string_append_c(text, '{');
        append_list(text, of, typed, 0, "; ");
        g_string_append_c(text, '}');
        break;
    case CSL_TYPED_IF:
    case CSL_TYPED_SELECT:
        g_string_append(text, "if (");
        append(text, of, typed->children[0]);
        g_string_append(text, ") ");
        append_list(text, of, typed, 1, " else ");
        break;
    case CSL_TYPED_WHILE:
        g_string_append(text, "while (");
        append(text, of, typed->children[0]);
        g_string_append(text, ") ");
        append_list(text, of, typed, 1, " : ");
        break;
    case CSL_TYPED_FOR:
        g_string_append(text, "for ");
        append_local(text, of, typed->local);
        g_string_append(text, " in ");
        append_list(text, of, typed, 0, " ");
        break;
    case CSL_TYPED_SWITCH:
        g_string_append(text, "switch (");
        append(text, of, typed->children[0]);
        g_string_append(text, ") {");
        append_list(text, of, typed, 1, ", ");
        g_string_append_c(text, '}');
        break;
    case CSL_TYPED_ARM:
        append_list(text, of, typed, 1, " ");
        g_string_append_printf(text, "%s => ", typed->count == 1 ? "else" : "");
        append(text, of, typed->children[0]);
        break;
    default:
        g_string_append(text, typed->kind == CSL_TYPED_RETURN  ? "return"
                              : typed->kind == CSL_TYPED_BREAK ? "break"
                                                               : "continue");
        if (typed->name != NULL) {
            g_string_append_printf(text, " :%s", typed->name);
        }
        if (typed->count > 0) {
            g_string_append_c(text, ' ');
            append(text, of, typed->children[0]);
        }
        break;
    }
}

static void append_call(GString *text, const CslInstance *of, const CslTyped *typed)
{
    const bool is_pointer = typed->kind == CSL_TYPED_CALL_POINTER;

    if (typed->kind == CSL_TYPED_CALL) {
        g_string_append(text, csl_global_name(typed->instance->function));
    } else if (is_pointer) {
        append(text, of, typed->children[0]);
    } else if (typed->kind == CSL_TYPED_STRUCT) {
        g_string_append(text, typed->type->name);
    } else {
        g_string_append(text, typed->name);
    }
    g_string_append_c(text, '(');
    append_list(text, of, typed, is_pointer ? 1 : 0, ", ");
    g_string_append_c(text, ')');
}

static void append(GString *text, const CslInstance *of, const CslTyped *typed)
{
    switch (+typed->kind) {
    case CSL_TYPED_CONSTANT:
        append_constant(text, typed);
        break;
    case CSL_TYPED_LOCAL:
        append_local(text, of, typed->local);
        break;
    case CSL_TYPED_GLOBAL:
        g_string_append(text, csl_global_name(typed->global));
        break;
    case CSL_TYPED_UNARY:
        g_string_append(text, csl_token_spelling(typed->token));
        append(text, of, typed->children[0]);
        break;
    case CSL_TYPED_BINARY:
        g_string_append_c(text, '(');
        append(text, of, typed->children[0]);
        g_string_append_printf(text, " %s ", csl_token_spelling(typed->token));
        append(text, of, typed->children[1]);
        g_string_append_c(text, ')');
        break;
    case CSL_TYPED_CONVERT:
    case CSL_TYPED_BITCAST:
        g_string_append_printf(text, "%s<%s>(",
                               typed->kind == CSL_TYPED_CONVERT ? "as" : "bits",
                               typed->type->name);
        append(text, of, typed->children[0]);
        g_string_append_c(text, ')');
        break;
    case CSL_TYPED_ADDRESS:
        g_string_append_c(text, '&');
        append(text, of, typed->children[0]);
        break;
    case CSL_TYPED_DEREFERENCE:
        append(text, of, typed->children[0]);
        g_string_append(text, ".*");
        break;
    case CSL_TYPED_INDEX:
        append(text, of, typed->children[0]);
        g_string_append_c(text, '[');
        append_list(text, of, typed, 1, ", ");
        g_string_append_c(text, ']');
        break;
    case CSL_TYPED_FIELD:
        append(text, of, typed->children[0]);
        g_string_append_printf(text, ".%s", typed->name);
        break;
    case CSL_TYPED_CALL:
    case CSL_TYPED_CALL_POINTER:
    case CSL_TYPED_BUILTIN:
    case CSL_TYPED_STRUCT:
        append_call(text, of, typed);
        break;
    default:
        append_statement(text, of, typed);
        break;
    }
}

char *csl_typed_text(const CslInstance *instance)
{
    GString *text = g_string_new(NULL);

    append(text, instance, instance->body);
    return g_string_free(text, FALSE);
}
