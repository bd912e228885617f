/* Runs of this program, each a process of its own, and what came out of them. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct ValidateRuns ValidateRuns;

/* Each with so many threads. */
ValidateRuns *validate_runs_new(guint threads);
void validate_runs_free(ValidateRuns *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ValidateRuns, validate_runs_free)

/* Runs `gridloom run WORDS`, once: asked again, it has the result already. `words` are
 * split as a shell does. */
void validate_runs_do(ValidateRuns *self, const char *words);

/* The result of a run that was done, borrowed. NULL where it failed, and where its own
 * check did: `why` then says so, in one line, borrowed too. */
JsonObject *
validate_runs_result(const ValidateRuns *self, const char *words, const char **why);

guint validate_runs_count(const ValidateRuns *self);

/* The value of a formula of members of a result, "metrics.a.b/seconds". Fails where it
 * has none. */
bool validate_runs_number(JsonObject *result,
                          const char *field,
                          double *value,
                          GError **error);
