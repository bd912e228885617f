/* A study of a run's uncertainty as people and programs read it. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/uncertainty/study.h"

/* The member `uncertainty` of a result's metrics. Here, as wherever nothing is
 * returned, a study of NULL is none. */
void uncertainty_add_json(const UncertaintyStudy *self, JsonObject *metrics);

/* The keys that move the time most in an UncertaintyStudy, as SVG; the caller frees it.
 */
char *uncertainty_to_svg(gconstpointer study);

/* Writes into a folder, where there is a study, that as uncertainty.svg, and
 * uncertainty.csv: a line for the run itself and each trial, what was set and what came
 * of it. */
bool uncertainty_write(const UncertaintyStudy *self,
                       const char *folder,
                       GError **error);

/* Adds the names of both to `files`, of char; none where the folder is NULL. */
void uncertainty_add_files(const UncertaintyStudy *self,
                           const char *folder,
                           GPtrArray *files);

/* Intervals and the keys that matter, on standard output. */
void uncertainty_print(const UncertaintyStudy *self);
