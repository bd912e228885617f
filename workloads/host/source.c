/* Reads source files for results. */
#include "workloads/host/source.h"

enum {
    SOURCE_LINES = 5000, /* of a file that results have, at most */
    SHOWN_LETTERS = 44,  /* of a line in a table */
};

void host_source_add(JsonObject *sources, const char *file, const char *text)
{
    g_autofree char *read = NULL;
    JsonArray *lines;

    if (json_object_has_member(sources, file)) {
        return;
    }
    if (text == NULL && (!g_file_get_contents(file, &read, NULL, NULL) ||
                         !g_utf8_validate(read, -1, NULL))) {
        return;
    }
    g_auto(GStrv) parts =
        g_strsplit(text != NULL ? text : read, "\n", SOURCE_LINES + 1);

    lines = json_array_new();
    for (guint i = 0; i < SOURCE_LINES && parts[i] != NULL; i++) {
        json_array_add_string_element(lines, parts[i]);
    }
    json_object_set_array_member(sources, file, lines);
}

char *host_source_line(JsonObject *sources, const char *file, guint line)
{
    JsonArray *texts = json_object_has_member(sources, file)
                           ? json_object_get_array_member(sources, file)
                           : NULL;
    g_autofree char *text = NULL;

    if (texts == NULL || line == 0 || line > json_array_get_length(texts)) {
        return g_strdup("");
    }
    text = g_strstrip(g_strdup(json_array_get_string_element(texts, line - 1)));
    if (g_utf8_strlen(text, -1) <= SHOWN_LETTERS) {
        return g_steal_pointer(&text);
    }
    *g_utf8_offset_to_pointer(text, SHOWN_LETTERS - 3) = '\0';
    return g_strconcat(text, "...", NULL);
}
