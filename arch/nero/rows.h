/* Operators on rows of numbers, written so that the compiler vectorises them. */
#pragma once

#include <glib.h>

#include "arch/nero_datapath.h"

/* Carries out an operator on `count` points; operands that it does not have are not
 * looked at. `to` overlaps none of them. */
void nero_rows_apply(ArchNeroOperator operation,
                     ArchNeroFormat format,
                     const float *const operands[3],
                     float *to,
                     gsize count);

/* A constant as a number of the format. */
float nero_rows_number(ArchNeroFormat format, double number);
