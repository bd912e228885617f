/* Parameters of a script: what they allow, the values they have, and the words
 * name=value that a user types. Knows no Lua. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/script.h"

typedef struct WlParameter WlParameter;

/* What a declaration says. parameter_new() copies all of it. */
typedef struct {
    const char *name;
    const char *help;
    WlParamType type;
    bool has_minimum; /* integers and numbers only */
    bool has_maximum;
    gint64 least; /* the bounds of an integer */
    gint64 most;
    double minimum; /* the bounds of a number */
    double maximum;
    const char *const *choices; /* NULL-terminated; choices only */
} WlParameterSpec;

/* The value starts as the default. Fails with WL_ERROR_SYNTAX on a bad name, empty
 * help, an empty range, bad choices, or a default that is not allowed. */
WlParameter *
parameter_new(const WlParameterSpec *spec, const char *default_text, GError **error);
void parameter_free(WlParameter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlParameter, parameter_free)

/* Borrowed until the parameter changes or is freed. */
const WlParam *parameter_view(const WlParameter *self);

/* What the parameter allows, in words: "an integer in 1..164". The caller frees it. */
char *parameter_allowed(const WlParameter *self);

/* The value; each only for its own type, text also for choices. */
gint64 parameter_integer(const WlParameter *self);
double parameter_number(const WlParameter *self);
bool parameter_is_on(const WlParameter *self);
const char *parameter_text(const WlParameter *self);

/* The parameter of that name in an array of WlParameter, or NULL. */
WlParameter *assignment_find(const GPtrArray *parameters, const char *name);

/* Applies one word. Fails with WL_ERROR_KEY and one line that says what is allowed:
 * not of the form name=value, an unknown name, a wrong value, a name set before. */
bool assignment_apply(const GPtrArray *parameters, const char *word, GError **error);

/* Appends grain, arithmetic, extrapolate and unattributed to an array of WlParameter,
 * except those that the script declared itself. Fails with WL_ERROR_SYNTAX if it
 * declared one with another type or with choices of its own. */
bool words_append(GPtrArray *parameters, GError **error);
