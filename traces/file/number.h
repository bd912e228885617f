/* Reads numbers as people write them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A whole number in minimum..maximum: digits, or with an exponent that leaves it whole,
 * such as 20e9 or 1.5e6. Returns false, and leaves `value` unchanged, otherwise. */
bool quantity_read_count(const char *text,
                         uint64_t minimum,
                         uint64_t maximum,
                         uint64_t *value);

/* Bytes from 1 on, or KiB, MiB, GiB with K, M or G behind the number; likewise. */
bool quantity_read_bytes(const char *text, uint64_t *bytes);
