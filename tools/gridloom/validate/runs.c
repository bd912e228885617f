/* Runs by their words, several at a time, and members of their results. */
#include "tools/gridloom/validate/runs.h"

#include <json-glib/json-glib.h>

#include "tools/gridloom/run/batch.h"
#include "traces/file/json_member.h"
#include "traces/suite/member.h"

enum {
    PROGRESS_LETTERS = 60, /* of a run's words, so that the line is one */
};

/* A member that somebody asked for. */
typedef struct {
    const char *field; /* borrowed */
    bool is_word;
    double number;
    char *word;
    char *why; /* it is not there */
} Member;

typedef struct {
    const char *words; /* borrowed */
    GArray *members;   /* of Member */
    char *why;         /* the run failed */
    char *chip;
    char *chip_digest;
} Run;

struct ValidateRuns {
    guint threads;
    guint jobs;
    GHashTable *by_words; /* of Run */
    GPtrArray *runs;      /* the same, in the order of questions */
};

static void member_clear(gpointer data)
{
    Member *self = data;

    g_free(self->word);
    g_free(self->why);
}

static void run_free(gpointer data)
{
    Run *self = data;

    g_array_unref(self->members);
    g_free(self->why);
    g_free(self->chip);
    g_free(self->chip_digest);
    g_free(self);
}

static Run *run_new(const char *words)
{
    Run *self = g_new0(Run, 1);

    self->words = words;
    self->members = g_array_new(FALSE, FALSE, sizeof(Member));
    g_array_set_clear_func(self->members, member_clear);
    return self;
}

ValidateRuns *validate_runs_new(guint threads, guint jobs)
{
    ValidateRuns *self = g_new0(ValidateRuns, 1);

    self->threads = threads;
    self->jobs = jobs;
    self->by_words = g_hash_table_new(g_str_hash, g_str_equal);
    self->runs = g_ptr_array_new_with_free_func(run_free);
    return self;
}

void validate_runs_free(ValidateRuns *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->by_words);
        g_ptr_array_unref(self->runs);
        g_free(self);
    }
}

static Member *find_member(const Run *run, const TraceQuestion *question)
{
    for (guint i = 0; run != NULL && i < run->members->len; i++) {
        Member *member = &g_array_index(run->members, Member, i);

        if (member->is_word == question->is_word &&
            g_str_equal(member->field, question->field)) {
            return member;
        }
    }
    return NULL;
}

void validate_runs_ask(gpointer runs, const TraceQuestion *question)
{
    ValidateRuns *self = runs;
    Run *run = g_hash_table_lookup(self->by_words, question->words);

    if (run == NULL) {
        run = run_new(question->words);
        g_ptr_array_add(self->runs, run);
        g_hash_table_insert(self->by_words, (gpointer) run->words, run);
    }
    if (find_member(run, question) == NULL) {
        Member member = {.field = question->field, .is_word = question->is_word};

        g_array_append_val(run->members, member);
    }
}

guint validate_runs_count(const ValidateRuns *self)
{
    return self->runs->len;
}

static void read_member(Member *self, JsonObject *result)
{
    g_autoptr(GError) error = NULL;

    if (self->is_word) {
        self->word = result_word(result, self->field, &error);
    } else {
        (void) result_number(result, self->field, &self->number, &error);
    }
    self->why = error != NULL ? g_strdup(error->message) : NULL;
}

/* The command that the words of a run mean. Fails where there is none. The caller frees
 * it. */
static char **command_of(const ValidateRuns *self, const char *words, GError **error)
{
    g_auto(GStrv) split = NULL;
    GPtrArray *all = NULL;
    const char *command = "run";
    char **word;

    if (!g_shell_parse_argv(words, NULL, &split, error)) {
        return NULL;
    }
    word = split;
    if (g_str_equal(word[0], "gridloom")) {
        command = word[1] != NULL ? word[1] : "";
        word += word[1] != NULL ? 2 : 1;
    }
    if (g_str_equal(command, "validate")) { /* a suite that runs itself has no end */
        g_set_error_literal(error, G_SHELL_ERROR, G_SHELL_ERROR_FAILED,
                            "a validation runs no validations");
        return NULL;
    }
    all = g_ptr_array_new();
    g_ptr_array_add(all, g_strdup(command));
    for (; *word != NULL; word++) {
        g_ptr_array_add(all, g_strdup(*word));
    }
    if (g_str_equal(command, "run")) {
        g_ptr_array_add(all, g_strdup("--threads"));
        g_ptr_array_add(all, g_strdup_printf("%u", self->threads));
    }
    g_ptr_array_add(all, NULL);
    return (char **) g_ptr_array_free(all, FALSE);
}

static void read_result(Run *self, JsonObject *result)
{
    self->chip = g_strdup(trace_json_string(result, "chip", ""));
    self->chip_digest = g_strdup(trace_json_string(result, "chip_digest", ""));
    for (guint i = 0; self->why == NULL && i < self->members->len; i++) {
        read_member(&g_array_index(self->members, Member, i), result);
    }
}

/* The runs that can be begun, and how far they are. */
typedef struct {
    GPtrArray *runs; /* of Run, borrowed */
    Progress *progress;
} Work;

static void tell_begun(gpointer data, guint index)
{
    const Work *self = data;
    const char *words = ((const Run *) g_ptr_array_index(self->runs, index))->words;
    g_autofree char *what =
        g_utf8_substring(words, 0, MIN(g_utf8_strlen(words, -1), PROGRESS_LETTERS));

    progress_step(self->progress, index + 1, self->runs->len, what);
}

static void keep_result(gpointer data, guint index, CmdRunProcess *process)
{
    const Work *self = data;
    Run *run = g_ptr_array_index(self->runs, index);

    run->why = g_steal_pointer(&process->why);
    if (process->result != NULL) {
        read_result(run, json_node_get_object(process->result));
    }
}

void validate_runs_do(ValidateRuns *self, Progress *progress)
{
    g_autoptr(GPtrArray) commands =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
    g_autoptr(GPtrArray) runs = g_ptr_array_new();
    Work work = {.runs = runs, .progress = progress};
    const CmdRunBatch batch = {.runs = commands,
                               .jobs = self->jobs,
                               .begun = tell_begun,
                               .done = keep_result,
                               .data = &work};

    for (guint i = 0; i < self->runs->len; i++) {
        Run *run = g_ptr_array_index(self->runs, i);
        g_autoptr(GError) error = NULL;
        char **command = command_of(self, run->words, &error);

        if (command == NULL) {
            run->why = g_strdup(error->message);
            continue;
        }
        g_ptr_array_add(commands, command);
        g_ptr_array_add(runs, run);
    }
    (void) cmd_run_batch_do(&batch);
}

TraceAnswer validate_runs_answer(gconstpointer runs, const TraceQuestion *question)
{
    const ValidateRuns *self = runs;
    const Run *run = g_hash_table_lookup(self->by_words, question->words);
    const Member *member = find_member(run, question);

    g_return_val_if_fail(member != NULL, (TraceAnswer){.why = "was not asked for"});
    return (TraceAnswer){.why = run->why != NULL ? run->why : member->why,
                         .number = member->number,
                         .word = member->word,
                         .chip = run->chip,
                         .chip_digest = run->chip_digest};
}
