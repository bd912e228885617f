/* Windows as words of a script: window_x and so on, on a grid of nx and so on. */
#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/tune.h"

static const char axis_names[WL_TUNE_AXES + 1] = "xyz";

static const WlParam *find_word(const WlScript *script, const char *name)
{
    for (guint i = 0; i < wl_script_param_count(script); i++) {
        const WlParam *param = wl_script_param(script, i);

        if (g_str_equal(param->name, name) && param->type == WL_PARAM_INTEGER) {
            return param;
        }
    }
    return NULL;
}

static guint clamp_size(double value)
{
    return value >= G_MAXINT32 ? G_MAXINT32 : value > 0 ? sim_u32(value) : 0;
}

/* `where` is what the script and its chip are called. */
static bool
read_axis(const WlScript *script, const char *where, WlTuneAxis *axis, GError **error)
{
    const char name = axis_names[axis->axis];
    g_autofree char *window = g_strdup_printf("window_%c", name);
    g_autofree char *size = g_strdup_printf("n%c", name);
    const WlParam *word = find_word(script, window);
    const WlParam *domain = find_word(script, size);
    guint64 number = 0;

    if (word == NULL || domain == NULL) {
        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "%s: no whole number %s; windows along %c are the "
                    "words window_%c and n%c of a script",
                    where, word == NULL ? window : size, name, name, name);
        return false;
    }
    if (!g_ascii_string_to_unsigned(domain->value_text, 10, 1, G_MAXINT32, &number,
                                    NULL)) {
        return sim_fail(error, WL_ERROR, WL_ERROR_FIT,
                        "%s = %s: windows are tuned on grids of 1 and more", size,
                        domain->value_text);
    }
    axis->domain = sim_u32(number);
    axis->least = word->has_range ? clamp_size(word->minimum) : 1;
    axis->most = word->has_range ? clamp_size(word->maximum) : G_MAXINT32;
    return true;
}

WlTuneSpace *wl_tune_space_of_script(const WlScript *script,
                                     const char *where,
                                     guint mask,
                                     WlTuneSizes sizes,
                                     GError **error)
{
    WlTuneAxis axes[WL_TUNE_AXES];
    guint count = 0;

    for (guint i = 0; i < WL_TUNE_AXES; i++) {
        if ((mask & 1U << i) != 0) {
            axes[count] = (WlTuneAxis){.axis = i};
            if (!read_axis(script, where, &axes[count], error)) {
                return NULL;
            }
            count++;
        }
    }
    return wl_tune_space_new(axes, count, sizes, error);
}

void wl_tune_usual_guests(const WlTuneSpace *space, GArray *guests)
{
    static const guint sizes[] = {8, 16, 32, 64};

    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        WlTuneGuest guest = {.group = -1};
        bool is_good = true;

        for (guint k = 0; k < wl_tune_space_axis_count(space); k++) {
            const WlTuneAxis *axis = wl_tune_space_axis(space, k);

            guest.window.sizes[axis->axis] = sizes[i];
            is_good = is_good && sizes[i] <= axis->domain;
        }
        if (is_good) {
            g_array_append_val(guests, guest);
        }
    }
}

void wl_tune_window_add_words(const WlTuneWindow *self, GPtrArray *words)
{
    for (guint i = 0; i < WL_TUNE_AXES; i++) {
        if (self->sizes[i] > 0) {
            g_ptr_array_add(
                words, g_strdup_printf("window_%c=%u", axis_names[i], self->sizes[i]));
        }
    }
}
