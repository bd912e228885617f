/* What differs between two runs, for people and programs. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/diff/difference.h"

typedef struct {
    const char *a; /* names of the runs, as the user gave them */
    const char *b;
    const char *workload;
    const char *note;    /* what could not be compared; NULL: everything was */
    GArray *unlike;      /* of DiffUnlike */
    GArray *differences; /* of DiffDifference */
    guint count;         /* numbers that were compared */
} DiffText;

/* Prints the differences above their tolerances, or all of them. */
void diff_text_print(const DiffText *self, bool is_everything);

/* numbers, above, note, unlike[] (name, a, b) and differences[] (name, a, b, relative,
 * tolerance, is_above); what is missing or infinite is null. The caller frees it. */
JsonObject *diff_text_to_json(const DiffText *self);
