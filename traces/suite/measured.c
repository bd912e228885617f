/* Makes suites from files of measurements. */
#include "traces/suite/measured.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <glib.h>

#include "traces/file/csv.h"
#include "traces/reading/noc_events.h"
#include "traces/suite/fields.h"
#include "traces/suite/measured/rules.h"

/* A row of a suite to be; its texts are its own. */
typedef struct {
    guint rule;
    char *source;
    char *name; /* the case */
    char *published;
    char *run;
    char *field;
} GroupRow;

/* Rows that count together. */
typedef struct {
    char *name;
    GArray *rows; /* of GroupRow */
} Group;

static void group_row_clear(gpointer data)
{
    GroupRow *self = data;

    g_free(self->source);
    g_free(self->name);
    g_free(self->published);
    g_free(self->run);
    g_free(self->field);
}

static void group_free(gpointer data)
{
    Group *self = data;

    g_free(self->name);
    g_array_unref(self->rows);
    g_free(self);
}

static Group *group_new(const char *name)
{
    Group *self = g_new0(Group, 1);

    self->name = g_strdup(name);
    self->rows = g_array_new(FALSE, FALSE, sizeof(GroupRow));
    g_array_set_clear_func(self->rows, group_row_clear);
    return self;
}

/* The first line of a suite. */
static void group_append_header(GString *text)
{
    g_string_append(text, "source,case,quantity,unit,published,tolerance,kind,pace,run,"
                          "base_run,field,scale,"
                          "combine,note,group,skip\n");
}

/* A line of fields between commas. */
static void append_line(GString *text, const char *const *fields, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        g_auto(GStrv) parts = g_strsplit(fields[i], "\"", -1);
        g_autofree char *field = g_strjoinv("\"\"", parts);

        g_string_append_printf(text, "%s\"%s\"", i > 0 ? "," : "", field);
    }
    g_string_append_c(text, '\n');
}

static void append_row(const Rules *rules,
                       GString *text,
                       const GroupRow *row,
                       const char *group,
                       bool is_quick)
{
    const bool is_skipped = *rules_text(rules, row->rule, RULE_SKIP) != '\0';
    const char *const fields[] = {
        row->source,
        row->name,
        rules_text(rules, row->rule, RULE_QUANTITY),
        rules_text(rules, row->rule, RULE_UNIT),
        row->published,
        rules_text(rules, row->rule, RULE_TOLERANCE),
        rules_text(rules, row->rule, RULE_KIND),
        is_quick ? "quick" : "long",
        is_skipped ? "" : row->run,
        "",
        is_skipped ? "" : row->field,
        rules_text(rules, row->rule, RULE_SCALE),
        "value",
        rules_text(rules, row->rule, RULE_NOTE),
        group,
        rules_text(rules, row->rule, RULE_SKIP),
    };

    append_line(text, fields, G_N_ELEMENTS(fields));
}

/* The row of a group of `count` that count. */
static void append_mean(
    const Rules *rules, GString *text, const Group *self, guint rule, guint count)
{
    const char *combine = rules_text(rules, rule, RULE_COMBINE);
    const bool is_median = g_str_equal(combine, "median_error");
    g_autofree char *name = g_strdup_printf("%s of the absolute errors of %u",
                                            is_median ? "median" : "mean", count);
    const char *const fields[] = {
        self->name,
        name,
        rules_text(rules, rule, RULE_QUANTITY),
        "%",
        "0",
        rules_text(rules, rule, RULE_LIMIT),
        rules_text(rules, rule, RULE_KIND),
        "long",
        "",
        "",
        "",
        "",
        combine,
        "",
        self->name,
        "",
    };

    append_line(text, fields, G_N_ELEMENTS(fields));
}

/* Appends the lines of a suite: the rows, and one more where the rules combine them. */
static void group_append(const Group *self, const Rules *rules, GString *text)
{
    guint count = 0;
    guint index = 0;
    guint quick = 0;
    int mean = -1;

    for (guint i = 0; i < self->rows->len; i++) {
        const GroupRow *row = &g_array_index(self->rows, GroupRow, i);

        if (rules_is_counted(rules, row->rule)) {
            quick = MAX(quick, rules->quick[row->rule]);
            mean = mean < 0 && *rules_text(rules, row->rule, RULE_COMBINE) != '\0'
                       ? (int) row->rule
                       : mean;
            count++;
        }
    }
    const guint stride = MAX(1, count / MAX(1, quick));

    for (guint i = 0; i < self->rows->len; i++) {
        const GroupRow *row = &g_array_index(self->rows, GroupRow, i);
        const bool is_quick =
            rules_is_counted(rules, row->rule) && index % stride == 0 && quick > 0;

        index += rules_is_counted(rules, row->rule);
        append_row(rules, text, row, self->name, is_quick);
    }
    if (mean >= 0) {
        append_mean(rules, text, self, (guint) mean, count);
    }
}

/* A line for each rule, without a record: skipped, and why. */
static void group_append_nothing(const Rules *rules, const char *why, GString *text)
{
    for (guint i = 0; i < rules_count(rules); i++) {
        const char *condition = rules_text(rules, i, RULE_WHERE);
        const char *const fields[] = {
            rules_text(rules, i, RULE_FILES),
            *condition != '\0' ? condition : "every row",
            rules_text(rules, i, RULE_QUANTITY),
            rules_text(rules, i, RULE_UNIT),
            "",
            rules_text(rules, i, RULE_TOLERANCE),
            rules_text(rules, i, RULE_KIND),
            "quick",
            "",
            "",
            "",
            "",
            "value",
            rules_text(rules, i, RULE_NOTE),
            "",
            why,
        };

        append_line(text, fields, G_N_ELEMENTS(fields));
    }
}

struct TraceMeasured {
    Rules rules;
    GPtrArray *groups; /* of Group */
    GPtrArray *left;   /* of char */
};

void trace_measured_free(TraceMeasured *self)
{
    if (self != NULL) {
        rules_clear(&self->rules);
        g_ptr_array_unref(self->groups);
        g_ptr_array_unref(self->left);
        g_free(self);
    }
}

bool trace_measured_is_rules(const char *text)
{
    while (*text == '#' || *text == '\n' || *text == '\r') {
        const char *end = strchr(text, '\n');

        if (end == NULL) {
            return false;
        }
        text = end + 1;
    }
    return g_str_has_prefix(text, "file,");
}

TraceMeasured *
trace_measured_parse(const char *name, const char *text, gsize length, GError **error)
{
    g_autoptr(TraceMeasured) self = g_new0(TraceMeasured, 1);

    self->groups = g_ptr_array_new_with_free_func(group_free);
    self->left = g_ptr_array_new_with_free_func(g_free);
    return rules_init(&self->rules, name, text, length, error) ? g_steal_pointer(&self)
                                                               : NULL;
}

/* The first WxH between other letters, as PREFIXwidth and PREFIXheight. */
static void set_size(TraceFields *fields, const char *prefix, const char *text)
{
    g_autoptr(GRegex) size = g_regex_new(
        "(?<![0-9A-Za-z])([1-9][0-9]{0,2}) ?x ?([1-9][0-9]{0,2})(?![0-9A-Za-z])", 0, 0,
        NULL);
    g_autoptr(GMatchInfo) match = NULL;

    if (g_regex_match(size, text, 0, &match)) {
        g_autofree char *width = g_match_info_fetch(match, 1);
        g_autofree char *height = g_match_info_fetch(match, 2);
        g_autofree char *width_name = g_strconcat(prefix, "width", NULL);
        g_autofree char *height_name = g_strconcat(prefix, "height", NULL);

        trace_fields_set(fields, width_name, width);
        trace_fields_set(fields, height_name, height);
    }
}

static TraceFields *fields_of(const char *path, const char *file)
{
    TraceFields *fields = trace_fields_new();

    trace_fields_set(fields, "path", path);
    trace_fields_set(fields, "api", strstr(file, "2.0") != NULL ? "2" : "1");
    set_size(fields, "", file);
    return fields;
}

static Group *group_of(TraceMeasured *self, const char *name)
{
    for (guint i = 0; i < self->groups->len; i++) {
        Group *group = g_ptr_array_index(self->groups, i);

        if (g_str_equal(group->name, name)) {
            return group;
        }
    }
    g_ptr_array_add(self->groups, group_new(name));
    return g_ptr_array_index(self->groups, self->groups->len - 1);
}

/* A number of which percents can be taken. */
static bool is_measured(const char *text)
{
    char *end = NULL;
    const double value = text != NULL ? g_ascii_strtod(text, &end) : 0;

    return value != 0 && isfinite(value) && end != NULL && *end == '\0';
}

/* Returns false if the rule needs a field that the record lacks. */
static bool
make_row(TraceMeasured *self, guint rule, const char *file, TraceFields *fields)
{
    const char *published =
        g_hash_table_lookup(fields, rules_text(&self->rules, rule, RULE_PUBLISHED));
    g_autofree char *source = g_path_get_basename(file);
    const char *group = rules_text(&self->rules, rule, RULE_GROUP);
    GroupRow row = {
        .rule = rule,
        .name =
            trace_fields_fill(fields, rules_text(&self->rules, rule, RULE_CASE), NULL),
        .run =
            trace_fields_fill(fields, rules_text(&self->rules, rule, RULE_RUN), NULL),
        .field =
            trace_fields_fill(fields, rules_text(&self->rules, rule, RULE_FIELD), NULL),
        .published = g_strdup(published)};

    if (row.name == NULL || row.run == NULL || row.field == NULL ||
        !is_measured(published)) {
        group_row_clear(&row);
        return false;
    }
    group = *group != '\0' ? group : source;
    row.source = g_steal_pointer(&source);
    g_array_append_val(group_of(self, group)->rows, row);
    return true;
}

/* Makes a row of a record; false where no rule covers it. */
static bool add_record(TraceMeasured *self, const char *file, TraceFields *fields)
{
    const int rule = rules_find(&self->rules, file, fields);

    return rule >= 0 && make_row(self, (guint) rule, file, fields);
}

static void leave(TraceMeasured *self, const char *file, guint left, guint count)
{
    g_autofree char *last = g_path_get_basename(file);
    g_autofree char *name = g_utf8_make_valid(last, -1);

    g_ptr_array_add(self->left, left < count ? g_strdup_printf("%s (%u of %u rows)",
                                                               name, left, count)
                                             : g_steal_pointer(&name));
}

static bool
add_events(TraceMeasured *self, const char *path, const char *file, GError **error)
{
    g_autoptr(TraceNocEvents) events = trace_noc_events_load(path, error);
    g_autoptr(GHashTable) fields = NULL;

    if (events == NULL) {
        return false;
    }
    g_autofree char *cycles = g_strdup_printf(
        "%" G_GUINT64_FORMAT, (guint64) trace_noc_events_recorded_cycles(events));

    fields = fields_of(path, file);
    trace_fields_set(fields, "recorded_cycles", cycles);
    if (!add_record(self, file, fields)) {
        leave(self, file, 1, 1);
    }
    return true;
}

/* How many records no rule covers. */
static guint
add_table(TraceMeasured *self, const TraceCsv *csv, const char *path, const char *file)
{
    guint left = 0;

    for (guint i = 0; i < trace_csv_row_count(csv); i++) {
        g_autoptr(GHashTable) fields = fields_of(path, file);

        for (guint k = 0; k < trace_csv_column_count(csv); k++) {
            g_autofree char *name = trace_fields_name(trace_csv_column_name(csv, k));

            g_autofree char *prefix = g_strconcat(name, "_", NULL);

            trace_fields_set(fields, name, trace_csv_field(csv, i, k));
            set_size(fields, prefix, trace_csv_field(csv, i, k));
        }
        left += add_record(self, file, fields) ? 0 : 1;
    }
    return left;
}

static bool
add_csv(TraceMeasured *self, const char *path, const char *file, GError **error)
{
    g_autofree char *text = NULL;
    g_autoptr(TraceCsv) csv = NULL;
    gsize length;
    guint left;

    if (!g_file_get_contents(path, &text, &length, error)) {
        return false;
    }
    csv = trace_csv_parse(path, text, length, error);
    if (csv == NULL) {
        return false;
    }
    left = add_table(self, csv, path, file);
    if (left > 0) {
        leave(self, file, left, trace_csv_row_count(csv));
    }
    return true;
}

bool trace_measured_add(TraceMeasured *self,
                        const char *folder,
                        const char *file,
                        GError **error)
{
    g_autofree char *path = g_build_filename(folder, file, NULL);

    if (!g_utf8_validate(path, -1, NULL) || !rules_know(&self->rules, file)) {
        leave(self, file, 1, 1);
        return true;
    }
    return g_str_has_suffix(file, ".json") ? add_events(self, path, file, error)
                                           : add_csv(self, path, file, error);
}

char *trace_measured_suite(const TraceMeasured *self)
{
    GString *text = g_string_new(NULL);

    group_append_header(text);
    for (guint i = 0; i < self->groups->len; i++) {
        group_append(g_ptr_array_index(self->groups, i), &self->rules, text);
    }
    return g_string_free(text, FALSE);
}

char *trace_measured_nothing(const TraceMeasured *self, const char *why)
{
    GString *text = g_string_new(NULL);

    group_append_header(text);
    group_append_nothing(&self->rules, why, text);
    return g_string_free(text, FALSE);
}

guint trace_measured_left_count(const TraceMeasured *self)
{
    return self->left->len;
}

const char *trace_measured_left(const TraceMeasured *self, guint index)
{
    return g_ptr_array_index(self->left, index);
}
