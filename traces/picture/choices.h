/* A picture of candidates by two goals: all as points, the Pareto front, and some by
 * name. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    double x;
    double y;
    const char *name; /* shown when the pointer rests on the point; also written beside
                         special points if there is room; NULL for none */
    bool is_front;
    bool is_chosen;
    guint sign; /* 0: an ordinary point; else one of the picture's signs */
} TraceChoice;

typedef struct {
    const char *title;
    const char *note; /* a line below; NULL for none */
    const TraceChoice *choices;
    gsize choice_count;
} TraceChoicePanel;

/* Everything is borrowed. */
typedef struct {
    const char *title;
    const char *x; /* what the axis shows, with its unit and which end is better */
    const char *y;
    bool is_x_maximum; /* more is better; decides which way the stairs go */
    bool is_linear;    /* the horizontal axis is linear, whatever its numbers */
    bool is_cloud; /* the axes are not the goals: there are no stairs, and the front is
                      not labelled */
    const char *const *signs; /* meanings of signs 1, 2 and so on; NULL-terminated */
    const char *point;        /* meaning of a point; NULL: a window */
    const char *chosen;       /* meaning of the circle; NULL: none is chosen */
    const TraceChoicePanel *panels;
    gsize panel_count;
    const char *const *notes; /* lines below all panels; NULL-terminated, or NULL */
} TraceChoices;

/* An SVG file; the caller frees it. Panels stand side by side, each with its own axes.
 * The horizontal axis is logarithmic if its largest number is more than three times the
 * smallest, unless `is_linear`. The front is drawn as stairs; names do not cover each
 * other. Numbers that are not finite are left out. */
char *trace_choices_to_svg(const TraceChoices *self);
