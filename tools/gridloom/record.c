/* Writes structs as tables of fields say. */
#include "tools/gridloom/record.h"

#include "tools/gridloom/number_text.h"
#include "traces/file/json_member.h"

static gconstpointer member_of(const RecordField *field, gconstpointer record)
{
    return (const char *) record + field->offset;
}

/* The caller frees it. */
static char *text_of(const RecordField *field, gconstpointer record)
{
    return field->text != NULL
               ? field->text(record)
               : g_strdup(*(const char *const *) member_of(field, record));
}

static RecordKind kind_of(const RecordField *field)
{
    return field->text != NULL ? RECORD_TEXT : field->kind;
}

/* Of a field that is a whole number. */
static gint64 whole_of(const RecordField *field, gconstpointer record)
{
    gconstpointer member = member_of(field, record);

    switch (field->kind) {
    case RECORD_COUNT:
        return (gint64) * (const uint64_t *) member;
    case RECORD_WHOLE:
        return *(const guint *) member;
    case RECORD_INT:
        return *(const int *) member;
    case RECORD_BOOL:
        return *(const bool *) member;
    case RECORD_REAL:
    case RECORD_TEXT:
        break;
    }
    g_assert_not_reached();
}

static bool is_there(const RecordField *field, gconstpointer record)
{
    return field->has == NULL || field->has(record);
}

JsonNode *record_array(JsonArray *array)
{
    JsonNode *node = json_node_new(JSON_NODE_ARRAY);

    json_node_take_array(node, array);
    return node;
}

JsonNode *record_object(JsonObject *object)
{
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);

    json_node_take_object(node, object);
    return node;
}

static void
set_member(const RecordField *field, gconstpointer record, JsonObject *object)
{
    if (!is_there(field, record)) {
        json_object_set_null_member(object, field->name);
        return;
    }
    if (field->node != NULL) {
        json_object_set_member(object, field->name, field->node(record));
        return;
    }
    switch (kind_of(field)) {
    case RECORD_REAL:
        json_object_set_double_member(object, field->name,
                                      *(const double *) member_of(field, record));
        break;
    case RECORD_BOOL:
        json_object_set_boolean_member(object, field->name,
                                       whole_of(field, record) != 0);
        break;
    case RECORD_TEXT: {
        g_autofree char *text = text_of(field, record);

        trace_json_set_text(object, field->name, text);
        break;
    }
    case RECORD_COUNT:
    case RECORD_WHOLE:
    case RECORD_INT:
        json_object_set_int_member(object, field->name, whole_of(field, record));
        break;
    }
}

void record_set(const RecordTable *self, gconstpointer record, JsonObject *object)
{
    for (gsize i = 0; i < self->count; i++) {
        if (self->fields[i].name != NULL) {
            set_member(&self->fields[i], record, object);
        }
    }
}

JsonObject *record_to_json(const RecordTable *self, gconstpointer record)
{
    JsonObject *object = json_object_new();

    record_set(self, record, object);
    return object;
}

/* For people; the caller frees it. */
static char *shown(const RecordField *field, gconstpointer record)
{
    CmdNumberText number;
    char *text;

    if (!is_there(field, record)) {
        return g_strdup("-");
    }
    if (field->words != NULL) {
        return field->words(record);
    }
    switch (kind_of(field)) {
    case RECORD_REAL:
        return g_strdup(cmd_number_text(number,
                                        field->format != NULL ? field->format : "%.6g",
                                        *(const double *) member_of(field, record)));
    case RECORD_TEXT:
        text = text_of(field, record);
        return text != NULL ? text : g_strdup("-");
    case RECORD_BOOL:
        return g_strdup(whole_of(field, record) != 0 ? "yes" : "no");
    case RECORD_COUNT:
    case RECORD_WHOLE:
    case RECORD_INT:
        break;
    }
    return g_strdup_printf("%" G_GINT64_FORMAT, whole_of(field, record));
}

Grid *record_grid_new(const RecordTable *self)
{
    g_autoptr(GPtrArray) headings = g_ptr_array_new();

    for (gsize i = 0; i < self->count; i++) {
        if (self->fields[i].heading != NULL) {
            g_ptr_array_add(headings, (gpointer) self->fields[i].heading);
        }
    }
    Grid *grid = grid_new(headings->len);

    grid_add(grid, (const char *const *) headings->pdata);
    return grid;
}

void record_add_to_grid(const RecordTable *self, gconstpointer record, Grid *grid)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

    for (gsize i = 0; i < self->count; i++) {
        if (self->fields[i].heading != NULL) {
            g_ptr_array_add(texts, shown(&self->fields[i], record));
        }
    }
    grid_add(grid, (const char *const *) texts->pdata);
}

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

JsonArray *record_texts(const char *const *texts, guint count)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < count; i++) {
        json_array_add_string_element(array, texts[i]);
    }
    return array;
}
