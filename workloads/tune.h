/* Tuning: the possible windows of a grid, the search among them, and the best ones. */
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

/* A size along each of x, y and z; 0: the script's default. */
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
    guint domain; /* size of the grid */
    guint least;  /* the range that the script's word allows */
    guint most;
} WlTuneAxis;

typedef struct WlTuneSpace WlTuneSpace;

/* `axes` are in the order x, y, z. Fails with WL_ERROR_FIT if there is no window, or
 * more than 2^32. */
WlTuneSpace *wl_tune_space_new(const WlTuneAxis *axes,
                               guint axis_count,
                               WlTuneSizes sizes,
                               GError **error);
/* The windows along the axes of a mask (1 is x, 2 is y, 4 is z). The script has an
 * integer window_x for the size and nx for the grid. Errors call it `where`. */
WlTuneSpace *wl_tune_space_of_script(const WlScript *script,
                                     const char *where,
                                     guint mask,
                                     WlTuneSizes sizes,
                                     GError **error);
void wl_tune_space_free(WlTuneSpace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlTuneSpace, wl_tune_space_free)

guint wl_tune_space_axis_count(const WlTuneSpace *self);
const WlTuneAxis *wl_tune_space_axis(const WlTuneSpace *self, guint index);

/* Windows are numbered from 0, small ones first; the last axis varies fastest. */
uint64_t wl_tune_space_count(const WlTuneSpace *self);
WlTuneWindow wl_tune_space_window(const WlTuneSpace *self, uint64_t number);

/* A goal of tuning: a number of a run, and which way is better. */
typedef struct {
    char *name;    /* as the user gave it, without max: and min: */
    char *formula; /* over members of a result */
    bool is_maximum;
} WlTuneGoal;

typedef enum {
    WL_TUNE_RAN,
    WL_TUNE_REFUSED, /* the script or the chip refuses the window */
    WL_TUNE_FAILED,  /* anything else */
} WlTuneStatus;

typedef struct {
    WlTuneWindow window; /* as requested */
    WlTuneWindow whole;  /* with all sizes that the run reports */
    uint64_t number;     /* in the space; candidates only */
    bool is_candidate;   /* part of the search; others are only compared */
    bool is_hand;        /* hand-picked, by the user or by default */
    bool is_marked;      /* marked by the user */
    WlTuneStatus status;
    char *name;       /* of `whole`: "64x2x64" */
    char *why;        /* why it did not run; NULL if it did */
    double values[2]; /* of the goals; NaN if it did not run */
} WlTunePoint;

/* A window to compare with the front, whether or not it is a candidate. */
typedef struct {
    WlTuneWindow window;
    bool is_marked; /* else it is hand-picked */
    int group;      /* its group; -1: all */
} WlTuneGuest;

/* Adds the homogeneous windows that fit the grid. */
void wl_tune_usual_guests(const WlTuneSpace *space, GArray *guests);

/* The task of a tuning. Everything is borrowed. */
typedef struct {
    const WlTuneSpace *space;
    const WlTuneGoal *goals; /* two; a choice stays near the best of the first */
    const GArray *guests;    /* of WlTuneGuest */
    guint limit;             /* candidates of a group */
    uint64_t seed;
    double within_percent;
    /* Runs the points of an array of WlTunePoint from `first` on: sets status, then
     * values or why, and the sizes of `whole` that were not requested. Returning false,
     * with the error set, stops the tuning. */
    bool (*run)(
        gpointer data, guint group, GArray *points, guint first, GError **error);
    gpointer data;
} WlTuneTask;

/* The number of candidates to run, and how many of them are drawn at random. All
 * windows run if they are at most `limit`. Otherwise an elitist search runs `limit`
 * windows: a quarter of them, at least a generation, at random; then generations of
 * WL_TUNE_GENERATION. Each of their windows is one of the front so far with another
 * size along one axis, half of the time the next one up or down. */
guint wl_tune_budget(const WlTuneTask *self, guint *first);

/* The results of the windows of a group. */
typedef struct {
    GArray *points; /* of WlTunePoint: candidates, then compared windows */
    GArray *front;  /* of guint: candidates, the best by the first goal first */
    int chosen; /* index in `points`: the window of the front that is best in the second
                   goal among those within `within_percent` of the best in the first;
                   -1: none */
} WlTuneGroup;

void wl_tune_group_init(WlTuneGroup *self);
void wl_tune_group_clear(WlTuneGroup *self);

/* Searches, runs the guests of the group, then chooses. The task alone determines what
 * it runs. Fails as `run` does, and if no candidate runs. */
bool wl_tune_group_do(WlTuneGroup *self,
                      guint group,
                      const WlTuneTask *task,
                      GError **error);

const WlTunePoint *wl_tune_group_point(const WlTuneGroup *self, guint index);
const WlTunePoint *wl_tune_group_chosen(const WlTuneGroup *self);
/* The number of candidates with a status. */
guint wl_tune_group_count(const WlTuneGroup *self, WlTuneStatus status);
