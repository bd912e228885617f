/* The same program of PEs in Lua and in CSL: both doors lead to one machine. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    DOORS_NUMBERS = 8,
};

/* A part of a program in both languages. */
typedef struct {
    const char *csl;
    const char *lua;
} Doors;

/* PEs in a row. Each knows its column as `px`, has an array `out` of DOORS_NUMBERS i32
 * numbers, and has done its work when it calls `done`: done() and pe:call(done). */
typedef struct {
    guint width; /* 0 is 1 */
    bool is_wse2_only;
    Doors routes; /* of the layout; may be NULL */
    Doors before; /* declarations */
    Doors body;   /* what each PE does; `done` is called at its end unless it says so */
} DoorsProgram;

/* Runs it on wse2 and wse3. Fails the test unless both doors leave the `expected`
 * numbers in `out` of the last PE, and have done it after the same number of cycles. */
void doors_expect(const DoorsProgram *program, const int32_t *expected);

#define DOORS_EXPECT(program, ...)                                                     \
    do {                                                                               \
        const int32_t numbers[DOORS_NUMBERS] = {__VA_ARGS__};                          \
                                                                                       \
        doors_expect(program, numbers);                                                \
    } while (0)
