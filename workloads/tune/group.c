/* Tunes a group of windows, generation by generation. */
#include <math.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/tune/search.h"

static void point_clear(gpointer data)
{
    WlTunePoint *self = data;

    g_free(self->name);
    g_free(self->why);
}

void wl_tune_group_init(WlTuneGroup *self)
{
    self->points = g_array_new(FALSE, FALSE, sizeof(WlTunePoint));
    g_array_set_clear_func(self->points, point_clear);
    self->front = g_array_new(FALSE, FALSE, sizeof(guint));
    self->chosen = -1;
}

void wl_tune_group_clear(WlTuneGroup *self)
{
    g_clear_pointer(&self->points, g_array_unref);
    g_clear_pointer(&self->front, g_array_unref);
}

const WlTunePoint *wl_tune_group_point(const WlTuneGroup *self, guint index)
{
    return &g_array_index(self->points, WlTunePoint, index);
}

const WlTunePoint *wl_tune_group_chosen(const WlTuneGroup *self)
{
    return self->chosen >= 0 ? wl_tune_group_point(self, sim_u32(self->chosen)) : NULL;
}

guint wl_tune_group_count(const WlTuneGroup *self, WlTuneStatus status)
{
    guint count = 0;

    for (guint i = 0; i < self->points->len; i++) {
        const WlTunePoint *point = wl_tune_group_point(self, i);

        count += point->is_candidate && point->status == status;
    }
    return count;
}

bool wl_tune_group_has_front(const WlTuneGroup *self, guint index)
{
    for (guint i = 0; i < self->front->len; i++) {
        if (g_array_index(self->front, guint, i) == index) {
            return true;
        }
    }
    return false;
}

WlTunePlace
wl_tune_place(const WlTuneGroup *group, const WlTuneGoal goals[2], guint index)
{
    WlTunePlace place = wl_tune_front_place(group->points, group->front, goals,
                                            wl_tune_group_point(group, index));

    place.is_on_front = wl_tune_group_has_front(group, index);
    return place;
}

static void add_point(WlTuneGroup *self, WlTunePoint point)
{
    point.whole = point.window;
    point.values[0] = NAN;
    point.values[1] = NAN;
    g_array_append_val(self->points, point);
}

/* Numbers of the front's windows, for the search. */
static GArray *front_numbers(const WlTuneGroup *self)
{
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint64_t));

    for (guint i = 0; i < self->front->len; i++) {
        const guint index = g_array_index(self->front, guint, i);

        g_array_append_val(numbers, wl_tune_group_point(self, index)->number);
    }
    return numbers;
}

static bool
search(WlTuneGroup *self, guint group, const WlTuneTask *task, GError **error)
{
    g_autoptr(WlTuneSearch) search =
        wl_tune_search_new(task->space, task->limit, task->seed);

    for (;;) {
        g_autoptr(GArray) front = front_numbers(self);
        g_autoptr(GArray) numbers = wl_tune_search_next(search, front);
        const guint first = self->points->len;

        if (numbers->len == 0) {
            break;
        }
        for (guint i = 0; i < numbers->len; i++) {
            const uint64_t number = g_array_index(numbers, uint64_t, i);

            add_point(self,
                      (WlTunePoint){.window = wl_tune_space_window(task->space, number),
                                    .number = number,
                                    .is_candidate = true});
        }
        if (!task->run(task->data, group, self->points, first, error)) {
            return false;
        }
        g_array_unref(self->front);
        self->front = wl_tune_front_new(self->points, task->goals);
    }
    if (self->front->len == 0) {
        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "no window runs; the first, because: %s",
                    wl_tune_group_point(self, 0)->why);
        return false;
    }
    return true;
}

/* A window with the sizes that the first run tells where it has none. */
static WlTuneWindow fill_window(const WlTuneGroup *self, const WlTuneWindow *window)
{
    const WlTunePoint *first = NULL;
    WlTuneWindow whole = *window;

    for (guint i = 0; first == NULL && i < self->points->len; i++) {
        const WlTunePoint *point = wl_tune_group_point(self, i);

        first = point->status == WL_TUNE_RAN ? point : NULL;
    }
    for (guint i = 0; first != NULL && i < WL_TUNE_AXES; i++) {
        whole.sizes[i] = whole.sizes[i] > 0 ? whole.sizes[i] : first->whole.sizes[i];
    }
    return whole;
}

/* Points that did not run have the other sizes of those that did. */
static void fill_points(WlTuneGroup *self)
{
    for (guint i = 0; i < self->points->len; i++) {
        WlTunePoint *point = &g_array_index(self->points, WlTunePoint, i);

        if (point->status != WL_TUNE_RAN) {
            point->whole = fill_window(self, &point->window);
        }
        g_free(point->name);
        point->name = wl_tune_window_text(&point->whole);
    }
}

/* The point of a window, a new one where there is none. */
static WlTunePoint *point_of(WlTuneGroup *self, const WlTuneWindow *window)
{
    const WlTuneWindow whole = fill_window(self, window);

    for (guint i = 0; i < self->points->len; i++) {
        WlTunePoint *point = &g_array_index(self->points, WlTunePoint, i);

        if (wl_tune_window_equal(&whole, &point->whole)) {
            return point;
        }
    }
    add_point(self, (WlTunePoint){.window = *window});
    return &g_array_index(self->points, WlTunePoint, self->points->len - 1);
}

/* Runs the guests; they do not change the front. */
static bool
run_guests(WlTuneGroup *self, guint group, const WlTuneTask *task, GError **error)
{
    const guint first = self->points->len;

    for (guint i = 0; i < task->guests->len; i++) {
        const WlTuneGuest *guest = &g_array_index(task->guests, WlTuneGuest, i);

        if (guest->group < 0 || guest->group == sim_i32(group)) {
            WlTunePoint *point = point_of(self, &guest->window);

            point->is_hand = point->is_hand || !guest->is_marked;
            point->is_marked = point->is_marked || guest->is_marked;
        }
    }
    return task->run(task->data, group, self->points, first, error);
}

bool wl_tune_group_do(WlTuneGroup *self,
                      guint group,
                      const WlTuneTask *task,
                      GError **error)
{
    if (!search(self, group, task, error)) {
        return false;
    }
    fill_points(self);
    if (!run_guests(self, group, task, error)) {
        return false;
    }
    fill_points(self);
    self->chosen = wl_tune_front_choose(self->points, self->front, task->goals,
                                        task->within_percent);
    return true;
}

/* With every number as one sign; the caller frees it. */
static char *without_numbers(const char *text)
{
    GString *kind = g_string_new(NULL);

    for (const char *at = text; *at != '\0'; at++) {
        const bool is_number = g_ascii_isdigit(*at) ||
                               ((*at == '.' || *at == 'x') && g_ascii_isdigit(at[1]) &&
                                at > text && g_ascii_isdigit(at[-1]));

        if (!is_number) {
            g_string_append_c(kind, *at);
        } else if (kind->len == 0 || kind->str[kind->len - 1] != '#') {
            g_string_append_c(kind, '#');
        }
    }
    return g_string_free(kind, FALSE);
}

static int compare_reasons(gconstpointer a, gconstpointer b)
{
    const WlTuneReason *one = a;
    const WlTuneReason *two = b;

    return (one->count < two->count) - (one->count > two->count);
}

GArray *wl_tune_reasons(const WlTuneGroup *group)
{
    GArray *reasons = g_array_new(FALSE, FALSE, sizeof(WlTuneReason));
    g_autoptr(GHashTable) places =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < group->points->len; i++) {
        const WlTunePoint *point = wl_tune_group_point(group, i);
        gpointer place = NULL;

        if (!point->is_candidate || point->why == NULL) {
            continue;
        }
        char *kind = without_numbers(point->why);

        if (g_hash_table_lookup_extended(places, kind, NULL, &place)) {
            g_array_index(reasons, WlTuneReason, GPOINTER_TO_UINT(place)).count++;
            g_free(kind);
        } else {
            const WlTuneReason reason = {
                .example = point->why, .status = point->status, .count = 1};

            (void) g_hash_table_insert(places, kind, GUINT_TO_POINTER(reasons->len));
            g_array_append_val(reasons, reason);
        }
    }
    g_array_sort(reasons, compare_reasons); /* stable */
    return reasons;
}
