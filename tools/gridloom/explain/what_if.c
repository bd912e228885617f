/* Repeats runs in processes of their own, from what their results say of them. */
#include "tools/gridloom/explain/what_if.h"

#include <math.h>

#include "arch/chipfile/params.h"
#include "traces/error.h"
#include "workloads/batch.h"
#include "workloads/chip_file.h"

enum {
    LEAST_SHARE = 100, /* a part that is worth a run has one of so many cycles */
};

static const char *text_of(JsonObject *object, const char *name)
{
    return json_object_get_string_member_with_default(object, name, NULL);
}

static JsonObject *object_of(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);

    return node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node)
                                                        : NULL;
}

static double number_of(JsonObject *object, const char *name)
{
    return json_object_get_double_member_with_default(object, name, (double) NAN);
}

/* A value as it is given on a command line; the caller frees it. */
static char *value_text(JsonNode *node)
{
    return JSON_NODE_HOLDS_VALUE(node) &&
                   json_node_get_value_type(node) == G_TYPE_STRING
               ? g_strdup(json_node_get_string(node))
               : json_to_string(node, FALSE);
}

/* "name=value" for each member, after the option unless that is NULL. */
static void add_members(GPtrArray *words, const char *option, JsonObject *object)
{
    g_autoptr(GList) members = object == NULL ? NULL : json_object_get_members(object);

    for (GList *at = members; at != NULL; at = at->next) {
        g_autofree char *value = value_text(json_object_get_member(object, at->data));
        g_autofree char *word =
            g_strdup_printf("%s=%s", (const char *) at->data, value);

        wl_words_option(words, option, word);
    }
}

char *explain_inputs(JsonObject *result)
{
    GPtrArray *words = g_ptr_array_new();
    g_auto(GStrv) all = NULL;

    add_members(words, "--in", object_of(result, "inputs"));
    all = wl_words_end(words);
    return all[0] == NULL ? NULL : g_strjoinv(" ", all);
}

static char **words_of(const ExplainAgain *self, const char *keys, bool is_timing_only)
{
    GPtrArray *words = g_ptr_array_new();
    g_auto(GStrv) changed = g_strsplit_set(keys == NULL ? "" : keys, " ,", -1);
    JsonObject *result = self->result;

    g_ptr_array_add(words, g_strdup("run"));
    g_ptr_array_add(
        words,
        g_strdup(self->script != NULL ? self->script : text_of(result, "workload")));
    add_members(words, NULL, object_of(result, "given"));
    wl_words_option(words, "--chip",
                    self->chip != NULL ? self->chip : text_of(result, "chip"));
    wl_words_option(words, "--system", text_of(result, "system"));
    add_members(words, "--set", object_of(result, "overrides"));
    for (char **key = changed; *key != NULL; key++) {
        wl_words_option(words, "--set", **key == '\0' ? NULL : *key);
    }
    wl_words_count(
        words, "--seed",
        (uint64_t) json_object_get_int_member_with_default(result, "seed", 1));
    wl_words_option(words, NULL, is_timing_only ? "--timing-only" : NULL);
    wl_words_option(words, NULL, "--quiet");
    return wl_words_end(words);
}

static void trial_clear(gpointer data)
{
    ExplainTrial *self = data;

    g_free(self->keys);
    g_free(self->failure);
}

GArray *explain_trials_new(void)
{
    GArray *self = g_array_new(FALSE, TRUE, sizeof(ExplainTrial));

    g_array_set_clear_func(self, trial_clear);
    return self;
}

static void add_trial(GArray *trials, const char *keys)
{
    const ExplainTrial trial = {.keys = g_strdup(keys), .cycles = (double) NAN};

    g_array_append_val(trials, trial);
}

/* Runs under way. */
typedef struct {
    const ExplainAgain *again;
    GArray *trials;
    guint done;
} Work;

static bool is_stopping(gpointer data)
{
    const Work *self = data;

    return watchdog_is_stopping(self->again->watchdog);
}

static void keep(gpointer data, guint index, WlProcess *process)
{
    Work *self = data;
    ExplainTrial *trial = &g_array_index(self->trials, ExplainTrial, index);
    JsonObject *result = wl_process_result(process);

    g_clear_pointer(&trial->failure, g_free);
    trial->cycles = (double) NAN;
    if (result != NULL && process->why == NULL) {
        trial->cycles = number_of(result, "cycles");
    } else {
        trial->failure =
            g_strdup(process->why != NULL ? process->why : "it gave no result");
    }
    progress_runs(self->again->progress, ++self->done, self->trials->len, 0);
}

static bool
do_runs(const ExplainAgain *self, GArray *trials, bool is_timing_only, GError **error)
{
    g_autoptr(GPtrArray) runs = wl_batch_runs_new();
    Work work = {.again = self, .trials = trials};
    const WlBatch batch = {.runs = runs,
                           .jobs = self->jobs,
                           .done = keep,
                           .is_stopping = is_stopping,
                           .data = &work};

    for (guint i = 0; i < trials->len; i++) {
        g_ptr_array_add(runs,
                        words_of(self, g_array_index(trials, ExplainTrial, i).keys,
                                 is_timing_only));
    }
    return wl_batch_do(&batch) ||
           sim_fail(error, SIM_ERROR, SIM_ERROR_STOPPED, "stopped");
}

/* Whether the run gives the cycles that it gave; else a run with data may. */
static bool find_way(const ExplainAgain *self, bool *is_timing_only, GError **error)
{
    const double cycles = number_of(self->result, "cycles");
    g_autoptr(GArray) first = explain_trials_new();
    const ExplainTrial *trial;

    add_trial(first, "");
    trial = &g_array_index(first, ExplainTrial, 0);
    for (guint i = 0; i < 2; i++) {
        *is_timing_only = i == 0;
        if (!do_runs(self, first, *is_timing_only, error)) {
            return false;
        }
        if (trial->failure == NULL && trial->cycles == cycles) {
            return true;
        }
    }
    if (trial->failure != NULL) {
        return trace_refuse(error,
                            "the run cannot be repeated: %s; give --script, "
                            "--chip or --no-what-if",
                            trial->failure);
    }
    return trace_refuse(error,
                        "the run takes %.0f cycles now, not %.0f: script, chip or "
                        "version are not the same; give --script, --chip or "
                        "--no-what-if",
                        trial->cycles, cycles);
}

/* Whether the chip takes the keys and values of each wish beside those of the run. A
 * chip that is not found is told of when the run is repeated. */
static bool check_wishes(const ExplainAgain *self, char *const *wishes, GError **error)
{
    for (char *const *wish = wishes; wish != NULL && *wish != NULL; wish++) {
        GPtrArray *words = g_ptr_array_new();
        g_auto(GStrv) keys = g_strsplit(*wish, ",", -1);
        g_auto(GStrv) all = NULL;
        g_autoptr(ArchParams) params = wl_chip_load_to_run(
            self->chip != NULL ? self->chip : text_of(self->result, "chip"), NULL);

        add_members(words, NULL, object_of(self->result, "overrides"));
        wl_words_each(words, NULL, keys);
        all = wl_words_end(words);
        for (char **key = all; params != NULL && *key != NULL; key++) {
            if (!arch_params_override(params, *key, error)) {
                g_prefix_error(error, "--what-if: ");
                return false;
            }
        }
    }
    return true;
}

/* The family by the numbers that the result has of its chip. */
static char *family_of(JsonObject *result)
{
    JsonNode *node = json_object_get_member(result, "chip_parameters");
    JsonArray *numbers =
        node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

    for (guint i = 0; numbers != NULL && i < json_array_get_length(numbers); i++) {
        JsonNode *each = json_array_get_element(numbers, i);
        JsonObject *number =
            JSON_NODE_HOLDS_OBJECT(each) ? json_node_get_object(each) : NULL;

        if (number != NULL && g_strcmp0(text_of(number, "section"), "chip") == 0 &&
            g_strcmp0(text_of(number, "key"), "family") == 0) {
            return g_strdup(text_of(number, "value"));
        }
    }
    return g_strdup("");
}

/* Parts that are worth a run, as trials; `of` gets the number of each part's, and 1.
 * What else can be removed of them goes to `more`. */
static void plan(const ExplainAgain *self,
                 ExplainParts *parts,
                 GArray *trials,
                 guint *of,
                 GPtrArray *more)
{
    g_autofree char *family = family_of(self->result);

    for (guint i = 0; i < parts->parts->len; i++) {
        ExplainPart *part = explain_part_at(parts, i);
        const char *keys = explain_keys(family, part->kind, 0);

        if (keys == NULL || part->cycles < parts->cycles / LEAST_SHARE) {
            continue;
        }
        part->without = g_strdup(keys);
        add_trial(trials, keys);
        of[i] = trials->len;
        for (guint n = 1; (keys = explain_keys(family, part->kind, n)) != NULL; n++) {
            g_ptr_array_add(more, (gpointer) keys);
        }
    }
}

/* The trials from `first` on are what the user wished for, and more of parts. */
static void keep_wishes(const GArray *all, guint first, GArray *trials)
{
    for (guint i = first; i < all->len; i++) {
        const ExplainTrial *trial = &g_array_index(all, ExplainTrial, i);
        const ExplainTrial kept = {.keys = g_strdup(trial->keys),
                                   .cycles = trial->cycles,
                                   .failure = g_strdup(trial->failure)};

        g_array_append_val(trials, kept);
    }
}

bool explain_again(const ExplainAgain *self,
                   ExplainParts *parts,
                   char *const *wishes,
                   GArray *trials,
                   GError **error)
{
    g_autoptr(GArray) all = explain_trials_new();
    g_autofree guint *of = g_new0(guint, parts->parts->len + 1);
    g_autoptr(GPtrArray) more = g_ptr_array_new();
    bool is_timing_only = true;

    plan(self, parts, all, of, more);
    const guint first = all->len; /* of the wishes */

    for (char *const *wish = wishes; wish != NULL && *wish != NULL; wish++) {
        add_trial(all, *wish);
    }
    for (guint i = 0; i < more->len; i++) {
        add_trial(all, g_ptr_array_index(more, i));
    }
    if (all->len == 0) {
        return true;
    }
    if (!check_wishes(self, wishes, error) || !find_way(self, &is_timing_only, error) ||
        !do_runs(self, all, is_timing_only, error)) {
        return false;
    }
    for (guint i = 0; i < parts->parts->len; i++) {
        ExplainPart *part = explain_part_at(parts, i);
        const ExplainTrial *trial =
            of[i] == 0 ? NULL : &g_array_index(all, ExplainTrial, of[i] - 1);

        if (trial != NULL) {
            part->gain = (double) parts->cycles - trial->cycles;
            part->failure = g_strdup(trial->failure);
        }
    }
    keep_wishes(all, first, trials);
    return true;
}
