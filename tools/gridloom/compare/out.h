/* The folder of `gridloom compare --out`. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/compare/options.h"
#include "tools/gridloom/compare/result.h"

/* Can the folder be written? Makes it where it is not there. */
bool compare_out_check(const CompareOptions *options, GError **error);

/* Writes what is of all runs: report.html, compare.json, compare.csv, compare.svg. */
bool compare_out_write(const CompareResult *result, GError **error);
