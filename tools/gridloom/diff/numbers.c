/* Flattens a result object. */
#include "tools/gridloom/diff/numbers.h"

#include "traces/file/json_member.h"

struct DiffNumbers {
    GArray *numbers;     /* of DiffNumber */
    GHashTable *indices; /* by name, plus 1 */
};

/* Members of a result that say what was run, not what came out. */
static const char *const given[] = {
    "schema_version",  "gridloom",   "workload", "chip",  "chip_digest", "system",
    "chips",           "parameters", "seed",     "given", "chip_used",   "overrides",
    "chip_parameters", "host",       "inputs",   NULL,
};

static void clear_number(gpointer data)
{
    g_free(((DiffNumber *) data)->name);
}

DiffNumbers *diff_numbers_new(void)
{
    DiffNumbers *self = g_new(DiffNumbers, 1);

    *self = (DiffNumbers){
        .numbers = g_array_new(FALSE, FALSE, sizeof(DiffNumber)),
        .indices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    g_array_set_clear_func(self->numbers, clear_number);
    return self;
}

void diff_numbers_free(DiffNumbers *self)
{
    g_array_unref(self->numbers);
    g_hash_table_unref(self->indices);
    g_free(self);
}

guint diff_numbers_count(const DiffNumbers *self)
{
    return self->numbers->len;
}

const DiffNumber *diff_numbers_at(const DiffNumbers *self, guint index)
{
    return &g_array_index(self->numbers, DiffNumber, index);
}

static guint index_of(const DiffNumbers *self, const char *name)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(self->indices, name));
}

const DiffNumber *diff_numbers_find(const DiffNumbers *self, const char *name)
{
    const guint index = index_of(self, name);

    return index > 0 ? diff_numbers_at(self, index - 1) : NULL;
}

void diff_numbers_count_up(DiffNumbers *self, const char *name, double by)
{
    const guint index = index_of(self, name);

    if (index > 0) {
        g_array_index(self->numbers, DiffNumber, index - 1).value += by;
        return;
    }
    const DiffNumber number = {g_strdup(name), by};

    g_array_append_val(self->numbers, number);
    g_hash_table_insert(self->indices, g_strdup(name),
                        GUINT_TO_POINTER(self->numbers->len));
}

void diff_numbers_add(DiffNumbers *self, const DiffNumbers *other)
{
    for (guint i = 0; i < diff_numbers_count(other); i++) {
        const DiffNumber *number = diff_numbers_at(other, i);

        diff_numbers_count_up(self, number->name, number->value);
    }
}

/* Two of one name are told apart by a count. */
static void add(DiffNumbers *self, const char *name, double value)
{
    g_autofree char *own = g_strdup(name);

    for (guint i = 2; index_of(self, own) > 0; i++) {
        g_free(own);
        own = g_strdup_printf("%s #%u", name, i);
    }
    diff_numbers_count_up(self, own, value);
}

static void add_node(DiffNumbers *self, const char *name, JsonNode *node);

static void add_value(DiffNumbers *self, const char *name, JsonNode *node)
{
    switch (json_node_get_value_type(node)) {
    case G_TYPE_BOOLEAN:
        add(self, name, json_node_get_boolean(node) ? 1 : 0);
        break;
    case G_TYPE_INT64:
    case G_TYPE_DOUBLE:
        add(self, name, json_node_get_double(node));
        break;
    default:
        break;
    }
}

static void add_object(DiffNumbers *self, const char *name, JsonObject *object)
{
    g_autoptr(GList) members = json_object_get_members(object);

    for (const GList *each = members; each != NULL; each = each->next) {
        g_autofree char *own = g_strdup_printf("%s.%s", name, (char *) each->data);

        add_node(self, own, json_object_get_member(object, each->data));
    }
}

/* What a list calls its item; the caller frees it. */
static char *item_name(const char *list, JsonArray *array, guint index)
{
    JsonObject *item = trace_json_item(array, index);
    const char *name =
        trace_json_string(item, "name", trace_json_string(item, "part", NULL));

    return name != NULL ? g_strdup_printf("%s[%s]", list, name)
                        : g_strdup_printf("%s[%u]", list, index);
}

static void add_array(DiffNumbers *self, const char *name, JsonArray *array)
{
    for (guint i = 0; i < json_array_get_length(array); i++) {
        g_autofree char *own = item_name(name, array, i);

        add_node(self, own, json_array_get_element(array, i));
    }
}

static void add_node(DiffNumbers *self, const char *name, JsonNode *node)
{
    if (JSON_NODE_HOLDS_OBJECT(node)) {
        add_object(self, name, json_node_get_object(node));
    } else if (JSON_NODE_HOLDS_ARRAY(node)) {
        add_array(self, name, json_node_get_array(node));
    } else if (JSON_NODE_HOLDS_VALUE(node)) {
        add_value(self, name, node);
    }
}

void diff_numbers_add_result(DiffNumbers *self, JsonObject *result)
{
    const char *status =
        trace_json_string(trace_json_object(result, "check"), "status", NULL);
    g_autoptr(GList) members = json_object_get_members(result);

    for (const GList *each = members; each != NULL; each = each->next) {
        if (!g_strv_contains(given, each->data)) {
            add_node(self, each->data, json_object_get_member(result, each->data));
        }
    }
    if (status != NULL && !g_str_equal(status, "skipped")) {
        add(self, "check.pass", g_str_equal(status, "pass") ? 1 : 0);
    }
}
