/* The problem that a run solved: what two runs must share to be held against each
 * other. */
#pragma once

#include <stdbool.h>

#include <json-glib/json-glib.h>

/* "512x112x64", "3670016 numbers", or "256 tiles"; empty where the result does not say.
 * The caller frees it. */
char *trace_problem_size(JsonObject *result);

/* Tiles of a result that says nothing else are compared with tiles only. */
bool trace_problem_is_tiles(const char *size);

/* The same grid or, where one of them is a vector, as many numbers. Results that do not
 * say their size are alike. */
bool trace_problem_is_same_size(JsonObject *a, JsonObject *b);

/* The format of its numbers, "fp32", "bf16", "mixed"; empty where the result does not
 * say. Borrowed. */
const char *trace_problem_format(JsonObject *result);

/* Both have one format, or one of them does not say. */
bool trace_problem_is_same_format(JsonObject *a, JsonObject *b);

/* How well a result fits a run, best first. */
typedef enum {
    TRACE_PROBLEM_FIT_EXACT,  /* the same workload, size and format */
    TRACE_PROBLEM_FIT_SIZE,   /* another format */
    TRACE_PROBLEM_FIT_FORMAT, /* another size */
    TRACE_PROBLEM_FIT_NEITHER,
    TRACE_PROBLEM_FIT_NOT_AT_ALL, /* another workload */
} TraceProblemFit;

TraceProblemFit trace_problem_fit(JsonObject *run, JsonObject *result);

/* Bytes of one number in memory; 0 where the format is not known. */
double trace_problem_bytes(const char *format);
