/* Makes JSON of lists of values. */
#include "traces/table/record.h"

#include "traces/file/json_member.h"

RecordValue record_real(const char *name, double real)
{
    return (RecordValue){name, RECORD_VALUE_REAL, .real = real};
}

RecordValue record_whole(const char *name, gint64 whole)
{
    return (RecordValue){name, RECORD_VALUE_WHOLE, .whole = whole};
}

RecordValue record_count(const char *name, uint64_t count)
{
    return record_whole(name, (gint64) count);
}

RecordValue record_bool(const char *name, bool is_true)
{
    return (RecordValue){name, RECORD_VALUE_BOOL, .whole = is_true};
}

RecordValue record_text(const char *name, const char *text)
{
    return (RecordValue){name, RECORD_VALUE_TEXT, .text = text};
}

RecordValue record_value_object(const char *name, JsonObject *object)
{
    return (RecordValue){name, RECORD_VALUE_OBJECT, .object = object};
}

RecordValue record_value_array(const char *name, JsonArray *array)
{
    return (RecordValue){name, RECORD_VALUE_ARRAY, .array = array};
}

static void add_value(JsonObject *object, const RecordValue *value)
{
    switch (value->kind) {
    case RECORD_VALUE_REAL:
        json_object_set_double_member(object, value->name, value->real);
        break;
    case RECORD_VALUE_WHOLE:
        json_object_set_int_member(object, value->name, value->whole);
        break;
    case RECORD_VALUE_BOOL:
        json_object_set_boolean_member(object, value->name, value->whole != 0);
        break;
    case RECORD_VALUE_TEXT:
        trace_json_set_text(object, value->name, value->text);
        break;
    case RECORD_VALUE_OBJECT:
        if (value->object == NULL) {
            json_object_set_null_member(object, value->name);
        } else {
            json_object_set_object_member(object, value->name, value->object);
        }
        break;
    case RECORD_VALUE_ARRAY:
        json_object_set_array_member(object, value->name, value->array);
        break;
    case RECORD_VALUE_END:
        break;
    }
}

void record_add_values(JsonObject *object, const RecordValue *values)
{
    for (; values->kind != RECORD_VALUE_END; values++) {
        add_value(object, values);
    }
}

JsonObject *record_json(const RecordValue *values)
{
    JsonObject *object = json_object_new();

    record_add_values(object, values);
    return object;
}

JsonArray *record_list(const GArray *items, RecordFunc to_json, gconstpointer context)
{
    const gsize bytes = g_array_get_element_size((GArray *) items);
    JsonArray *array = json_array_new();

    for (guint i = 0; i < items->len; i++) {
        json_array_add_object_element(array, to_json(items->data + i * bytes, context));
    }
    return array;
}

JsonArray *record_counts(const uint64_t *counts, guint count)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < count; i++) {
        json_array_add_int_element(array, (gint64) counts[i]);
    }
    return array;
}

JsonArray *record_reals(const double *reals, guint count, gsize stride)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < count; i++) {
        json_array_add_double_element(array, reals[i * stride]);
    }
    return array;
}

JsonArray *record_texts(const char *const *texts, guint count)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < count; i++) {
        json_array_add_string_element(array, texts[i]);
    }
    return array;
}
