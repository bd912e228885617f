/* An axis of a sweep: a name and its values, each a number, a text or a switch. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/sweep.h"

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

/* The value at `index`: a finite number, a text of one line, or a switch. Fails with
 * WL_ERROR_SYNTAX and names the type found. Cannot raise. */
bool sweep_value_read(lua_State *L, int index, SweepValue *value, GError **error);

/* Pushes the value as it was in Lua. May raise. */
void sweep_value_push(lua_State *L, const SweepValue *value);

/* A range of numbers: in steps, in points, or open. */
typedef struct {
    double from;
    double to;
    double step;   /* 0: none */
    guint points;  /* 0: none */
    bool is_log;   /* equal ratios, not equal distances */
    bool is_whole; /* all its numbers are whole */
} SweepRange;

/* The number at `share` of the range, 0 <= share < 1. */
SweepValue sweep_range_at(const SweepRange *self, double share);

typedef struct {
    char *name;
    WlSweepKind kind;
    GArray *values; /* of SweepValue; empty while the range is open */
    SweepRange range;
    bool is_open;
    char *with; /* the axis that it follows, value by value; NULL: none */
    int leader; /* the index of that axis; -1: none */
} SweepAxis;

/* A GDestroyNotify for arrays of axes. */
void sweep_axis_clear(gpointer axis);

/* An array for values of an axis; the caller frees it. */
GArray *sweep_axis_values_new(void);

/* The kind of a name. Fails with WL_ERROR_SYNTAX if the name is malformed. */
bool sweep_axis_kind(const char *name, WlSweepKind *kind, GError **error);

/* Reads the table at the top of the stack. Fails with WL_ERROR_SYNTAX, or with
 * WL_ERROR_FIT if it has too many values. Cannot raise. */
bool sweep_axis_read(lua_State *L, SweepAxis *axis, GError **error);
