/* A picture of candidates by two goals: all of them as points, the Pareto front, and
 * some by name. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    double x;
    double y;
    const char *name; /* shown where one rests on the point; written beside it where it
                       * is more than a point and there is room; NULL for none */
    bool is_front;
    bool is_chosen;
    guint sign; /* 0: a point as any other; else that of the picture's signs */
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
    const char *x; /* what the axis shows, with its unit and what is better */
    const char *y;
    bool is_x_maximum;        /* more of it is better: which way stairs go */
    bool is_linear;           /* the horizontal axis, whatever its numbers are */
    bool is_cloud;            /* the axes are not the goals: no stairs, and the front
                               * is not written beside */
    const char *const *signs; /* what signs 1, 2 and so on stand for; ends with NULL */
    const char *point;        /* what a point stands for; NULL: a window */
    const char *chosen;       /* what the circle stands for; NULL: none is chosen */
    const TraceChoicePanel *panels;
    gsize panel_count;
    const char *const *notes; /* lines below all; ends with NULL, which may be all */
} TraceChoices;

/* An SVG file; the caller frees it. Panels stand side by side, with axes of their own;
 * the horizontal one is logarithmic where the largest of its numbers is more than three
 * times the smallest and nothing else is said. The front is a line of stairs, names do
 * not cover each other. Numbers that are not finite are left out. */
char *trace_choices_to_svg(const TraceChoices *self);
