/* Sizes along axes, and windows of them. */
#include "tools/gridloom/tune/space.h"

#include <string.h>

#include "tools/gridloom/option_value.h"

static const char axis_names[TUNE_AXES + 1] = "xyz";

struct TuneSpace {
    guint axis_count;
    TuneAxis axes[TUNE_AXES];
    GArray *sizes[TUNE_AXES]; /* of guint, rising */
};

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

static bool is_candidate(guint size, guint domain, TuneSizes sizes)
{
    switch (sizes) {
    case TUNE_SIZES_POWERS:
        return (size & (size - 1)) == 0 || size == domain;
    case TUNE_SIZES_DIVISORS:
        return domain % size == 0;
    case TUNE_SIZES_ALL:
        return true;
    }
    return false;
}

static GArray *sizes_of(const TuneAxis *axis, TuneSizes sizes)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(guint));

    for (guint size = MAX(axis->least, 1); size <= MIN(axis->domain, axis->most);
         size++) {
        if (is_candidate(size, axis->domain, sizes)) {
            g_array_append_val(list, size);
        }
    }
    return list;
}

TuneSpace *
tune_space_new(const TuneAxis *axes, guint axis_count, TuneSizes sizes, GError **error)
{
    g_autoptr(TuneSpace) self = g_new0(TuneSpace, 1);
    uint64_t count = 1;

    g_return_val_if_fail(axis_count >= 1 && axis_count <= TUNE_AXES, NULL);
    for (guint i = 0; i < axis_count; i++) {
        const char name = axis_names[axes[i].axis];

        if (axes[i].domain > TUNE_SIZES_MOST) {
            (void) option_fail(error,
                               "n%c = %u: windows are tuned on grids of up to %d", name,
                               axes[i].domain, TUNE_SIZES_MOST);
            return NULL;
        }
        self->axes[i] = axes[i];
        self->sizes[i] = sizes_of(&axes[i], sizes);
        self->axis_count++;
        if (self->sizes[i]->len == 0) {
            (void) option_fail(error,
                               "--window: no size along %c; the grid has %u, and "
                               "window_%c takes %u..%u",
                               name, axes[i].domain, name, axes[i].least, axes[i].most);
            return NULL;
        }
        /* Two axes do not pass 2^40. */
        count *= self->sizes[i]->len;
    }
    if (count > G_MAXUINT32) {
        (void) option_fail(error, "--window: more than 2^32 windows; take --sizes "
                                  "powers or divisors");
        return NULL;
    }
    return g_steal_pointer(&self);
}

void tune_space_free(TuneSpace *self)
{
    if (self == NULL) {
        return;
    }
    for (guint i = 0; i < self->axis_count; i++) {
        g_array_unref(self->sizes[i]);
    }
    g_free(self);
}

guint tune_space_axis_count(const TuneSpace *self)
{
    return self->axis_count;
}

const TuneAxis *tune_space_axis(const TuneSpace *self, guint index)
{
    g_return_val_if_fail(index < self->axis_count, NULL);
    return &self->axes[index];
}

guint tune_space_size_count(const TuneSpace *self, guint index)
{
    g_return_val_if_fail(index < self->axis_count, 0);
    return self->sizes[index]->len;
}

uint64_t tune_space_count(const TuneSpace *self)
{
    uint64_t count = 1;

    for (guint i = 0; i < self->axis_count; i++) {
        count *= self->sizes[i]->len;
    }
    return count;
}

/* How far apart windows are that differ by one place along an axis. */
static uint64_t stride_of(const TuneSpace *self, guint index)
{
    uint64_t stride = 1;

    for (guint i = index + 1; i < self->axis_count; i++) {
        stride *= self->sizes[i]->len;
    }
    return stride;
}

guint tune_space_place(const TuneSpace *self, uint64_t number, guint index)
{
    return (guint) (number / stride_of(self, index) % self->sizes[index]->len);
}

uint64_t
tune_space_move(const TuneSpace *self, uint64_t number, guint index, guint place)
{
    const uint64_t stride = stride_of(self, index);

    return number - tune_space_place(self, number, index) * stride + place * stride;
}

TuneWindow tune_space_window(const TuneSpace *self, uint64_t number)
{
    TuneWindow window = {{0}};

    g_return_val_if_fail(number < tune_space_count(self), window);
    for (guint i = 0; i < self->axis_count; i++) {
        window.sizes[self->axes[i].axis] =
            g_array_index(self->sizes[i], guint, tune_space_place(self, number, i));
    }
    return window;
}

bool tune_window_parse(TuneWindow *self,
                       const TuneSpace *space,
                       const char *option,
                       const char *text,
                       GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "x", -1);
    const guint count = g_strv_length(parts);
    bool is_good = count == space->axis_count || count == TUNE_AXES;

    *self = (TuneWindow){{0}};
    for (guint i = 0; is_good && i < count; i++) {
        const guint axis = count == TUNE_AXES ? i : space->axes[i].axis;
        guint64 size = 0;

        is_good = g_ascii_string_to_unsigned(parts[i], 10, 1, G_MAXINT32, &size, NULL);
        self->sizes[axis] = (guint) size;
    }
    if (!is_good) {
        static const char *const examples[TUNE_AXES] = {"64", "64x2", "64x2x64"};
        g_autofree char *allowed = g_strdup_printf(
            "a size for each axis, as %s%s%s", examples[space->axis_count - 1],
            space->axis_count < TUNE_AXES ? " or " : "",
            space->axis_count < TUNE_AXES ? examples[TUNE_AXES - 1] : "");

        return option_refuse(option, text, allowed, error);
    }
    return true;
}

char *tune_window_text(const TuneWindow *self)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < TUNE_AXES; i++) {
        if (self->sizes[i] > 0) {
            g_string_append_printf(text, "%s%u", text->len > 0 ? "x" : "",
                                   self->sizes[i]);
        }
    }
    return g_string_free(text, FALSE);
}

bool tune_window_equal(const TuneWindow *self, const TuneWindow *other)
{
    return memcmp(self->sizes, other->sizes, sizeof self->sizes) == 0;
}
