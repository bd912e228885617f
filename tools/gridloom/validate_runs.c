/* Runs by their words, and numbers of their results. */
#include "tools/gridloom/validate_runs.h"

#include <math.h>

#include "tools/gridloom/run_process.h"
#include "traces/formula.h"

struct ValidateRuns {
    guint threads;
    GHashTable *runs; /* by their words, of RunProcess */
};

static void run_free(gpointer data)
{
    run_process_clear(data);
    g_free(data);
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

static RunProcess *start(const char *words, guint threads)
{
    RunProcess *self = g_new0(RunProcess, 1);
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) split = NULL;
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_autofree char *thread_count = g_strdup_printf("%u", threads);

    if (!g_shell_parse_argv(words, NULL, &split, &error)) {
        self->why = g_strdup(error->message);
        return self;
    }
    for (char **word = split; *word != NULL; word++) {
        g_ptr_array_add(all, *word);
    }
    g_ptr_array_add(all, (gpointer) "--threads");
    g_ptr_array_add(all, thread_count);
    g_ptr_array_add(all, NULL);
    *self = run_process_do((const char *const *) all->pdata);
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
    const RunProcess *run = g_hash_table_lookup(self->runs, words);

    g_return_val_if_fail(run != NULL, NULL);
    *why = run->why;
    return run->why == NULL ? json_node_get_object(run->result) : NULL;
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
