/* Numbers as people read them. The caller frees every text returned. */
#pragma once

#include <stdint.h>

#include <glib.h>

/* 1,234,567 */
char *quantity_count(uint64_t value);

/* 8192x8192, the format that option_is_sizes() reads */
char *quantity_sizes(const uint64_t *sizes, guint count);

/* 1.234 ms */
char *quantity_seconds(double seconds);

/* 73 %, 3.7 %, 0.04 % */
char *quantity_percent(double percent);

/* 12.3 M: a value and its SI prefix; the caller appends the unit. */
char *quantity_scaled(double value);

/* The same with at most `digits` digits, 1 to 9. */
char *quantity_scaled_to(double value, int digits);

/* 254 uJ */
char *quantity_joules(double joules);

/* A number of so many digits at most, with its prefix from 10,000 on: 0.25, 9999,
 * 65.5 k. */
char *quantity_short(double value, int digits);
