/* A value of an axis of a sweep: a number, a text or a switch. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

typedef enum {
    SWEEP_INTEGER,
    SWEEP_NUMBER,
    SWEEP_TEXT,
    SWEEP_SWITCH,
} SweepValueType;

typedef struct {
    char *text; /* as a user would type it */
    SweepValueType type;
    gint64 integer;
    double number;
    bool is_on;
} SweepValue;

/* A GDestroyNotify for arrays of values. */
void sweep_value_clear(gpointer value);

SweepValue sweep_value_integer(gint64 integer);
/* Rounded to so many digits: sums and powers have noise in the last ones. */
SweepValue sweep_value_number(double number, int digits);

/* The value at `index`: a finite number, a text of one line, or a switch. Fails with
 * WL_ERROR_SYNTAX, saying what it is instead. Cannot raise. */
bool sweep_value_read(lua_State *L, int index, SweepValue *value, GError **error);

/* Pushes what it was in Lua. May raise. */
void sweep_value_push(lua_State *L, const SweepValue *value);
