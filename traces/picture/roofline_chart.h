/* A picture of rooflines: memories as slopes, units as flats, and the runs below them.
 */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/roofline/roofline.h"

/* Everything is borrowed. Rates are in operations and bytes per unit of time, above 0.
 */

typedef struct {
    const char *label; /* along the line if there is room, and in the legend */
    double value;
    bool is_peak;
} TraceRooflineLine;

typedef struct {
    double intensity;
    double rate;
} TraceRooflineStep;

typedef struct {
    const char *label; /* beside the mark if there is room */
    const char *title; /* shown when the pointer rests on it */
    double intensity;
    double rate;
    const TraceRooflineStep *steps; /* its way over time: a dot each, and a line */
    gsize step_count;
} TraceRooflineMark;

/* A run: one shape, with a mark for each memory. */
typedef struct {
    const char *label;
    TraceRooflineOrigin
        origin; /* published marks are hollow, measured ones have a rim */
    const TraceRooflineMark *marks;
    gsize mark_count;
} TraceRooflineSeries;

/* A chip and its runs, in one colour. */
typedef struct {
    const char *name;
    bool is_published; /* its lines are dashed */
    const TraceRooflineLine *lines;
    gsize line_count;
    const TraceRooflineSeries *series;
    gsize series_count;
} TraceRooflineChip;

typedef struct {
    const char *title;
    const char *rate;         /* what the vertical axis shows, with its unit */
    const char *const *notes; /* lines below the picture */
    gsize note_count;
    const TraceRooflineChip *chips;
    gsize chip_count;
} TraceRooflineChart;

/* An SVG file; the caller frees it. Labels never overlap: one that finds no room is in
 * the legend only. */
char *trace_roofline_chart_to_svg(const TraceRooflineChart *self);
