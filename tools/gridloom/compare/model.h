/* Closed forms beside the runs of a comparison: `gridloom compare --model`. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/compare/estimate.h"
#include "tools/gridloom/compare/result.h"

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
