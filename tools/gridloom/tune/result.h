/* What came of a tuning, for people and programs. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/tune/study.h"
#include "workloads/tune_place.h"

/* Tables of fronts, choices and comparisons, on standard output. */
void tune_print(const TuneStudy *self);

/* Of TuneStudy; the caller frees them. The envelope of a result, with all of it in
 * `metrics`. */
char *tune_to_json(gconstpointer study);

/* A line for each window that was tried or compared. */
char *tune_to_csv(gconstpointer study);

/* All windows that ran, with fronts, the chosen ones and those that are compared, as
 * SVG: a panel for each group. */
char *tune_to_svg(gconstpointer study);

/* "vadvc on nero_ad9h7: windows along x, y; performance (most) and resources (least)";
 * the caller frees these. */
char *tune_title(const TuneStudy *self);
/* "all 81 windows of powers of two, up to 256 x 256" or what the search was. */
char *tune_search_text(const TuneStudy *self);
/* "the least resources within 2 % of the most performance on the front". */
char *tune_rule_text(const TuneStudy *self);
