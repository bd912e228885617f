/* Makes a page of an explanation: tables, and the timelines of the paths. */
#include <math.h>
#include <string.h>

#include "tools/gridloom/explain/study.h"
#include "traces/file/quantity.h"
#include "traces/picture/timeline_picture.h"

enum {
    LANES_SHOWN = 24,
    PICTURES_BYTES = 1800000, /* of a page, together */
    WIDEST_COLUMN = 16,
};

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<title>gridloom explain</title>\n<style>\n"
    "body { font: 14px/1.45 system-ui, sans-serif; margin: 24px; color: #1b1b1f; }\n"
    "table { border-collapse: collapse; margin: 12px 0 24px; }\n"
    "th, td { padding: 4px 12px; text-align: left; border-bottom: 1px solid #dcdde3; "
    "}\n"
    "td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }\n"
    "tr.work td { color: #55565d; }\n"
    "div.bar { background: #c1121f; height: 10px; min-width: 1px; }\n"
    "tr.work div.bar { background: #9b9ca4; }\n"
    "div.picture { overflow-x: auto; }\n"
    "</style>\n</head>\n<body>\n";

static void add_cell(GString *page, const char *css_class, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text == NULL ? "" : text, -1);

    g_string_append_printf(page, "<td%s>%s</td>", css_class, escaped);
}

static void add_number(GString *page, double value)
{
    g_autofree char *text = isnan(value) ? NULL : g_strdup_printf("%.0f", value);

    add_cell(page, " class=\"number\"", text);
}

static void add_part(GString *page, const ExplainPart *part, SimTime cycles)
{
    const double percent = 100 * (double) part->cycles / (double) cycles;

    g_string_append(page, explain_is_work(part->kind) ? "<tr class=\"work\">" : "<tr>");
    add_cell(page, "", explain_words(part->kind));
    add_number(page, (double) part->cycles);
    g_string_append_printf(page,
                           "<td class=\"number\">%.1f</td>"
                           "<td><div class=\"bar\" style=\"width: %.0fpx\"></div></td>",
                           percent, 2 * percent);
    add_cell(page, "", part->name);
    add_cell(page, "", part->lane);
    add_cell(page, "", part->where);
    add_number(page, part->gain);
    add_cell(page, "", part->failure != NULL ? part->failure : part->without);
    g_string_append(page, "</tr>\n");
}

static void add_parts(GString *page, const ExplainParts *parts)
{
    g_string_append(page,
                    "<table>\n<tr><th>part of the critical path</th><th "
                    "class=\"number\">cycles</th><th class=\"number\">%</th><th></th>"
                    "<th>mostly</th><th>on</th><th>at</th><th class=\"number\">gain of "
                    "a run without it</th><th>with</th></tr>\n");
    for (guint i = 0; i < parts->parts->len; i++) {
        add_part(page, explain_part_at(parts, i), parts->cycles);
    }
    g_string_append(page, "</table>\n");
}

static void add_trials(GString *page, const ExplainStudy *study)
{
    if (study->note != NULL) {
        g_autofree char *note = g_markup_escape_text(study->note, -1);

        g_string_append_printf(page, "<p>%s</p>\n", note);
    }
    for (guint i = 0; study->trials != NULL && i < study->trials->len; i++) {
        const ExplainTrial *trial = &g_array_index(study->trials, ExplainTrial, i);
        g_autofree char *keys = g_markup_escape_text(trial->keys, -1);

        if (trial->failure != NULL) {
            g_autofree char *why = g_markup_escape_text(trial->failure, -1);

            g_string_append_printf(page, "<p>With %s it fails: %s</p>\n", keys, why);
        } else {
            g_string_append_printf(page, "<p>With %s it takes %.0f cycles.</p>\n", keys,
                                   trial->cycles);
        }
    }
}

/* Events are merged more where the picture would be too large. */
static void add_picture(GString *page, const ExplainStudy *study, gsize most)
{
    g_autoptr(GArray) lanes = trace_path_lanes(study->path, LANES_SHOWN);
    g_autofree char *svg = NULL;

    if (lanes->len == 0) {
        return;
    }
    for (guint width = 1; width <= WIDEST_COLUMN; width *= 2) {
        g_free(svg);
        svg = trace_timeline_picture_to_svg(&(TraceTimelinePicture){
            .timeline = study->run->timeline,
            .title = "critical path",
            .lanes = (const guint32 *) (const void *) lanes->data,
            .lane_count = lanes->len,
            .begin = study->path->begin,
            .end = study->path->end,
            .path = study->path,
            .least_width = width,
        });
        if (strlen(svg) <= most) {
            break;
        }
    }
    const char *begin = strstr(svg, "<svg");

    g_string_append_printf(page, "<div class=\"picture\">\n%s</div>\n",
                           begin == NULL ? "" : begin);
}

static void add_study(GString *page, const ExplainStudy *study, gsize most)
{
    g_autofree char *title = trace_run_title(study->run);
    g_autofree char *escaped = g_markup_escape_text(title, -1);
    g_autofree char *cycles = quantity_count(study->parts->cycles);

    g_string_append_printf(page,
                           "<h1>%s</h1>\n<p>%s cycles. The critical path has %u steps "
                           "on %u lanes of %u cores or PEs.</p>\n",
                           escaped, cycles, study->parts->steps, study->parts->lanes,
                           study->parts->places);
    if (study->parts->busiest != NULL) {
        g_autofree char *above = quantity_count(study->parts->imbalance);

        g_string_append_printf(page,
                               "<p>%s is busy for %s cycles more than the mean.</p>\n",
                               study->parts->busiest, above);
    }
    add_parts(page, study->parts);
    add_trials(page, study);
    add_picture(page, study, most);
}

static void
add_changes(GString *page, const ExplainStudy *before, const ExplainStudy *after)
{
    g_autoptr(GArray) changes = explain_changes(before, after);

    g_string_append(page, "<h1>What changed</h1>\n<table>\n<tr><th>part</th><th "
                          "class=\"number\">first</th><th class=\"number\">second</th>"
                          "<th class=\"number\">change</th></tr>\n");
    for (guint i = 0; i < changes->len; i++) {
        const ExplainChange *change = &g_array_index(changes, ExplainChange, i);

        g_string_append(page, "<tr>");
        add_cell(page, "", explain_words(change->kind));
        add_number(page, (double) change->before);
        add_number(page, (double) change->after);
        add_number(page, (double) (change->after - change->before));
        g_string_append(page, "</tr>\n");
    }
    g_string_append(page, "<tr>");
    add_cell(page, "", "all");
    add_number(page, (double) before->parts->cycles);
    add_number(page, (double) after->parts->cycles);
    add_number(page, (double) after->parts->cycles - (double) before->parts->cycles);
    g_string_append(page, "</tr>\n</table>\n");
}

char *explain_page(const ExplainStudy *studies, guint count)
{
    GString *page = g_string_new(head);

    if (count > 1) {
        add_changes(page, &studies[0], &studies[1]);
    }
    for (guint i = 0; i < count; i++) {
        add_study(page, &studies[i], PICTURES_BYTES / count);
    }
    g_string_append(page, "</body>\n</html>\n");
    return g_string_free(page, FALSE);
}
