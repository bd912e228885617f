/* Makes the result of an explanation. */
#include <math.h>

#include "tools/gridloom/envelope.h"
#include "tools/gridloom/explain/study.h"
#include "traces/table/record.h"

static void add_text(JsonObject *object, const char *name, const char *text)
{
    if (text != NULL) {
        json_object_set_string_member(object, name, text);
    }
}

static JsonObject *part_json(const ExplainPart *part)
{
    JsonObject *object = RECORD(
        VALUE("part", explain_words(part->kind)),
        VALUE("is_work", explain_is_work(part->kind)), VALUE("cycles", part->cycles),
        VALUE("steps", part->steps), VALUE("mostly", part->name));

    add_text(object, "lane", part->lane);
    add_text(object, "where", part->where);
    add_text(object, "without", part->without);
    add_text(object, "failure", part->failure);
    if (!isnan(part->gain)) {
        json_object_set_double_member(object, "gain_cycles", part->gain);
    }
    return object;
}

static JsonArray *trials_json(const GArray *trials)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; trials != NULL && i < trials->len; i++) {
        const ExplainTrial *trial = &g_array_index(trials, ExplainTrial, i);
        JsonObject *object =
            RECORD(VALUE("with", trial->keys), VALUE("cycles", trial->cycles));

        add_text(object, "failure", trial->failure);
        json_array_add_object_element(array, object);
    }
    return array;
}

static JsonObject *study_json(const ExplainStudy *study)
{
    const ExplainParts *parts = study->parts;
    JsonArray *array = json_array_new();
    g_autofree char *title = trace_run_title(study->run);
    JsonObject *object = RECORD(
        VALUE("run", title), VALUE("path_cycles", parts->cycles),
        VALUE("steps", parts->steps), VALUE("lanes", parts->lanes),
        VALUE("places", parts->places), VALUE("imbalance_cycles", parts->imbalance));

    add_text(object, "busiest", parts->busiest);
    add_text(object, "note", study->note);
    for (guint i = 0; i < parts->parts->len; i++) {
        json_array_add_object_element(array, part_json(explain_part_at(parts, i)));
    }
    json_object_set_array_member(object, "parts", array);
    json_object_set_array_member(object, "what_if", trials_json(study->trials));
    return object;
}

static JsonArray *changes_json(const ExplainStudy *before, const ExplainStudy *after)
{
    g_autoptr(GArray) changes = explain_changes(before, after);
    JsonArray *array = json_array_new();

    for (guint i = 0; i < changes->len; i++) {
        const ExplainChange *change = &g_array_index(changes, ExplainChange, i);

        json_array_add_object_element(
            array,
            RECORD(VALUE("part", explain_words(change->kind)),
                   VALUE("first", change->before), VALUE("second", change->after),
                   VALUE("change", change->after - change->before)));
    }
    return array;
}

char *explain_json(const ExplainStudy *studies, guint count)
{
    JsonObject *metrics = json_object_new();
    JsonObject *parameters = json_object_new();
    JsonArray *runs = json_array_new();
    const char *chip = json_object_get_string_member_with_default(
        studies[0].run->result, "chip", NULL);

    for (guint i = 0; i < count; i++) {
        json_array_add_object_element(runs, study_json(&studies[i]));
    }
    json_object_set_array_member(metrics, "runs", runs);
    if (count > 1) {
        json_object_set_array_member(metrics, "changes",
                                     changes_json(&studies[0], &studies[1]));
    }
    return envelope_to_json(
        (TraceResult){
            .workload = "explain",
            .chip = chip,
            .parameters = parameters,
            .cycles = studies[0].parts->cycles,
            .seconds =
                (double) studies[0].parts->cycles / studies[0].run->timeline->clock_hz,
            .metrics = metrics,
            .reference = "nothing: traces of runs that are over, and runs like them",
        },
        NULL);
}
