/* Sizes along axes, and windows of them. */
#include <string.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/tune/search.h"

static const char axis_names[WL_TUNE_AXES + 1] = "xyz";

struct WlTuneSpace {
    guint axis_count;
    WlTuneAxis axes[WL_TUNE_AXES];
    GArray *sizes[WL_TUNE_AXES]; /* of guint, rising */
};

static bool is_candidate(guint size, guint domain, WlTuneSizes sizes)
{
    switch (sizes) {
    case WL_TUNE_POWERS:
        return (size & (size - 1)) == 0 || size == domain;
    case WL_TUNE_DIVISORS:
        return domain % size == 0;
    case WL_TUNE_ALL:
        return true;
    }
    return false;
}

static GArray *sizes_of(const WlTuneAxis *axis, WlTuneSizes sizes)
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

WlTuneSpace *wl_tune_space_new(const WlTuneAxis *axes,
                               guint axis_count,
                               WlTuneSizes sizes,
                               GError **error)
{
    g_autoptr(WlTuneSpace) self = g_new0(WlTuneSpace, 1);
    uint64_t count = 1;

    g_return_val_if_fail(axis_count >= 1 && axis_count <= WL_TUNE_AXES, NULL);
    for (guint i = 0; i < axis_count; i++) {
        const char name = axis_names[axes[i].axis];

        if (axes[i].domain > WL_TUNE_SIZES_MOST) {
            g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                        "n%c = %u: windows are tuned on grids of up to %d", name,
                        axes[i].domain, WL_TUNE_SIZES_MOST);
            return NULL;
        }
        self->axes[i] = axes[i];
        self->sizes[i] = sizes_of(&axes[i], sizes);
        self->axis_count++;
        if (self->sizes[i]->len == 0) {
            g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                        "--window: no size along %c; the grid has %u, and "
                        "window_%c takes %u..%u",
                        name, axes[i].domain, name, axes[i].least, axes[i].most);
            return NULL;
        }
        /* Two axes do not pass 2^40. */
        count *= self->sizes[i]->len;
    }
    if (count > G_MAXUINT32) {
        g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                    "--window: more than 2^32 windows; take --sizes "
                    "powers or divisors");
        return NULL;
    }
    return g_steal_pointer(&self);
}

void wl_tune_space_free(WlTuneSpace *self)
{
    if (self != NULL) {
        for (guint i = 0; i < self->axis_count; i++) {
            g_array_unref(self->sizes[i]);
        }
        g_free(self);
    }
}

guint wl_tune_space_axis_count(const WlTuneSpace *self)
{
    return self->axis_count;
}

const WlTuneAxis *wl_tune_space_axis(const WlTuneSpace *self, guint index)
{
    g_return_val_if_fail(index < self->axis_count, NULL);
    return &self->axes[index];
}

guint wl_tune_space_size_count(const WlTuneSpace *self, guint index)
{
    g_return_val_if_fail(index < self->axis_count, 0);
    return self->sizes[index]->len;
}

uint64_t wl_tune_space_count(const WlTuneSpace *self)
{
    uint64_t count = 1;

    for (guint i = 0; i < self->axis_count; i++) {
        count *= self->sizes[i]->len;
    }
    return count;
}

/* How far apart windows are that differ by one place along an axis. */
static uint64_t stride_of(const WlTuneSpace *self, guint index)
{
    uint64_t stride = 1;

    for (guint i = index + 1; i < self->axis_count; i++) {
        stride *= self->sizes[i]->len;
    }
    return stride;
}

guint wl_tune_space_place(const WlTuneSpace *self, uint64_t number, guint index)
{
    return sim_u32(number / stride_of(self, index) % self->sizes[index]->len);
}

uint64_t
wl_tune_space_move(const WlTuneSpace *self, uint64_t number, guint index, guint place)
{
    const uint64_t stride = stride_of(self, index);

    return number - wl_tune_space_place(self, number, index) * stride + place * stride;
}

WlTuneWindow wl_tune_space_window(const WlTuneSpace *self, uint64_t number)
{
    WlTuneWindow window = {{0}};

    g_return_val_if_fail(number < wl_tune_space_count(self), window);
    for (guint i = 0; i < self->axis_count; i++) {
        window.sizes[self->axes[i].axis] =
            g_array_index(self->sizes[i], guint, wl_tune_space_place(self, number, i));
    }
    return window;
}

char *wl_tune_window_text(const WlTuneWindow *self)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < WL_TUNE_AXES; i++) {
        if (self->sizes[i] > 0) {
            g_string_append_printf(text, "%s%u", text->len > 0 ? "x" : "",
                                   self->sizes[i]);
        }
    }
    return g_string_free(text, FALSE);
}

bool wl_tune_window_equal(const WlTuneWindow *self, const WlTuneWindow *other)
{
    return memcmp(self->sizes, other->sizes, sizeof self->sizes) == 0;
}
