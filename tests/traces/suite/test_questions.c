/* Tests of questions about runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "traces/suite/questions.h"

static const TraceQuestion seconds = {.words = "pcg rows=1", .field = "seconds"};
static const TraceQuestion twice = {.words = "pcg rows=1", .field = "seconds*2"};
static const TraceQuestion word = {
    .words = "pcg rows=1", .field = "check.status", .is_word = true};
static const TraceQuestion other = {.words = "dot", .field = "seconds"};

static TraceQuestions *asked(void)
{
    TraceQuestions *self = trace_questions_new();

    trace_questions_ask(self, &seconds);
    trace_questions_ask(self, &other);
    trace_questions_ask(self, &twice);
    trace_questions_ask(self, &word);
    return self;
}

static void equal_words_are_one_run(void **state)
{
    g_autoptr(TraceQuestions) self = asked();

    (void) state;
    assert_int_equal(trace_questions_count(self), 2);
    assert_string_equal(trace_questions_words(self, 0), "pcg rows=1");
    assert_string_equal(trace_questions_words(self, 1), "dot");
}

static void a_result_answers_all_questions_of_its_run(void **state)
{
    g_autoptr(TraceQuestions) self = asked();
    g_autoptr(JsonNode) node =
        json_from_string("{\"seconds\": 2, \"chip\": \"wse2\", \"check\": "
                         "{\"status\": \"pass\"}}",
                         NULL);

    (void) state;
    trace_questions_keep(self, 0, json_node_get_object(node), NULL);
    const TraceAnswer answer = trace_questions_answer(self, &twice);

    assert_null(answer.why);
    assert_true(answer.number == 4);
    assert_string_equal(answer.chip, "wse2");
    assert_string_equal(trace_questions_answer(self, &word).word, "pass");
}

static void a_run_that_failed_says_why(void **state)
{
    g_autoptr(TraceQuestions) self = asked();
    g_autoptr(JsonNode) node = json_from_string("{}", NULL);

    (void) state;
    trace_questions_keep(self, 0, json_node_get_object(node), NULL);
    trace_questions_keep(self, 1, NULL, "no such script");
    assert_non_null(trace_questions_answer(self, &seconds).why);
    assert_string_equal(trace_questions_answer(self, &other).why, "no such script");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_words_are_one_run),
        cmocka_unit_test(a_result_answers_all_questions_of_its_run),
        cmocka_unit_test(a_run_that_failed_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
