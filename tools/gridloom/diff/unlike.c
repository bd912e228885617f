/* Compares what two runs were given. */
#include "tools/gridloom/diff/difference.h"
#include "traces/file/json_member.h"

static void clear_unlike(gpointer data)
{
    DiffUnlike *self = data;

    g_free(self->name);
    g_free(self->a);
    g_free(self->b);
}

/* Takes the texts. */
static void add(GArray *to, const char *name, char *a, char *b)
{
    const DiffUnlike item = {g_strdup(name), a, b};

    if (g_strcmp0(a, b) != 0) {
        g_array_append_val(to, item);
    } else {
        DiffUnlike same = item;

        clear_unlike(&same);
    }
}

/* A value as text; NULL: there is none. The caller frees it. */
static char *text_of(JsonObject *object, const char *member)
{
    JsonNode *node = object != NULL ? json_object_get_member(object, member) : NULL;

    if (node == NULL || JSON_NODE_HOLDS_NULL(node)) {
        return NULL;
    }
    if (JSON_NODE_HOLDS_VALUE(node) &&
        json_node_get_value_type(node) == G_TYPE_STRING) {
        return json_node_dup_string(node);
    }
    return json_to_string(node, FALSE);
}

static void add_members(GArray *to, const char *member, JsonObject *a, JsonObject *b)
{
    JsonObject *own = trace_json_object(a, member);
    JsonObject *other = trace_json_object(b, member);
    g_autoptr(GList) members = own != NULL ? json_object_get_members(own) : NULL;
    g_autoptr(GList) others = other != NULL ? json_object_get_members(other) : NULL;

    for (const GList *each = members; each != NULL; each = each->next) {
        g_autofree char *name = g_strdup_printf("%s.%s", member, (char *) each->data);

        add(to, name, text_of(own, each->data), text_of(other, each->data));
    }
    for (const GList *each = others; each != NULL; each = each->next) {
        g_autofree char *name = g_strdup_printf("%s.%s", member, (char *) each->data);

        if (own == NULL || !json_object_has_member(own, each->data)) {
            add(to, name, NULL, text_of(other, each->data));
        }
    }
}

/* Numbers that only B has are of another version; what they do shows in its results. */
static void add_chip_numbers(GArray *to, JsonObject *a, JsonObject *b)
{
    JsonArray *numbers = trace_json_array(a, "chip_parameters");
    JsonArray *others = trace_json_array(b, "chip_parameters");

    for (guint i = 0; others != NULL && i < trace_json_count(numbers); i++) {
        JsonObject *item = trace_json_item(numbers, i);
        const char *section = trace_json_string(item, "section", "");
        const char *key = trace_json_string(item, "key", "");
        g_autofree char *name = g_strdup_printf("%s.%s", section, key);

        add(to, name, g_strdup(trace_json_string(item, "value", NULL)),
            g_strdup(trace_json_chip_number(others, section, key)));
    }
}

GArray *diff_unlike(JsonObject *a, JsonObject *b)
{
    static const char *const members[] = {"chip", "system", "chips", "seed"};
    GArray *self = g_array_new(FALSE, FALSE, sizeof(DiffUnlike));

    g_array_set_clear_func(self, clear_unlike);
    for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
        add(self, members[i], text_of(a, members[i]), text_of(b, members[i]));
    }
    add_members(self, "parameters", a, b);
    if (g_strcmp0(trace_json_string(a, "chip", NULL),
                  trace_json_string(b, "chip", NULL)) == 0) {
        add_chip_numbers(self, a, b);
    }
    return self;
}
