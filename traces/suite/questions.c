/* Keeps the questions about runs, and reads the answers from their results. */
#include "traces/suite/questions.h"

#include "traces/file/json_member.h"
#include "traces/suite/member.h"

/* A requested member. */
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

struct TraceQuestions {
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

TraceQuestions *trace_questions_new(void)
{
    TraceQuestions *self = g_new(TraceQuestions, 1);

    *self = (TraceQuestions){.by_words = g_hash_table_new(g_str_hash, g_str_equal),
                             .runs = g_ptr_array_new_with_free_func(run_free)};
    return self;
}

void trace_questions_free(TraceQuestions *self)
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

void trace_questions_ask(gpointer questions, const TraceQuestion *question)
{
    TraceQuestions *self = questions;
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

guint trace_questions_count(const TraceQuestions *self)
{
    return self->runs->len;
}

const char *trace_questions_words(const TraceQuestions *self, guint run)
{
    return ((const Run *) g_ptr_array_index(self->runs, run))->words;
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

void trace_questions_keep(TraceQuestions *self,
                          guint run,
                          JsonObject *result,
                          const char *why)
{
    Run *kept = g_ptr_array_index(self->runs, run);

    kept->why = g_strdup(why);
    if (result == NULL) {
        return;
    }
    kept->chip = g_strdup(trace_json_string(result, "chip", ""));
    kept->chip_digest = g_strdup(trace_json_string(result, "chip_digest", ""));
    for (guint i = 0; why == NULL && i < kept->members->len; i++) {
        read_member(&g_array_index(kept->members, Member, i), result);
    }
}

TraceAnswer trace_questions_answer(gconstpointer questions,
                                   const TraceQuestion *question)
{
    const TraceQuestions *self = questions;
    const Run *run = g_hash_table_lookup(self->by_words, question->words);
    const Member *member = find_member(run, question);

    g_return_val_if_fail(member != NULL, (TraceAnswer){.why = "was not asked for"});
    return (TraceAnswer){.why = run->why != NULL ? run->why : member->why,
                         .number = member->number,
                         .word = member->word,
                         .chip = run->chip,
                         .chip_digest = run->chip_digest};
}
