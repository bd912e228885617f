/* Writes groups of records as lines of suites. */
#include "traces/suite/measured/group.h"

void group_row_clear(gpointer data)
{
    GroupRow *self = data;

    g_free(self->source);
    g_free(self->name);
    g_free(self->published);
    g_free(self->run);
    g_free(self->field);
}

void group_free(gpointer data)
{
    Group *self = data;

    g_free(self->name);
    g_array_unref(self->rows);
    g_free(self);
}

Group *group_new(const char *name)
{
    Group *self = g_new0(Group, 1);

    self->name = g_strdup(name);
    self->rows = g_array_new(FALSE, FALSE, sizeof(GroupRow));
    g_array_set_clear_func(self->rows, group_row_clear);
    return self;
}

void group_append_header(GString *text)
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

void group_append(const Group *self, const Rules *rules, GString *text)
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

void group_append_nothing(const Rules *rules, const char *why, GString *text)
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
