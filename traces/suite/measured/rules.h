/* The rules of a suite made from measurement files. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/file/csv.h"
#include "traces/suite/fields.h"

/* The columns, as described in measured.h. */
typedef enum {
    RULE_FILES,
    RULE_WHERE,
    RULE_CASE,
    RULE_QUANTITY,
    RULE_UNIT,
    RULE_PUBLISHED,
    RULE_TOLERANCE,
    RULE_KIND,
    RULE_QUICK,
    RULE_RUN,
    RULE_FIELD,
    RULE_SCALE,
    RULE_GROUP,
    RULE_COMBINE,
    RULE_LIMIT,
    RULE_SKIP,
    RULE_NOTE,
    RULE_COLUMN_COUNT,
} RuleColumn;

typedef struct {
    char *name;
    TraceCsv *csv;
    guint columns[RULE_COLUMN_COUNT];
    guint *quick; /* for each rule, how many rows of a group are quick */
} Rules;

/* Fails with TRACE_ERROR_READ. The caller clears it in any case. */
bool rules_init(
    Rules *self, const char *name, const char *text, gsize length, GError **error);
void rules_clear(Rules *self);

guint rules_count(const Rules *self);
const char *rules_text(const Rules *self, guint rule, RuleColumn column);

/* Does any rule match the file? */
bool rules_know(const Rules *self, const char *file);

/* The first rule for a file whose condition holds; -1 for none. */
int rules_find(const Rules *self, const char *file, TraceFields *fields);

/* Are rows of the rule run and judged? */
bool rules_is_counted(const Rules *self, guint rule);
