/* The output of a run: the JSON object, tables, and a page of text for people. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/options.h"
#include "tools/gridloom/uncertainty/study.h"
#include "workloads/chips.h"
#include "workloads/outcome.h"
#include "workloads/script.h"

typedef struct {
    const CmdRunOptions *options;
    const WlScript *script;
    const char *system; /* its file */
    const WlChips *chips;
    const WlOutcome *outcome;
    const char *trace; /* its file; NULL: none */
    double wall_seconds;
    const UncertaintyStudy *uncertainty; /* NULL: none */
} CmdRunResult;

/* Before the run: can all requested files be written? */
bool cmd_run_result_check_targets(const CmdRunOptions *options, GError **error);

/* The caller frees it. */
char *cmd_run_result_to_json(const CmdRunResult *self);

/* Writes the requested files; `json` is the result. */
bool cmd_run_result_write(const CmdRunResult *self, const char *json, GError **error);

/* Prints the page of text. */
void cmd_run_result_print(const CmdRunResult *self);
