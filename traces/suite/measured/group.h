/* Records of measurements that count together, as rows of a suite. */
#pragma once

#include <stdbool.h>

#include <glib.h>

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

void group_row_clear(gpointer data);

Group *group_new(const char *name);
void group_free(gpointer data);

/* Appends the lines of a suite: the rows, and one more where the rules combine them. */
void group_append(const Group *self, const Rules *rules, GString *text);

/* The first line of a suite. */
void group_append_header(GString *text);

/* A line for each rule, without a record: skipped, and why. */
void group_append_nothing(const Rules *rules, const char *why, GString *text);
