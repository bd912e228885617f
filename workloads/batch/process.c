/* Starts runs and reads their results. */
#include "workloads/process.h"

#include <string.h>
#include <sys/wait.h>

#include "sim/narrow.h"

JsonObject *wl_process_result(const WlProcess *self)
{
    return self->result != NULL ? json_node_get_object(self->result) : NULL;
}

const char *wl_process_check(const WlProcess *self)
{
    JsonObject *result = wl_process_result(self);
    JsonNode *check = result != NULL ? json_object_get_member(result, "check") : NULL;
    JsonNode *status =
        check != NULL && JSON_NODE_HOLDS_OBJECT(check)
            ? json_object_get_member(json_node_get_object(check), "status")
            : NULL;

    return status != NULL && JSON_NODE_HOLDS_VALUE(status)
               ? json_node_get_string(status)
               : NULL;
}

bool wl_process_is_refused(const WlProcess *self)
{
    return self->code == WL_EXIT_INPUT || self->code == WL_EXIT_UNMODELLED;
}

void wl_process_clear(WlProcess *self)
{
    g_clear_pointer(&self->result, json_node_unref);
    g_clear_pointer(&self->why, g_free);
}

static JsonNode *parse(const char *text)
{
    g_autoptr(JsonParser) parser = json_parser_new();

    if (!json_parser_load_from_data(parser, text, -1, NULL) ||
        json_parser_get_root(parser) == NULL ||
        !JSON_NODE_HOLDS_OBJECT(json_parser_get_root(parser))) {
        return NULL;
    }
    return json_parser_steal_root(parser);
}

char **wl_process_command(const char *command, const char *const *words, GError **error)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", error);
    const char *const *word = words;
    GPtrArray *line;

    if (program == NULL) {
        return NULL;
    }
    line = g_ptr_array_new();
    g_ptr_array_add(line, g_steal_pointer(&program));
    g_ptr_array_add(line, g_strdup(command));
    for (; *word != NULL && !g_str_equal(*word, "--"); word++) {
        g_ptr_array_add(line, g_strdup(*word));
    }
    g_ptr_array_add(line, g_strdup("--json"));
    g_ptr_array_add(line, g_strdup("-"));
    for (; *word != NULL; word++) { /* what is behind "--" is no option */
        g_ptr_array_add(line, g_strdup(*word));
    }
    g_ptr_array_add(line, NULL);
    return (char **) g_ptr_array_free(line, FALSE);
}

WlProcess wl_process_read(const char *out, const char *complaints, int status)
{
    WlProcess self = {.code =
                          WIFEXITED(status) ? WEXITSTATUS(status) : WL_EXIT_STOPPED};

    self.result = parse(out);
    if (status != 0) {
        self.why = wl_process_complaint(complaints, status);
    } else if (self.result == NULL) {
        self.why = g_strdup("the run gave no result");
        self.code = WL_EXIT_STOPPED;
    }
    return self;
}

/* A limit that only `gridloom run` has an option for: who started the run has none. */
static char *name_command(const char *line)
{
    static const char *const options[] = {"(--limit-cycles)", "(--limit-memory)",
                                          "(--limit-steps)", "(--livelock-cycles)"};

    for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
        const char *at = strstr(line, options[i]);

        if (at != NULL) {
            return g_strdup_printf("%.*s(an option of gridloom run: %s",
                                   sim_i32(at - line), line, at + 1);
        }
    }
    return g_strdup(line);
}

char *wl_process_complaint(const char *complaints, int status)
{
    static const char *const prefix = "gridloom: ";
    const char *found = g_str_has_prefix(complaints, prefix) ? complaints : NULL;
    /* Scripts may have printed others before it. */
    const char *line = strstr(complaints, "\ngridloom: ");

    found = line != NULL ? line + 1 : found;
    if (found == NULL) {
        return WIFEXITED(status)
                   ? g_strdup_printf("the run ended with code %d", WEXITSTATUS(status))
                   : g_strdup_printf("the run was ended by signal %d",
                                     WTERMSIG(status));
    }
    found += strlen(prefix);
    g_autofree char *first = g_strndup(found, strcspn(found, "\n"));
    g_autofree char *valid = g_utf8_make_valid(first, -1);

    return name_command(valid);
}

WlProcess wl_process_do(const char *command, const char *const *words)
{
    WlProcess self = {.code = WL_EXIT_STOPPED};
    g_autoptr(GError) error = NULL;
    g_autofree char *out = NULL;
    g_autofree char *complaints = NULL;
    g_auto(GStrv) line = wl_process_command(command, words, &error);
    int status = 0;

    if (line == NULL || !g_spawn_sync(NULL, line, NULL, G_SPAWN_DEFAULT, NULL, NULL,
                                      &out, &complaints, &status, &error)) {
        self.why = g_strdup(error->message);
        return self;
    }
    return wl_process_read(out, complaints, status);
}
