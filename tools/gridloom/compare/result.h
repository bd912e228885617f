/* Runs of one problem on several chips, side by side: a table for people, CSV, JSON. */
#pragma once

#include <glib.h>

#include "tools/gridloom/compare/estimate.h"
#include "tools/gridloom/compare/options.h"
#include "tools/gridloom/run/process.h"

/* One run. Numbers are NaN where there is none. */
typedef struct {
    guint case_index;
    const CompareChip *chip;
    CmdRunProcess run;
    double quantity;
    double faster;   /* than the first chip in the same case: a factor */
    GArray *roofs;   /* of TraceRoofUse; empty where the run failed */
    char *limit;     /* in words; NULL where unknown */
    char *waits;     /* likewise */
    Estimate *model; /* with --model; NULL where there is none */
    char *no_model;  /* why */
} CompareRow;

typedef struct {
    const CompareOptions *options;
    GArray *rows; /* of CompareRow: case by case, in each the chips in their order */
    double wall_seconds;
} CompareResult;

void compare_result_init(CompareResult *self, const CompareOptions *options);
void compare_result_clear(CompareResult *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CompareResult, compare_result_clear)

/* Adds the run on a chip, which it takes; a result without the quantity has failed. */
void compare_result_add(CompareResult *self,
                        guint case_index,
                        const CompareChip *chip,
                        CmdRunProcess run);

const CompareRow *compare_result_row(const CompareResult *self, guint row);

/* A number of a row's run, by a formula of members of its result; NaN for none. */
double compare_row_number(const CompareRow *row, const char *formula);

/* The chip, or a run that is over and whence it is; the caller frees it. */
char *compare_row_label(const CompareRow *row);

/* "nx=64 ny=32"; empty without sweeps. The caller frees it. */
char *compare_result_case(const CompareResult *self, guint case_index);

/* The worst exit code of the runs. */
int compare_result_code(const CompareResult *self);

/* The caller frees them. */
char *compare_result_to_csv(const CompareResult *self);
char *compare_result_to_json(const CompareResult *self);

void compare_result_print(const CompareResult *self);
