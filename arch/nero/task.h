/* What PEs work on together, and whom they tell of it. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/nero.h"
#include "arch/nero/board.h"
#include "arch/nero/shape.h"
#include "arch/nero/windows.h"

/* The configuration of PEs; it must outlive them. Of a PE's window, number `window` of
 * the PE from 0 on: `may_ask` says whether it can be asked for yet, `taken` is called
 * when its fields have left their grids, `swept` when a sweep has computed its last
 * plane, `written` when its results are where they belong. */
typedef struct {
    NeroBoard *board;
    NeroShape shape;
    NeroWindows windows;
    ArchNeroHome home;
    uint64_t window_count; /* of all rounds and PEs */
    bool (*may_ask)(gpointer data, guint pe, uint64_t window);
    void (*taken)(gpointer data, guint pe, uint64_t window);
    void (*swept)(gpointer data, guint pe, uint64_t window, guint sweep);
    void (*written)(gpointer data, guint pe, uint64_t window);
    gpointer data;
} NeroTask;

/* The number of a PE's window among all that are dealt. */
uint64_t nero_task_dealt(const NeroTask *task, guint pe, uint64_t window);
