/* Runs by their words, several at a time, and members of their results. */
#include "tools/gridloom/validate_runs.h"

#include <json-glib/json-glib.h>

#include "tools/gridloom/result_member.h"
#include "tools/gridloom/run_process.h"
#include "traces/json_member.h"

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
    GMutex lock;          /* of what follows */
    guint begun;
    Progress *progress;
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
    g_mutex_init(&self->lock);
    return self;
}

void validate_runs_free(ValidateRuns *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->by_words);
        g_ptr_array_unref(self->runs);
        g_mutex_clear(&self->lock);
        g_free(self);
    }
}

static Member *find_member(const Run *run, const ValidateQuestion *question)
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

void validate_runs_ask(ValidateRuns *self, const ValidateQuestion *question)
{
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

static RunProcess start(const ValidateRuns *self, const char *words)
{
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) split = NULL;
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_autofree char *threads = g_strdup_printf("%u", self->threads);
    const char *command = "run";
    char **word;

    if (!g_shell_parse_argv(words, NULL, &split, &error)) {
        return (RunProcess){.why = g_strdup(error->message)};
    }
    word = split;
    if (g_str_equal(word[0], "gridloom")) {
        command = word[1] != NULL ? word[1] : "";
        word += word[1] != NULL ? 2 : 1;
    }
    if (g_str_equal(command, "validate")) { /* a suite that runs itself has no end */
        return (RunProcess){.why = g_strdup("a validation runs no validations")};
    }
    for (; *word != NULL; word++) {
        g_ptr_array_add(all, *word);
    }
    if (g_str_equal(command, "run")) {
        g_ptr_array_add(all, (gpointer) "--threads");
        g_ptr_array_add(all, threads);
    }
    g_ptr_array_add(all, NULL);
    return run_process_do(command, (const char *const *) all->pdata);
}

static void read_result(Run *self, JsonObject *result)
{
    self->chip = g_strdup(trace_json_string(result, "chip", ""));
    self->chip_digest = g_strdup(trace_json_string(result, "chip_digest", ""));
    for (guint i = 0; self->why == NULL && i < self->members->len; i++) {
        read_member(&g_array_index(self->members, Member, i), result);
    }
}

/* A GFunc of a thread of its own. */
static void do_run(gpointer data, gpointer user_data)
{
    Run *run = data;
    ValidateRuns *self = user_data;

    g_autofree char *what = g_utf8_substring(
        run->words, 0, MIN(g_utf8_strlen(run->words, -1), PROGRESS_LETTERS));

    g_mutex_lock(&self->lock);
    self->begun++;
    progress_step(self->progress, self->begun, self->runs->len, what);
    g_mutex_unlock(&self->lock);
    g_auto(RunProcess) process = start(self, run->words);

    run->why = g_steal_pointer(&process.why);
    if (process.result != NULL) {
        read_result(run, json_node_get_object(process.result));
    }
}

void validate_runs_do(ValidateRuns *self, Progress *progress)
{
    GThreadPool *pool = g_thread_pool_new(do_run, self, (gint) self->jobs, TRUE, NULL);

    self->progress = progress;
    for (guint i = 0; i < self->runs->len; i++) {
        (void) g_thread_pool_push(pool, g_ptr_array_index(self->runs, i), NULL);
    }
    g_thread_pool_free(pool, FALSE, TRUE);
}

ValidateAnswer validate_runs_answer(const ValidateRuns *self,
                                    const ValidateQuestion *question)
{
    const Run *run = g_hash_table_lookup(self->by_words, question->words);
    const Member *member = find_member(run, question);

    g_return_val_if_fail(member != NULL, (ValidateAnswer){.why = "was not asked for"});
    return (ValidateAnswer){.why = run->why != NULL ? run->why : member->why,
                            .number = member->number,
                            .word = member->word,
                            .chip = run->chip,
                            .chip_digest = run->chip_digest};
}
