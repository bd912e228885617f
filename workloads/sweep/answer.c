/* Answers as bytes. */
#include "workloads/sweep/run.h"

/* run, status, error, are there metrics, these, worker, seconds. */
#define FORM "(uymsmassd)"

void sweep_answer_clear(WlSweepAnswer *self)
{
    g_clear_pointer(&self->error, g_free);
    g_clear_pointer(&self->metrics, g_strfreev);
    g_clear_pointer(&self->worker, g_free);
}

WlSweepAnswer sweep_answer_lost(guint run, const char *why)
{
    return (WlSweepAnswer){.run = run,
                           .status = WL_SWEEP_LOST,
                           .error = g_strdup(why),
                           .worker = g_strdup("")};
}

GBytes *sweep_answer_pack(const WlSweepAnswer *self)
{
    GVariant *metrics =
        self->metrics == NULL
            ? NULL
            : g_variant_new_strv((const char *const *) self->metrics, -1);
    g_autoptr(GVariant) answer = g_variant_ref_sink(
        g_variant_new("(uyms@massd)", self->run, (guchar) self->status, self->error,
                      g_variant_new_maybe(G_VARIANT_TYPE_STRING_ARRAY, metrics),
                      self->worker, self->wall_seconds));

    return g_variant_get_data_as_bytes(answer);
}

bool sweep_answer_unpack(WlSweepAnswer *self, gconstpointer bytes, gsize count)
{
    /* In memory that is aligned as GVariant wants it. */
    g_autoptr(GBytes) copy = g_bytes_new(bytes, count);
    g_autoptr(GVariant) answer =
        g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(FORM), copy, FALSE));
    g_autoptr(GVariant) metrics = NULL;
    guchar status = 0;

    if (!g_variant_is_normal_form(answer)) {
        return false;
    }
    g_variant_get(answer, "(uyms@massd)", &self->run, &status, &self->error, &metrics,
                  &self->worker, &self->wall_seconds);
    g_autoptr(GVariant) list = g_variant_get_maybe(metrics);

    self->metrics = list == NULL ? NULL : g_variant_dup_strv(list, NULL);
    self->status = status <= WL_SWEEP_LOST ? (WlSweepStatus) status : WL_SWEEP_LOST;
    return true;
}
