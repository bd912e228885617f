/* A tuning for people, and in words. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/tune/study.h"
#include "traces/file/quantity.h"
#include "traces/table/grid.h"

enum {
    INDENT = 2,
    REASONS_MOST = 5,
};

char *tune_title(const TuneStudy *self)
{
    const TuneOptions *options = self->plan->options;
    const WlTuneGoal *goals = options->goals;
    g_autofree char *axes = wl_tune_axes_text(self->plan->space);

    return g_strdup_printf("%s on %s: windows along %s; %s (%s) and %s (%s)",
                           options->name, self->plan->chip, axes, goals[0].name,
                           wl_tune_goal_way(&goals[0]), goals[1].name,
                           wl_tune_goal_way(&goals[1]));
}

char *tune_search_text(const TuneStudy *self)
{
    const TuneOptions *options = self->plan->options;

    return wl_tune_search_text(&self->tuned.task, options->sizes,
                               self->plan->group_count > 1 ? options->by : NULL);
}

/* How a value differs from that of the chosen window: "-12 %". */
static char *change_text(double value, double chosen)
{
    return isfinite(value) && chosen != 0
               ? g_strdup_printf("%+.3g %%", (value - chosen) / fabs(chosen) * 100)
               : g_strdup("-");
}

static char *place_text(const TuneStudy *self, const WlTuneGroup *group, guint index)
{
    const WlTuneGoal *goals = self->plan->options->goals;
    const WlTunePoint *point = wl_tune_group_point(group, index);
    const WlTunePlace place = wl_tune_place(group, goals, index);

    if (point->status != WL_TUNE_RAN) {
        return g_strdup(point->why);
    }
    if (place.beaten_by == 0) {
        return g_strdup(place.is_on_front ? "on the front"
                                          : "no window of the front beats it");
    }
    if (isnan(place.percent)) {
        return g_strdup_printf("beaten by %u", place.beaten_by);
    }
    g_autofree char *both = quantity_percent(place.percent);
    g_autofree char *first = quantity_percent(place.percent_alone[0]);
    g_autofree char *second = quantity_percent(place.percent_alone[1]);

    return g_strdup_printf("%s from the front (%s alone %s, %s alone %s), beaten by %u",
                           both, goals[0].name, first, goals[1].name, second,
                           place.beaten_by);
}

static void print_front(const TuneStudy *self, const WlTuneGroup *group)
{
    const WlTuneGoal *goals = self->plan->options->goals;
    g_autoptr(Grid) grid = grid_new(4);

    grid_add(grid, (const char *[]){"WINDOW", goals[0].name, goals[1].name, ""});
    for (guint i = 0; i < group->front->len; i++) {
        const guint index = g_array_index(group->front, guint, i);
        const WlTunePoint *point = wl_tune_group_point(group, index);

        grid_printf(grid, "%s|%.4g|%.4g|%s", point->name, point->values[0],
                    point->values[1], (int) index == group->chosen ? "chosen" : "");
    }
    grid_print(grid, stdout, INDENT);
}

static void
print_guests(const TuneStudy *self, const WlTuneGroup *group, bool is_marked)
{
    const WlTuneGoal *goals = self->plan->options->goals;
    const WlTunePoint *chosen = wl_tune_group_chosen(group);
    g_autoptr(Grid) grid = grid_new(6);
    bool is_any = false;

    grid_add(grid, (const char *[]){is_marked ? "MARKED" : "HAND-PICKED", goals[0].name,
                                    "to chosen", goals[1].name, "to chosen", ""});
    for (guint i = 0; i < group->points->len; i++) {
        const WlTunePoint *point = wl_tune_group_point(group, i);

        if (!(is_marked ? point->is_marked : point->is_hand)) {
            continue;
        }
        g_autofree char *first = change_text(point->values[0], chosen->values[0]);
        g_autofree char *second = change_text(point->values[1], chosen->values[1]);
        g_autofree char *place = place_text(self, group, i);

        grid_printf(grid, "%s|%.4g|%s|%.4g|%s|%s", point->name, point->values[0], first,
                    point->values[1], second, place);
        is_any = true;
    }
    if (is_any) {
        printf("\n");
        grid_print(grid, stdout, INDENT);
    }
}

static void print_reasons(const WlTuneGroup *group)
{
    g_autoptr(GArray) reasons = wl_tune_reasons(group);

    for (guint i = 0; i < MIN(reasons->len, REASONS_MOST); i++) {
        const WlTuneReason *reason = &g_array_index(reasons, WlTuneReason, i);

        printf("  %u %s: %s\n", reason->count,
               reason->status == WL_TUNE_REFUSED ? "refused" : "failed",
               reason->example);
    }
    if (reasons->len > REASONS_MOST) {
        printf("  and for %u other reasons\n", reasons->len - REASONS_MOST);
    }
}

static void print_chosen(const TuneStudy *self, const WlTuned *group)
{
    const WlTunePoint *chosen = wl_tune_group_chosen(&group->windows);
    g_autofree char *rule = wl_tune_rule_text(&self->tuned.task);

    printf("  chosen is %s, %s\n", chosen->name, rule);
    if (group->run.why != NULL) {
        printf("  with data: %s\n", group->run.why);
    } else {
        printf("  with data: check %s, %s\n", wl_process_check(&group->run),
               group->is_same ? "the same numbers" : "OTHER numbers than without");
    }
}

static void print_group(const TuneStudy *self, const WlTuned *group)
{
    const WlTuneGroup *windows = &group->windows;

    printf("\n%s%s%u windows ran, %u refused, %u failed; %u on the front\n",
           group->name, *group->name != '\0' ? ": " : "",
           wl_tune_group_count(windows, WL_TUNE_RAN),
           wl_tune_group_count(windows, WL_TUNE_REFUSED),
           wl_tune_group_count(windows, WL_TUNE_FAILED), windows->front->len);
    print_reasons(windows);
    print_front(self, windows);
    print_chosen(self, group);
    print_guests(self, windows, false);
    print_guests(self, windows, true);
}

void tune_print(const TuneStudy *self)
{
    g_autofree char *title = tune_title(self);
    g_autofree char *search = tune_search_text(self);
    g_autofree char *wall = quantity_seconds(self->wall_seconds);

    printf("%s\n%s\n", title, search);
    for (guint i = 0; i < self->tuned.groups->len; i++) {
        print_group(self, wl_tune_study_group(&self->tuned, i));
    }
    printf("\n%s\n", wall);
}
