/* Numbers packed into bytes, and bytes as text. */
#pragma once

#include <stdint.h>

#include <glib.h>

/* 7 bits a byte, the lowest first; the highest bit says that more follow. */
void trace_report_bytes_add(GByteArray *self, uint64_t value);

/* The same of a number with a sign: 0, -1, 1, -2 ... are 0, 1, 2, 3. */
void trace_report_bytes_add_signed(GByteArray *self, int64_t value);

/* In base64; the caller frees it. */
char *trace_report_bytes_text(const GByteArray *self);
