/* A tuning as a picture. */
#include "tools/gridloom/tune/result.h"
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
    static const struct {
        const char *name;
        const char *words;
    } known[] = {
        {"performance", "performance, GFLOP/s"},
        {"resources", "resources, % of the chip, mean of all kinds"},
        {"energy", "energy efficiency, GFLOP/s/W"},
        {"bram", "BRAM, % of the chip"},
        {"uram", "URAM, % of the chip"},
        {"dsp", "DSP, % of the chip"},
        {"ff", "flip-flops, % of the chip"},
        {"lut", "LUT, % of the chip"},
        {"seconds", "time, s"},
    };
    const char *words = goal->name;

    for (gsize i = 0; i < G_N_ELEMENTS(known); i++) {
        words = g_str_equal(known[i].name, goal->name) ? known[i].words : words;
    }
    return g_strdup_printf("%s; %s is better", words,
                           goal->is_maximum ? "more" : "less");
}

static char *panel_title(const TuneGroup *group)
{
    return g_strdup_printf("%s%schosen %s", group->word,
                           *group->word != '\0' ? ": " : "",
                           wl_tune_group_chosen(&group->windows)->name);
}

static char *panel_note(const WlTuneGroup *group)
{
    const guint left_out = wl_tune_group_count(group, WL_TUNE_REFUSED) +
                           wl_tune_group_count(group, WL_TUNE_FAILED);

    return g_strdup_printf("%u windows, %u on the front; %u do not run and are not "
                           "there",
                           wl_tune_group_count(group, WL_TUNE_RAN), group->front->len,
                           left_out);
}

char *tune_to_svg(const TuneStudy *self)
{
    static const char *const signs[] = {"hand-picked", "marked", NULL};
    const TuneOptions *options = self->plan->options;
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) lists =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    g_autofree TraceChoicePanel *panels = g_new0(TraceChoicePanel, self->groups->len);
    g_autofree char *title = tune_title(self);
    g_autofree char *x = axis_words(&options->goals[1]);
    g_autofree char *y = axis_words(&options->goals[0]);
    g_autofree char *search = tune_search_text(self);
    g_autofree char *rule = tune_rule_text(self);
    g_autofree char *chosen = g_strconcat("chosen: ", rule, NULL);
    const char *const notes[] = {search, NULL};

    for (guint i = 0; i < self->groups->len; i++) {
        const TuneGroup *group = tune_study_group(self, i);
        GArray *choices = choices_of(&group->windows);

        g_ptr_array_add(lists, choices);
        g_ptr_array_add(texts, panel_title(group));
        g_ptr_array_add(texts, panel_note(&group->windows));
        panels[i] = (TraceChoicePanel){
            .title = g_ptr_array_index(texts, texts->len - 2),
            .note = g_ptr_array_index(texts, texts->len - 1),
            .choices = (const TraceChoice *) (gpointer) choices->data,
            .choice_count = choices->len};
    }
    return trace_choices_to_svg(
        &(TraceChoices){.title = title,
                        .x = x,
                        .y = y,
                        .is_x_maximum = options->goals[1].is_maximum,
                        .signs = signs,
                        .chosen = chosen,
                        .panels = panels,
                        .panel_count = self->groups->len,
                        .notes = notes});
}
