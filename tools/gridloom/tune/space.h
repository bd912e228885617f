/* Windows that may be tried: sizes along the axes of a grid. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    TUNE_AXES = 3,                 /* x, y, z */
    TUNE_SIZES_MOST = 1000 * 1000, /* along an axis */
};

typedef enum {
    TUNE_SIZES_POWERS,   /* of two up to the domain, and the domain */
    TUNE_SIZES_DIVISORS, /* of the domain */
    TUNE_SIZES_ALL,      /* from 1 to the domain */
} TuneSizes;

/* A size along each axis of x, y and z; 0: what the script takes by itself. */
typedef struct {
    guint sizes[TUNE_AXES];
} TuneWindow;

/* An axis along which windows differ. */
typedef struct {
    guint axis;   /* 0 is x */
    guint domain; /* of the grid */
    guint least;  /* what the script's word allows */
    guint most;
} TuneAxis;

typedef struct TuneSpace TuneSpace;

/* Which axes "x,y" names, as a mask of 1 << axis. Fails with G_OPTION_ERROR. */
bool tune_axes_parse(const char *text, guint *mask, GError **error);

/* `axes` are in the order of x, y, z. Fails with G_OPTION_ERROR where there is no
 * window, or more than 2^32 of them. */
TuneSpace *
tune_space_new(const TuneAxis *axes, guint axis_count, TuneSizes sizes, GError **error);
void tune_space_free(TuneSpace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TuneSpace, tune_space_free)

guint tune_space_axis_count(const TuneSpace *self);
const TuneAxis *tune_space_axis(const TuneSpace *self, guint index);
guint tune_space_size_count(const TuneSpace *self, guint index);

/* Windows have numbers from 0 on, small ones first; the last axis varies fastest. */
uint64_t tune_space_count(const TuneSpace *self);
TuneWindow tune_space_window(const TuneSpace *self, uint64_t number);

/* The number of the window that has another size along one axis: that of this place
 * among its sizes. */
uint64_t
tune_space_move(const TuneSpace *self, uint64_t number, guint index, guint place);
/* Which place a window's size along an axis has. */
guint tune_space_place(const TuneSpace *self, uint64_t number, guint index);

/* "32x8", a size for each axis that is tuned, or one for each of x, y and z. Fails with
 * G_OPTION_ERROR. */
bool tune_window_parse(TuneWindow *self,
                       const TuneSpace *space,
                       const char *option,
                       const char *text,
                       GError **error);

/* "32x8": the sizes that are set; the caller frees it. */
char *tune_window_text(const TuneWindow *self);
bool tune_window_equal(const TuneWindow *self, const TuneWindow *other);
