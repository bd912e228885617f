/* Starts runs and reads their results. */
#include "tools/gridloom/validate_runs.h"

#include <math.h>
#include <string.h>
#include <sys/wait.h>

#include "traces/formula.h"

typedef struct {
    JsonNode *result; /* NULL where there is none */
    char *why;        /* it failed; NULL where it did not */
} Run;

struct ValidateRuns {
    guint threads;
    GHashTable *runs; /* by their words, of Run */
};

static void run_free(gpointer data)
{
    Run *self = data;

    g_clear_pointer(&self->result, json_node_unref);
    g_free(self->why);
    g_free(self);
}

ValidateRuns *validate_runs_new(guint threads)
{
    ValidateRuns *self = g_new0(ValidateRuns, 1);

    self->threads = threads;
    self->runs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, run_free);
    return self;
}

void validate_runs_free(ValidateRuns *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->runs);
        g_free(self);
    }
}

/* The line with which the program complained, without its name; scripts may have
 * printed others before it. */
static char *complaint_in(const char *text, int status)
{
    static const char *const prefix = "gridloom: ";
    const char *found = g_str_has_prefix(text, prefix) ? text : NULL;
    const char *line = strstr(text, "\ngridloom: ");

    found = line != NULL ? line + 1 : found;
    if (found == NULL) {
        return WIFEXITED(status)
                   ? g_strdup_printf("the run ended with code %d", WEXITSTATUS(status))
                   : g_strdup_printf("the run was ended by signal %d",
                                     WTERMSIG(status));
    }
    found += strlen(prefix);
    g_autofree char *first = g_strndup(found, strcspn(found, "\n"));

    return g_utf8_make_valid(first, -1);
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

/* program run WORDS --threads N --json - -q */
static char **command_of(const char *words, guint threads, GError **error)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", error);
    g_auto(GStrv) split = NULL;
    GPtrArray *command;

    if (program == NULL || !g_shell_parse_argv(words, NULL, &split, error)) {
        return NULL;
    }
    command = g_ptr_array_new();
    g_ptr_array_add(command, g_steal_pointer(&program));
    g_ptr_array_add(command, g_strdup("run"));
    for (char **word = split; *word != NULL; word++) {
        g_ptr_array_add(command, g_strdup(*word));
    }
    g_ptr_array_add(command, g_strdup("--threads"));
    g_ptr_array_add(command, g_strdup_printf("%u", threads));
    g_ptr_array_add(command, g_strdup("--json"));
    g_ptr_array_add(command, g_strdup("-"));
    g_ptr_array_add(command, g_strdup("-q"));
    g_ptr_array_add(command, NULL);
    return (char **) g_ptr_array_free(command, FALSE);
}

static Run *start(const char *words, guint threads)
{
    Run *self = g_new0(Run, 1);
    g_autoptr(GError) error = NULL;
    g_autofree char *out = NULL;
    g_autofree char *complaints = NULL;
    g_auto(GStrv) command = command_of(words, threads, &error);
    int status = 0;

    if (command == NULL || !g_spawn_sync(NULL, command, NULL, G_SPAWN_DEFAULT, NULL,
                                         NULL, &out, &complaints, &status, &error)) {
        self->why = g_strdup(error->message);
    } else if (status != 0) {
        self->why = complaint_in(complaints, status);
    } else {
        self->result = parse(out);
        self->why = self->result != NULL ? NULL : g_strdup("the run gave no result");
    }
    return self;
}

void validate_runs_do(ValidateRuns *self, const char *words)
{
    if (!g_hash_table_contains(self->runs, words)) {
        g_hash_table_insert(self->runs, g_strdup(words), start(words, self->threads));
    }
}

JsonObject *
validate_runs_result(const ValidateRuns *self, const char *words, const char **why)
{
    const Run *run = g_hash_table_lookup(self->runs, words);

    g_return_val_if_fail(run != NULL, NULL);
    *why = run->why;
    return run->result != NULL ? json_node_get_object(run->result) : NULL;
}

guint validate_runs_count(const ValidateRuns *self)
{
    return g_hash_table_size(self->runs);
}

/* A TraceFormulaFunc; `data` is a result. */
static bool read_member(gpointer data, const char *path, double *value)
{
    g_auto(GStrv) names = g_strsplit(path, ".", -1);
    JsonObject *object = data;

    for (guint i = 0; names[i] != NULL; i++) {
        JsonNode *node = json_object_get_member(object, names[i]);

        if (node == NULL) {
            return false;
        }
        if (names[i + 1] == NULL) {
            GType type = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_value_type(node)
                                                     : G_TYPE_INVALID;

            *value = type == G_TYPE_INT64 || type == G_TYPE_DOUBLE
                         ? json_node_get_double(node)
                         : NAN;
            return isfinite(*value);
        }
        if (!JSON_NODE_HOLDS_OBJECT(node)) {
            return false;
        }
        object = json_node_get_object(node);
    }
    return false;
}

bool validate_runs_number(JsonObject *result,
                          const char *field,
                          double *value,
                          GError **error)
{
    if (!trace_formula_value(field, read_member, result, value, error)) {
        g_prefix_error(error, "the result: ");
        return false;
    }
    return true;
}
