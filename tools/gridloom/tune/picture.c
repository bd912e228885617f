/* A tuning as a picture. */
#include "tools/gridloom/tune/study.h"
#include "traces/picture/choices.h"

/* Signs of the picture. */
enum {
    SIGN_NONE,
    SIGN_HAND,
    SIGN_MARKED,
};

/* The second goal lies along the horizontal axis. */
static GArray *choices_of(const WlTuneGroup *group)
{
    GArray *choices = g_array_new(FALSE, FALSE, sizeof(TraceChoice));

    for (guint i = 0; i < group->points->len; i++) {
        const WlTunePoint *point = wl_tune_group_point(group, i);
        TraceChoice choice = {.x = point->values[1],
                              .y = point->values[0],
                              .name = point->name,
                              .is_front = wl_tune_group_has_front(group, i),
                              .is_chosen = (int) i == group->chosen};

        if (point->is_marked) {
            choice.sign = SIGN_MARKED;
        } else if (point->is_hand) {
            choice.sign = SIGN_HAND;
        }
        g_array_append_val(choices, choice);
    }
    return choices;
}

static char *axis_words(const WlTuneGoal *goal)
{
    return g_strdup_printf("%s; %s is better", tune_goal_words(goal),
                           goal->is_maximum ? "more" : "less");
}

static TraceChoicePanel
panel_of(const WlTuned *group, GPtrArray *lists, GPtrArray *texts)
{
    const WlTuneGroup *windows = &group->windows;
    GArray *choices = choices_of(windows);
    char *title =
        g_strdup_printf("%s%schosen %s", group->name, *group->name != '\0' ? ": " : "",
                        wl_tune_group_chosen(windows)->name);
    char *note =
        g_strdup_printf("%u windows, %u on the front; %u do not run and are not there",
                        wl_tune_group_count(windows, WL_TUNE_RAN), windows->front->len,
                        wl_tune_group_count(windows, WL_TUNE_REFUSED) +
                            wl_tune_group_count(windows, WL_TUNE_FAILED));

    g_ptr_array_add(lists, choices);
    g_ptr_array_add(texts, title);
    g_ptr_array_add(texts, note);
    return (TraceChoicePanel){.title = title,
                              .note = note,
                              .choices = (const TraceChoice *) (gpointer) choices->data,
                              .choice_count = choices->len};
}

char *tune_to_svg(gconstpointer study)
{
    const TuneStudy *self = study;
    static const char *const signs[] = {"hand-picked", "marked", NULL};
    const TuneOptions *options = self->plan->options;
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) lists =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    g_autofree TraceChoicePanel *panels =
        g_new0(TraceChoicePanel, self->tuned.groups->len);
    g_autofree char *title = tune_title(self);
    g_autofree char *x = axis_words(&options->goals[1]);
    g_autofree char *y = axis_words(&options->goals[0]);
    g_autofree char *search = tune_search_text(self);
    g_autofree char *rule = wl_tune_rule_text(&self->tuned.task);
    g_autofree char *chosen = g_strconcat("chosen: ", rule, NULL);
    const char *const notes[] = {search, NULL};

    for (guint i = 0; i < self->tuned.groups->len; i++) {
        panels[i] = panel_of(wl_tune_study_group(&self->tuned, i), lists, texts);
    }
    return trace_choices_to_svg(
        &(TraceChoices){.title = title,
                        .x = x,
                        .y = y,
                        .is_x_maximum = options->goals[1].is_maximum,
                        .signs = signs,
                        .chosen = chosen,
                        .panels = panels,
                        .panel_count = self->tuned.groups->len,
                        .notes = notes});
}
