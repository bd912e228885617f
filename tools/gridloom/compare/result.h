/* Runs of one problem on several chips, side by side: a table for people, CSV, JSON. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/compare/estimate.h"
#include "tools/gridloom/compare/options.h"
#include "workloads/process.h"

/* One run. Missing numbers are NaN. */
typedef struct {
    guint case_index;
    const CompareChip *chip;
    WlProcess run;
    double quantity;
    double faster;   /* speed-up over the first chip in the same case */
    GArray *roofs;   /* of TraceRoofUse; empty if the run failed */
    char *limit;     /* in words; NULL if unknown */
    char *waits;     /* likewise */
    Estimate *model; /* with --model; NULL if there is none */
    char *no_model;  /* why there is none */
} CompareRow;

typedef struct {
    const CompareOptions *options;
    GArray *rows; /* of CompareRow: case by case, then in the order of the chips */
    double wall_seconds;
} CompareResult;

void compare_result_init(CompareResult *self, const CompareOptions *options);
void compare_result_clear(CompareResult *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CompareResult, compare_result_clear)

/* Adds the run on a chip; takes it. A result without the quantity counts as failed. */
void compare_result_add(CompareResult *self,
                        guint case_index,
                        const CompareChip *chip,
                        WlProcess run);

const CompareRow *compare_result_row(const CompareResult *self, guint row);

/* A number of a row's run, by a formula over members of its result; NaN for none. */
double compare_row_number(const CompareRow *row, const char *formula);

/* Seconds per iteration, with all launches of the run or without any; NaN if not known.
 */
double compare_row_seconds(const CompareRow *row, bool has_launches);

/* By these, how many times faster a row is than the first of its case. */
double compare_result_faster(const CompareResult *self, guint row, bool has_launches);

/* "incl. unattributed constant", or NULL. */
const char *compare_row_mark(const CompareRow *row);

/* The chip, or a finished run and where it comes from; the caller frees it. */
char *compare_row_label(const CompareRow *row);

/* What the problem of a finished run has otherwise than the first row's: "nz 5, not 2;
 * dtype fp32, not bf16". NULL: nothing, or it is no finished run. The caller frees it.
 */
char *compare_row_differences(const CompareResult *self, const CompareRow *row);

/* "nx=64 ny=32"; empty without sweeps. The caller frees it. */
char *compare_result_case(const CompareResult *self, guint case_index);

/* The worst exit code of the runs. */
int compare_result_code(const CompareResult *self);

void compare_result_print(const CompareResult *self);

/* `result` is a CompareResult; the caller frees the texts. */
char *compare_result_to_csv(gconstpointer result);
char *compare_result_to_json(gconstpointer result);

/* The same as an SVG file: bars of the quantity, and of the roofs of each chip. For a
 * sweep a curve for each chip, over the first parameter if its values are numbers, else
 * over the cases in order. */
char *compare_picture_to_svg(gconstpointer result);

/* Closed forms beside the runs, for --model. */

/* Does the script have a closed form on any of the chips? Fails with
 * ARCH_ERROR_UNMODELLED, or as a run of the script does, before anything runs. */
bool compare_model_check(const CompareOptions *options, GError **error);

/* Adds a closed form to a row, or the reason why there is none. */
void compare_model_fill(const CompareOptions *options, CompareRow *row);

/* Did some run succeed although no row has a closed form? */
bool compare_model_is_missing(const CompareResult *result);

/* Prints model, simulated and ratio of all rows. */
void compare_model_print(const CompareResult *result);

/* Prints the parts of one row, what the simulation counted, and the difference. */
void compare_model_print_row(const CompareRow *row);

/* Sets the member `model` of a row; null if there is none. */
void compare_model_set_member(JsonObject *object, const CompareRow *row);
