/* What was seen on the way through a schedule: text and JSON. */
#include "tools/gridloom/model/schedule/schedule.h"
#include "tools/gridloom/record.h"
#include "traces/file/quantity.h"

static void add_count(GString *text, uint64_t count, const char *what)
{
    if (count > 0) {
        g_string_append_printf(text, "; %" G_GUINT64_FORMAT " %s", count, what);
    }
}

static void add_faults(GString *text, const GpuScheduleReport *report)
{
    if (gpu_schedule_report_is_sound(report)) {
        g_string_append(text, ", each once and in a legal order");
        return;
    }
    add_count(text, report->missing, "left out");
    add_count(text, report->repeated, "visits too many");
    add_count(text, report->early, "values wanted too early");
    add_count(text, report->crossing, "values from tiles of the same wavefront");
}

char *model_schedule_check_text(const GpuScheduleProof *self)
{
    const GpuScheduleReport *report = &self->report;
    GString *text = g_string_new("");

    if (self->is_part) {
        g_autofree char *sizes =
            quantity_sizes(self->problem.space, self->problem.dimension);

        g_string_append_printf(
            text,
            "schedule of a problem made smaller: %s, %" G_GUINT64_FORMAT " steps\n",
            sizes, self->problem.steps);
    }
    g_string_append_printf(text, "schedule: %" G_GUINT64_FORMAT " points",
                           report->points);
    add_faults(text, report);
    g_string_append_printf(
        text,
        "\nschedule: %" G_GUINT64_FORMAT " wavefronts (%" G_GUINT64_FORMAT
        " without a tile), %" G_GUINT64_FORMAT " tiles (%" G_GUINT64_FORMAT
        " of a wavefront at most), %" G_GUINT64_FORMAT " strips (%" G_GUINT64_FORMAT
        " of a tile at most)",
        report->wavefronts, report->empty_wavefronts, report->tiles, report->widest,
        report->strips, report->longest);
    g_string_append_printf(text, "\nschedule: %s by tiles %s",
                           self->is_alignment ? "Smith-Waterman" : "Jacobi",
                           self->is_same ? "has the bits of the plain loop nest"
                                         : "differs from the plain loop nest");
    return g_string_free(text, FALSE);
}

JsonObject *model_schedule_check_json(const GpuScheduleProof *self)
{
    const GpuScheduleReport *report = &self->report;
    const GpuTilingProblem *problem = &self->problem;

    return RECORD(
        VALUE("space", record_counts(problem->space, problem->dimension)),
        VALUE("steps", problem->steps), VALUE("is_part", self->is_part),
        VALUE("points", report->points), VALUE("missing", report->missing),
        VALUE("repeated", report->repeated), VALUE("early", report->early),
        VALUE("crossing", report->crossing), VALUE("wavefronts", report->wavefronts),
        VALUE("empty_wavefronts", report->empty_wavefronts),
        VALUE("tiles", report->tiles), VALUE("tiles_per_wavefront", report->widest),
        VALUE("strips", report->strips), VALUE("strips_per_tile", report->longest),
        VALUE("stencil", self->is_alignment ? "smith-waterman" : "jacobi"),
        VALUE("is_same", self->is_same),
        VALUE("is_passed", gpu_schedule_proof_is_passed(self)));
}
