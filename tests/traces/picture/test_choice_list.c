/* Candidates that are added one by one draw the same as those of a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/picture/choice_list.h"

static void a_list_draws_what_a_table_does(void **state)
{
    static const char *const signs[] = {NULL};
    static const char *const notes[] = {"1 of 2", "the end", NULL};
    static const TraceChoice first[] = {
        {.x = 1, .y = 2, .name = "small", .is_front = true}, {.x = 3, .y = 1}};
    static const TraceChoice second[] = {{.x = 5, .y = 5, .name = "large"}};
    static const TraceChoicePanel panels[] = {
        {.title = "a=1", .note = "2 windows", .choices = first, .choice_count = 2},
        {.title = "a=2", .choices = second, .choice_count = 1}};
    TraceChoices picture = {
        .title = "all", .x = "cost", .y = "rate", .signs = signs, .chosen = "best"};
    g_autoptr(TraceChoiceList) list = trace_choice_list_new();
    g_autofree char *name = g_strdup("small");
    TraceChoice named = first[0];

    (void) state;
    named.name = name;
    trace_choice_list_panel(list, "a=%d", 1);
    trace_choice_list_add(list, named);
    name[0] = 'S';
    trace_choice_list_add(list, first[1]);
    trace_choice_list_caption(list, "%d windows", 2);
    trace_choice_list_panel(list, "a=%d", 2);
    trace_choice_list_add(list, second[0]);
    trace_choice_list_note(list, "%d of %d", 1, 2);
    trace_choice_list_note(list, "the end");
    g_autofree char *from_list = trace_choice_list_to_svg(list, picture);

    picture.panels = panels;
    picture.panel_count = G_N_ELEMENTS(panels);
    picture.notes = notes;
    g_autofree char *from_table = trace_choices_to_svg(&picture);

    assert_string_equal(from_list, from_table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_draws_what_a_table_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
