/* Reads windows. */
#include "tools/gridloom/tune/window.h"

#include <string.h>

#include "tools/gridloom/option_value.h"

static const char axis_names[WL_TUNE_AXES + 1] = "xyz";

bool tune_axes_parse(const char *text, guint *mask, GError **error)
{
    static const char *const allowed = "axes of x, y, z, each once: x,y or x,y,z";
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);

    *mask = 0;
    for (char **part = parts; *part != NULL; part++) {
        const char *at = strlen(*part) == 1 ? strchr(axis_names, **part) : NULL;
        const guint bit = at != NULL ? 1U << (at - axis_names) : 0;

        if (bit == 0 || (*mask & bit) != 0) {
            return option_refuse("--window", text, allowed, error);
        }
        *mask |= bit;
    }
    return *mask != 0 || option_refuse("--window", text, allowed, error);
}

bool tune_window_parse(WlTuneWindow *self,
                       const WlTuneSpace *space,
                       const char *option,
                       const char *text,
                       GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "x", -1);
    const guint count = g_strv_length(parts);
    const guint axis_count = wl_tune_space_axis_count(space);
    bool is_good = count == axis_count || count == WL_TUNE_AXES;

    *self = (WlTuneWindow){{0}};
    for (guint i = 0; is_good && i < count; i++) {
        const guint axis =
            count == WL_TUNE_AXES ? i : wl_tune_space_axis(space, i)->axis;
        guint64 size = 0;

        is_good = g_ascii_string_to_unsigned(parts[i], 10, 1, G_MAXINT32, &size, NULL);
        self->sizes[axis] = (guint) size;
    }
    if (!is_good) {
        static const char *const examples[WL_TUNE_AXES] = {"64", "64x2", "64x2x64"};
        g_autofree char *allowed = g_strdup_printf(
            "a size for each axis, as %s%s%s", examples[axis_count - 1],
            axis_count < WL_TUNE_AXES ? " or " : "",
            axis_count < WL_TUNE_AXES ? examples[WL_TUNE_AXES - 1] : "");

        return option_refuse(option, text, allowed, error);
    }
    return true;
}
