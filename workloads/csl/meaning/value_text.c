/* Writes values for messages. */
#include "workloads/csl/meaning/value_text.h"

#include "workloads/csl/meaning/module.h"

/* Longer aggregates are cut. */
#define SHOWN_ITEMS 4

const char *const csl_direction_names[] = {
    [CSL_NORTH] = "NORTH", [CSL_SOUTH] = "SOUTH", [CSL_EAST] = "EAST",
    [CSL_WEST] = "WEST",   [CSL_RAMP] = "RAMP",
};

void csl_integer_append(GString *text, CslInteger value)
{
    char digits[64];
    char *at = digits + sizeof digits - 1;
    const bool is_negative = value < 0;

    *at = '\0';
    do {
        CslInteger digit = value % 10;

        value /= 10;
        digit = digit < 0 ? -digit : digit;
        at--;
        *at = "0123456789"[digit];
    } while (value != 0);
    g_string_append(text, is_negative ? "-" : "");
    g_string_append(text, at);
}

static void append(GString *text, const CslValue *value, guint depth);

static void append_members(GString *text, const CslStruct *members, guint depth)
{
    g_string_append(text, ".{");
    for (uint32_t i = 0; i < members->count && i <= SHOWN_ITEMS; i++) {
        const CslField *field = csl_struct_at(members, i);

        g_string_append(text, i == 0 ? " " : ", ");
        if (i == SHOWN_ITEMS || depth > 2) {
            g_string_append(text, "...");
            break;
        }
        if (field->name != NULL) {
            g_string_append_printf(text, ".%s = ", field->name);
        }
        append(text, &field->value, depth + 1);
    }
    g_string_append(text, " }");
}

static void append_enum(GString *text, const CslValue *value)
{
    for (uint32_t i = 0; i < value->type->count; i++) {
        if (value->type->numbers[i] == value->integer) {
            g_string_append(text, value->type->names[i]);
            return;
        }
    }
    csl_integer_append(text, value->integer);
}

static void append(GString *text, const CslValue *value, guint depth)
{
    switch (value->type->kind) {
    case CSL_KIND_VOID:
        g_string_append(text, "{}");
        break;
    case CSL_KIND_BOOL:
        g_string_append(text, value->integer != 0 ? "true" : "false");
        break;
    case CSL_KIND_SIGNED:
    case CSL_KIND_UNSIGNED:
    case CSL_KIND_COMPTIME_INT:
        csl_integer_append(text, value->integer);
        break;
    case CSL_KIND_FLOAT:
    case CSL_KIND_COMPTIME_FLOAT:
        g_string_append_printf(text, "%g", value->real);
        break;
    case CSL_KIND_STRING:
        g_string_append_printf(text, "\"%s\"", value->text->bytes);
        break;
    case CSL_KIND_STRUCT:
        append_members(text, value->members, depth);
        break;
    case CSL_KIND_TYPE:
        g_string_append(text, value->meant->name);
        break;
    case CSL_KIND_DIRECTION:
        g_string_append(text, csl_direction_names[value->integer]);
        break;
    case CSL_KIND_ID:
    case CSL_KIND_DSR:
    case CSL_KIND_FIFO:
        g_string_append_printf(text, "%s ", value->type->name);
        csl_integer_append(text, value->integer);
        break;
    case CSL_KIND_ENUM:
        append_enum(text, value);
        break;
    case CSL_KIND_FUNCTION:
        g_string_append(text, csl_global_name(value->function));
        break;
    case CSL_KIND_POINTER:
        if (value->pointer->global == NULL) {
            csl_integer_append(text, value->pointer->offset);
            break;
        }
        g_string_append_printf(text, "&%s", csl_global_name(value->pointer->global));
        if (value->pointer->offset != 0) {
            g_string_append_c(text, '[');
            csl_integer_append(text, value->pointer->offset);
            g_string_append_c(text, ']');
        }
        break;
    case CSL_KIND_MODULE:
    case CSL_KIND_DSD:
    case CSL_KIND_RANGE:
    case CSL_KIND_ACCESS:
    case CSL_KIND_ARRAY:
    case CSL_KIND_RECORD:
        g_string_append_printf(text, "a value of type %s", value->type->name);
        break;
    }
}

char *csl_value_text(const CslValue *self)
{
    GString *text = g_string_new(NULL);

    append(text, self, 0);
    return g_string_free(text, FALSE);
}
