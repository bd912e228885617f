/* Combines axes: all values with all, or samples of them. */
#include "workloads/sweep/runs.h"

#include "sim/narrow.h"
#include "sim/random.h"
#include "workloads/error.h"
#include "workloads/sweep/axis.h"
#include "workloads/sweep/latin.h"

void sweep_runs_clear(SweepRuns *self)
{
    g_clear_pointer(&self->value_counts, g_free);
    g_clear_pointer(&self->leaders, g_free);
    g_clear_pointer(&self->picks, g_array_unref);
    g_clear_pointer(&self->kept, g_array_unref);
}

static bool refuse_count(double count, GError **error)
{
    g_set_error(error, WL_ERROR, WL_ERROR_FIT,
                "the axes make %.0f combinations, at most %d are looked at; take less "
                "values, or combine = \"random\" or \"latin\" with samples",
                count, WL_SWEEP_POINTS_MAXIMUM);
    return false;
}

static bool make_full(SweepRuns *self, const GArray *axes, GError **error)
{
    double count = 1;

    for (guint i = 0; i < axes->len; i++) {
        const SweepAxis *axis = &g_array_index(axes, SweepAxis, i);

        if (axis->is_open) {
            return wl_refuse(
                error,
                "axes[%u]: %s: has no values; a range without step or points "
                "is for combine = \"random\" or \"latin\"",
                i + 1, axis->name);
        }
        count *= axis->leader < 0 ? axis->values->len : 1;
    }
    if (count > WL_SWEEP_POINTS_MAXIMUM) {
        return refuse_count(count, error);
    }
    self->point_count = sim_u32(count);
    return true;
}

/* How far along its axis each point lies, 0 <= share < 1; the caller frees it. */
static double *sample_shares(SweepCombine combine, guint count, uint64_t *random)
{
    double *shares;

    if (combine == SWEEP_LATIN) {
        return wl_latin_shares(count, random);
    }
    shares = g_new(double, count);
    for (guint i = 0; i < count; i++) {
        shares[i] = sim_random_share(random);
    }
    return shares;
}

/* Gives an axis its value in each point. An open one has as many values as points. */
static void
sample_axis(SweepRuns *self, SweepAxis *axis, guint index, const double *shares)
{
    for (guint i = 0; i < self->point_count; i++) {
        guint32 *pick =
            &g_array_index(self->picks, guint32, (gsize) i * self->axis_count + index);

        if (axis->is_open) {
            const SweepValue value = sweep_range_at(&axis->range, shares[i]);

            *pick = i;
            g_array_append_val(axis->values, value);
        } else {
            *pick = MIN(sim_u32(shares[i] * axis->values->len), axis->values->len - 1);
        }
    }
}

static void make_samples(SweepRuns *self, GArray *axes, const SweepMix *mix)
{
    uint64_t random = mix->seed;

    self->point_count = mix->samples;
    self->picks = g_array_new(FALSE, TRUE, sizeof(guint32));
    g_array_set_size(self->picks, mix->samples * axes->len);
    for (guint i = 0; i < axes->len; i++) {
        g_autofree double *shares = sample_shares(mix->combine, mix->samples, &random);

        sample_axis(self, &g_array_index(axes, SweepAxis, i), i, shares);
    }
}

bool sweep_runs_make(SweepRuns *self, GArray *axes, const SweepMix *mix, GError **error)
{
    self->axis_count = axes->len;
    if (mix->combine == SWEEP_FULL) {
        if (!make_full(self, axes, error)) {
            return false;
        }
    } else {
        make_samples(self, axes, mix);
    }
    self->value_counts = g_new(guint, axes->len);
    self->leaders = g_new(int, axes->len);
    for (guint i = 0; i < axes->len; i++) {
        const SweepAxis *axis = &g_array_index(axes, SweepAxis, i);

        self->leaders[i] = axis->leader;
        self->value_counts[i] = axis->leader < 0 ? axis->values->len : 1;
    }
    return true;
}

guint sweep_runs_at_point(const SweepRuns *self, guint point, guint axis)
{
    guint rest = point;

    if (self->leaders[axis] >= 0) {
        return sweep_runs_at_point(self, point, sim_u32(self->leaders[axis]));
    }
    if (self->picks != NULL) {
        return g_array_index(self->picks, guint32,
                             (gsize) point * self->axis_count + axis);
    }
    for (guint i = self->axis_count - 1; i > axis; i--) {
        rest /= self->value_counts[i];
    }
    return rest % self->value_counts[axis];
}

void sweep_runs_keep_none(SweepRuns *self)
{
    g_clear_pointer(&self->kept, g_array_unref);
    self->kept = g_array_new(FALSE, FALSE, sizeof(guint32));
}

void sweep_runs_keep(SweepRuns *self, guint point)
{
    const guint32 kept = point;

    g_array_append_val(self->kept, kept);
}

guint sweep_runs_count(const SweepRuns *self)
{
    return self->kept != NULL ? self->kept->len : self->point_count;
}

guint sweep_runs_at(const SweepRuns *self, guint run, guint axis)
{
    const guint point =
        self->kept != NULL ? g_array_index(self->kept, guint32, run) : run;

    return sweep_runs_at_point(self, point, axis);
}
