/* A tuning for people. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/quantity.h"
#include "tools/gridloom/tune/result.h"

enum {
    INDENT = 2,
    REASONS_MOST = 5,
};

static const double hundred = 100;

/* How a value differs from that of the chosen window: "-12 %". */
static char *change_text(double value, double chosen)
{
    return isfinite(value) && chosen != 0
               ? g_strdup_printf("%+.3g %%", (value - chosen) / fabs(chosen) * hundred)
               : g_strdup("-");
}

static char *value_text(double value)
{
    return isfinite(value) ? g_strdup_printf("%.4g", value) : g_strdup("-");
}

static char *place_text(const TuneStudy *self, const TuneGroup *group, guint index)
{
    const TuneGoal *goals = self->plan->options->goals;
    const TunePoint *point = tune_point(group->points, index);
    const double distance =
        tune_front_distance(group->points, group->front, goals, point);
    const guint beaten = tune_front_beaten_by(group->points, goals, point);

    if (point->status != TUNE_RAN) {
        return g_strdup(point->why);
    }
    if (beaten == 0) {
        return g_strdup(tune_group_has_front(group, index)
                            ? "on the front"
                            : "no window of the front beats it");
    }
    if (isnan(distance)) {
        return g_strdup_printf("beaten by %u", beaten);
    }
    g_autofree char *both = quantity_percent(distance);
    g_autofree char *first = quantity_percent(
        tune_front_distance_alone(group->points, group->front, goals, point, 0));
    g_autofree char *second = quantity_percent(
        tune_front_distance_alone(group->points, group->front, goals, point, 1));

    return g_strdup_printf("%s from the front (%s alone %s, %s alone %s), beaten by %u",
                           both, goals[0].name, first, goals[1].name, second, beaten);
}

static void print_front(const TuneStudy *self, const TuneGroup *group)
{
    const TuneGoal *goals = self->plan->options->goals;
    g_autoptr(Grid) grid = grid_new(4);

    grid_add(grid, (const char *[]){"WINDOW", goals[0].name, goals[1].name, ""});
    for (guint i = 0; i < group->front->len; i++) {
        const guint index = g_array_index(group->front, guint, i);
        const TunePoint *point = tune_point(group->points, index);
        g_autofree char *first = value_text(point->values[0]);
        g_autofree char *second = value_text(point->values[1]);

        grid_add(grid, (const char *[]){point->name, first, second,
                                        (int) index == group->chosen ? "chosen" : ""});
    }
    grid_print(grid, stdout, INDENT);
}

static void print_guests(const TuneStudy *self, const TuneGroup *group, bool is_marked)
{
    const TuneGoal *goals = self->plan->options->goals;
    const TunePoint *chosen = tune_group_chosen(group);
    g_autoptr(Grid) grid = grid_new(6);
    bool is_any = false;

    grid_add(grid, (const char *[]){is_marked ? "MARKED" : "HAND-PICKED", goals[0].name,
                                    "to chosen", goals[1].name, "to chosen", ""});
    for (guint i = 0; i < group->points->len; i++) {
        const TunePoint *point = tune_point(group->points, i);

        if (!(is_marked ? point->is_marked : point->is_hand)) {
            continue;
        }
        g_autofree char *first = value_text(point->values[0]);
        g_autofree char *first_change =
            change_text(point->values[0], chosen->values[0]);
        g_autofree char *second = value_text(point->values[1]);
        g_autofree char *second_change =
            change_text(point->values[1], chosen->values[1]);
        g_autofree char *place = place_text(self, group, i);

        grid_add(grid, (const char *[]){point->name, first, first_change, second,
                                        second_change, place});
        is_any = true;
    }
    if (is_any) {
        printf("\n");
        grid_print(grid, stdout, INDENT);
    }
}

static void print_reasons(const TuneGroup *group)
{
    g_autoptr(GArray) reasons = tune_group_reasons(group);

    for (guint i = 0; i < MIN(reasons->len, REASONS_MOST); i++) {
        const TuneReason *reason = &g_array_index(reasons, TuneReason, i);

        printf("  %u %s: %s\n", reason->count,
               reason->status == TUNE_REFUSED ? "refused" : "failed", reason->example);
    }
    if (reasons->len > REASONS_MOST) {
        printf("  and for %u other reasons\n", reasons->len - REASONS_MOST);
    }
}

static void print_chosen(const TuneStudy *self, const TuneGroup *group)
{
    const TunePoint *chosen = tune_group_chosen(group);
    g_autofree char *rule = tune_rule_text(self);

    printf("  chosen is %s, %s\n", chosen->name, rule);
    if (group->run.why != NULL) {
        printf("  with data: %s\n", group->run.why);
    } else {
        printf("  with data: check %s, %s\n", tune_group_check(group),
               group->is_same ? "the same numbers" : "OTHER numbers than without");
    }
}

static void print_group(const TuneStudy *self, const TuneGroup *group)
{
    printf("\n%s%s%u windows ran, %u refused, %u failed; %u on the front\n",
           group->word, *group->word != '\0' ? ": " : "",
           tune_group_count(group, TUNE_RAN), tune_group_count(group, TUNE_REFUSED),
           tune_group_count(group, TUNE_FAILED), group->front->len);
    print_reasons(group);
    print_front(self, group);
    print_chosen(self, group);
    print_guests(self, group, false);
    print_guests(self, group, true);
}

void tune_print(const TuneStudy *self)
{
    g_autofree char *title = tune_title(self);
    g_autofree char *search = tune_search_text(self);
    g_autofree char *wall = quantity_seconds(self->wall_seconds);

    printf("%s\n%s\n", title, search);
    for (guint i = 0; i < self->groups->len; i++) {
        print_group(self, tune_study_group(self, i));
    }
    printf("\n%s\n", wall);
}
