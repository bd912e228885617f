/* Runs of one problem on several chips, side by side: a table for people, CSV, JSON. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/compare/estimate.h"
#include "tools/gridloom/compare/options.h"
#include "workloads/process.h"

/* One run. Numbers are NaN where there is none. */
typedef struct {
    guint case_index;
    const CompareChip *chip;
    WlProcess run;
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
                        WlProcess run);

const CompareRow *compare_result_row(const CompareResult *self, guint row);

/* A number of a row's run, by a formula of members of its result; NaN for none. */
double compare_row_number(const CompareRow *row, const char *formula);

/* The chip, or a run that is over and whence it is; the caller frees it. */
char *compare_row_label(const CompareRow *row);

/* "nx=64 ny=32"; empty without sweeps. The caller frees it. */
char *compare_result_case(const CompareResult *self, guint case_index);

/* The worst exit code of the runs. */
int compare_result_code(const CompareResult *self);

void compare_result_print(const CompareResult *self);

/* Of CompareResult; the caller frees them. */
char *compare_result_to_csv(gconstpointer result);
char *compare_result_to_json(gconstpointer result);

/* The same, an SVG file: bars of the quantity, and of the roofs of each chip; of a
 * sweep a curve for each chip, over the first parameter where its values are numbers,
 * else over the cases as they come. */
char *compare_picture_to_svg(gconstpointer result);

/* Closed forms beside the runs, of --model. */

/* Is there a closed form of the script on any of the chips? Fails with
 * ARCH_ERROR_UNMODELLED, or as a run of the script does, before anything runs. */
bool compare_model_check(const CompareOptions *options, GError **error);

/* Puts a closed form beside a row's run, or into the row why there is none. */
void compare_model_fill(const CompareOptions *options, CompareRow *row);

/* There are runs that did not fail, but no row has a closed form. */
bool compare_model_is_missing(const CompareResult *result);

/* Of all rows: model, simulated, ratio. */
void compare_model_print(const CompareResult *result);

/* Of one: its parts, what the simulation counted, and what the two differ by. */
void compare_model_print_row(const CompareRow *row);

/* The member `model` of a row; null where there is none. */
void compare_model_set_member(JsonObject *object, const CompareRow *row);
