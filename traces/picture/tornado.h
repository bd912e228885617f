/* A tornado picture: how far each input moves a number, the strongest on top. */
#pragma once

#include <glib.h>

typedef enum {
    TRACE_TORNADO_LOW, /* the low end of a range */
    TRACE_TORNADO_HIGH,
    TRACE_TORNADO_OTHER, /* a choice, not an end of a range */
    TRACE_TORNADO_KINDS,
} TraceTornadoKind;

typedef struct {
    TraceTornadoKind kind;
    const char *text; /* the setting, written beside the bar */
    double value;     /* the resulting number; NaN: none, no bar */
} TraceTornadoEnd;

typedef struct {
    const char *label;
    const char *note; /* right of the bars */
    const TraceTornadoEnd *ends;
    gsize end_count;
} TraceTornadoBar;

/* Everything is borrowed. */
typedef struct {
    const char *title;
    const char *x;    /* what the axis shows, with its unit */
    const char *note; /* heading of the notes */
    double value;     /* where bars begin; all numbers are finite */
    double low;       /* a band behind the bars; NaN: none */
    double high;
    const char *band_text; /* the meaning of the band */
    const TraceTornadoBar *bars;
    gsize bar_count;
} TraceTornado;

/* An SVG file; the caller frees it. */
char *trace_tornado_to_svg(const TraceTornado *self);
