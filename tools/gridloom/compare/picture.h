/* A comparison as a picture. */
#pragma once

#include "tools/gridloom/compare/result.h"

/* An SVG file; the caller frees it. Bars of the quantity, and of the roofs of each
 * chip; of a sweep a curve for each chip, over the first parameter where its values are
 * numbers, else over the cases as they come. */
char *compare_picture_to_svg(const CompareResult *result);
