/* Answers as bytes. */
#include "tools/gridloom/sweep/answer.h"

/* run, status, error, are there metrics, these, worker, seconds. */
#define FORM "(uymsmassd)"

void cmd_sweep_answer_clear(CmdSweepAnswer *self)
{
    g_clear_pointer(&self->error, g_free);
    g_clear_pointer(&self->metrics, g_strfreev);
    g_clear_pointer(&self->worker, g_free);
}

CmdSweepAnswer cmd_sweep_answer_lost(guint run, const char *why)
{
    return (CmdSweepAnswer){.run = run,
                            .status = TRACE_RUN_LOST,
                            .error = g_strdup(why),
                            .worker = g_strdup("")};
}

GBytes *cmd_sweep_answer_pack(const CmdSweepAnswer *self)
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

bool cmd_sweep_answer_unpack(CmdSweepAnswer *self, gconstpointer bytes, gsize count)
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
    self->status = status <= TRACE_RUN_LOST ? (TraceRunStatus) status : TRACE_RUN_LOST;
    return true;
}
