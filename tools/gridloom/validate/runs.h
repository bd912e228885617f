/* Runs of this program, each a process of its own, and what was asked of them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/progress.h"

typedef struct ValidateRuns ValidateRuns;

/* Each with so many threads, so many of them at a time. */
ValidateRuns *validate_runs_new(guint threads, guint jobs);
void validate_runs_free(ValidateRuns *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ValidateRuns, validate_runs_free)

/* Something of the result of a run. */
typedef struct {
    const char *words; /* of `gridloom run`, or a whole command line, whose first word
                          is gridloom and the second not validate; split as a shell
                          does. Equal words are one run */
    const char *field; /* a formula of members of the result, "metrics.a.b/seconds"; of
                          a word the path of a member that is a text or a switch */
    bool is_word;
} ValidateQuestion;

/* Before validate_runs_do(). Its texts are borrowed until the runs are freed. */
void validate_runs_ask(ValidateRuns *self, const ValidateQuestion *question);

guint validate_runs_count(const ValidateRuns *self);

/* Does all runs that were asked for. Results are gone once their members are read. */
void validate_runs_do(ValidateRuns *self, Progress *progress);

/* What came of a question; texts are borrowed. */
typedef struct {
    const char *why; /* there is nothing, in one line; NULL where there is something.
                        Also where the run's own check failed */
    double number;
    const char *word;
    const char *chip; /* of the run, and the digest of its parameters */
    const char *chip_digest;
} ValidateAnswer;

/* After validate_runs_do(), of something that was asked for. */
ValidateAnswer validate_runs_answer(const ValidateRuns *self,
                                    const ValidateQuestion *question);
