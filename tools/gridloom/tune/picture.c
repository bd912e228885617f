/* A tuning as a picture. */
#include "tools/gridloom/tune/study.h"
#include "traces/picture/choice_list.h"

/* Signs of the picture. */
enum {
    SIGN_NONE,
    SIGN_HAND,
    SIGN_MARKED,
};

/* The second goal lies along the horizontal axis. */
static void add_choices(const WlTuneGroup *group, TraceChoiceList *list)
{
    for (guint i = 0; i < group->points->len; i++) {
        const WlTunePoint *point = wl_tune_group_point(group, i);

        trace_choice_list_add(list, (TraceChoice){
                                        .x = point->values[1],
                                        .y = point->values[0],
                                        .name = point->name,
                                        .is_front = wl_tune_group_has_front(group, i),
                                        .is_chosen = (int) i == group->chosen,
                                        .sign = point->is_marked ? SIGN_MARKED
                                                : point->is_hand ? SIGN_HAND
                                                                 : SIGN_NONE,
                                    });
    }
}

static char *axis_words(const WlTuneGoal *goal)
{
    return g_strdup_printf("%s; %s is better", tune_goal_words(goal),
                           goal->is_maximum ? "more" : "less");
}

static void add_panel(const WlTuned *group, TraceChoiceList *list)
{
    const WlTuneGroup *windows = &group->windows;

    trace_choice_list_panel(list, "%s%schosen %s", group->name,
                            *group->name != '\0' ? ": " : "",
                            wl_tune_group_chosen(windows)->name);
    trace_choice_list_caption(
        list, "%u windows, %u on the front; %u do not run and are not there",
        wl_tune_group_count(windows, WL_TUNE_RAN), windows->front->len,
        wl_tune_group_count(windows, WL_TUNE_REFUSED) +
            wl_tune_group_count(windows, WL_TUNE_FAILED));
    add_choices(windows, list);
}

char *tune_to_svg(gconstpointer study)
{
    const TuneStudy *self = study;
    static const char *const signs[] = {"hand-picked", "marked", NULL};
    const TuneOptions *options = self->plan->options;
    g_autoptr(TraceChoiceList) list = trace_choice_list_new();
    g_autofree char *title = tune_title(self);
    g_autofree char *x = axis_words(&options->goals[1]);
    g_autofree char *y = axis_words(&options->goals[0]);
    g_autofree char *search = tune_search_text(self);
    g_autofree char *rule = wl_tune_rule_text(&self->tuned.task);
    g_autofree char *chosen = g_strconcat("chosen: ", rule, NULL);

    for (guint i = 0; i < self->tuned.groups->len; i++) {
        add_panel(wl_tune_study_group(&self->tuned, i), list);
    }
    trace_choice_list_note(list, "%s", search);
    return trace_choice_list_to_svg(
        list, (TraceChoices){.title = title,
                             .x = x,
                             .y = y,
                             .is_x_maximum = options->goals[1].is_maximum,
                             .signs = signs,
                             .chosen = chosen});
}
