/* Tuning: windows of a grid that may be tried, which of them to run, and which are
 * worth having. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "workloads/script.h"

enum {
    WL_TUNE_AXES = 3,                 /* x, y, z */
    WL_TUNE_SIZES_MOST = 1000 * 1000, /* along an axis */
    WL_TUNE_GENERATION = 16,          /* windows that a search asks for at a time */
};

typedef enum {
    WL_TUNE_POWERS,   /* of two up to the domain, and the domain */
    WL_TUNE_DIVISORS, /* of the domain */
    WL_TUNE_ALL,      /* from 1 to the domain */
} WlTuneSizes;

/* A size along each axis of x, y and z; 0: what the script takes by itself. */
typedef struct {
    guint sizes[WL_TUNE_AXES];
} WlTuneWindow;

/* "32x8": the sizes that are set; the caller frees it. */
char *wl_tune_window_text(const WlTuneWindow *self);
bool wl_tune_window_equal(const WlTuneWindow *self, const WlTuneWindow *other);
/* Adds the words of a script for the sizes that are set: "window_x=32". */
void wl_tune_window_add_words(const WlTuneWindow *self, GPtrArray *words);

/* An axis along which windows differ. */
typedef struct {
    guint axis;   /* 0 is x */
    guint domain; /* of the grid */
    guint least;  /* what the script's word allows */
    guint most;
} WlTuneAxis;

typedef struct WlTuneSpace WlTuneSpace;

/* `axes` are in the order of x, y, z. Fails with WL_ERROR_FIT where there is no window,
 * or more than 2^32 of them. */
WlTuneSpace *wl_tune_space_new(const WlTuneAxis *axes,
                               guint axis_count,
                               WlTuneSizes sizes,
                               GError **error);
/* Of the axes of a mask (1 is x, 2 is y, 4 is z): a script has a whole number window_x
 * for the size and nx for the grid. `where` is what errors call it. */
WlTuneSpace *wl_tune_space_of_script(const WlScript *script,
                                     const char *where,
                                     guint mask,
                                     WlTuneSizes sizes,
                                     GError **error);
void wl_tune_space_free(WlTuneSpace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlTuneSpace, wl_tune_space_free)

guint wl_tune_space_axis_count(const WlTuneSpace *self);
const WlTuneAxis *wl_tune_space_axis(const WlTuneSpace *self, guint index);

/* Windows have numbers from 0 on, small ones first; the last axis varies fastest. */
uint64_t wl_tune_space_count(const WlTuneSpace *self);
WlTuneWindow wl_tune_space_window(const WlTuneSpace *self, uint64_t number);

/* What a window is tuned for: a number of a run, and which way it is better. */
typedef struct {
    char *name;    /* as the user gave it, without max: and min: */
    char *formula; /* of members of a result */
    bool is_maximum;
} WlTuneGoal;

typedef enum {
    WL_TUNE_RAN,
    WL_TUNE_REFUSED, /* the script or the chip says that it cannot be */
    WL_TUNE_FAILED,  /* anything else */
} WlTuneStatus;

typedef struct {
    WlTuneWindow window; /* as it was asked for */
    WlTuneWindow whole;  /* with all sizes that runs tell */
    uint64_t number;     /* of the space; of a candidate */
    bool is_candidate;   /* of the search; all others are only compared */
    bool is_hand;        /* hand-picked, by the user or as usual */
    bool is_marked;      /* the user wants to know of it */
    WlTuneStatus status;
    char *name;       /* of `whole`: "64x2x64" */
    char *why;        /* it did not run; NULL where it did */
    double values[2]; /* of the goals; NaN where it did not run */
} WlTunePoint;

/* A window that is compared with the front, whether or not it is a candidate. */
typedef struct {
    WlTuneWindow window;
    bool is_marked; /* else it is hand-picked */
    int group;      /* the group that it is for; -1: all */
} WlTuneGuest;

/* Adds homogeneous windows, as far as the grid has room for them. */
void wl_tune_usual_guests(const WlTuneSpace *space, GArray *guests);

/* What is tuned. All is borrowed. */
typedef struct {
    const WlTuneSpace *space;
    const WlTuneGoal *goals; /* two; a choice stays near the best of the first */
    const GArray *guests;    /* of WlTuneGuest */
    guint limit;             /* candidates of a group */
    uint64_t seed;
    double within_percent;
    /* Runs the points of an array of WlTunePoint from the `first` on: sets status, then
     * values or why, and sizes of `whole` that nobody asked for. False, with the error
     * set, stops it all. */
    bool (*run)(
        gpointer data, guint group, GArray *points, guint first, GError **error);
    gpointer data;
} WlTuneTask;

/* How many candidates it will run, and how many of them are drawn blindly. All windows
 * where those are at most `limit`. Otherwise it is an elitist search of `limit`
 * windows: a quarter of them, a generation at least, at random, then generations of
 * WL_TUNE_GENERATION, each window made of one on the front so far by another size along
 * one axis, half of the time the next one up or down. */
guint wl_tune_budget(const WlTuneTask *self, guint *first);

/* What came of the windows of a group. */
typedef struct {
    GArray *points; /* of WlTunePoint: candidates, then what else is compared */
    GArray *front;  /* of guint, candidates, the best of the first goal first */
    int chosen;     /* of `points`: of the front the one that is best in the second goal
                     * among those within so many percent of the best in the first; -1:
                     * none */
} WlTuneGroup;

void wl_tune_group_init(WlTuneGroup *self);
void wl_tune_group_clear(WlTuneGroup *self);

/* Searches, then runs the guests of the group, then chooses. What it runs depends on
 * the task alone. Fails as `run` does, and where no candidate runs. */
bool wl_tune_group_do(WlTuneGroup *self,
                      guint group,
                      const WlTuneTask *task,
                      GError **error);

const WlTunePoint *wl_tune_group_point(const WlTuneGroup *self, guint index);
const WlTunePoint *wl_tune_group_chosen(const WlTuneGroup *self);
/* Candidates of a status. */
guint wl_tune_group_count(const WlTuneGroup *self, WlTuneStatus status);
