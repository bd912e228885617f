/* What a processing element of an FPGA computes: arithmetic on the numbers of a window
 * that moves over a grid, put together operator by operator as a synthesis tool would.
 *
 * A datapath is one sweep over a window, plane after plane along z, upwards or
 * downwards. Its values are functions of the point: numbers of input fields at fixed
 * distances, constants, results of operators, what a value was one plane before. A
 * stage is a value that is kept in line buffers, so that others can take it at other
 * points of the same plane; without it a value is only where it was computed. Results
 * are the values that leave the sweep. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"

typedef struct ArchNeroDatapath ArchNeroDatapath;

/* Storage format. Every operator rounds its result to it, to nearest. */
typedef enum {
    ARCH_NERO_FP32,
    ARCH_NERO_FP16,
} ArchNeroFormat;

guint arch_nero_format_bytes(ArchNeroFormat format);

typedef enum {
    ARCH_NERO_ADD,
    ARCH_NERO_SUB,
    ARCH_NERO_MUL,
    ARCH_NERO_DIV,
    ARCH_NERO_NEGATE,
    ARCH_NERO_SELECT, /* a > 0 ? b : c, a compare and a multiplexer; no FLOP */
    ARCH_NERO_OPERATORS,
} ArchNeroOperator;

typedef enum {
    ARCH_NERO_UPWARDS, /* the first plane first */
    ARCH_NERO_DOWNWARDS,
} ArchNeroDirection;

/* The offset of a number from the point. Numbers outside the grid along z are 0; along
 * x and y a window has a margin that holds them. */
typedef struct {
    int dx, dy, dz;
} ArchNeroTap;

typedef guint ArchNeroValue;

/* `fields` is the number of input fields. */
ArchNeroDatapath *
arch_nero_datapath_new(const char *name, ArchNeroDirection direction, guint fields);
void arch_nero_datapath_free(ArchNeroDatapath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchNeroDatapath, arch_nero_datapath_free)

/* Equal values are stored once. Operands must be values of this datapath. */
ArchNeroValue
arch_nero_datapath_field(ArchNeroDatapath *self, guint field, ArchNeroTap at);
ArchNeroValue arch_nero_datapath_constant(ArchNeroDatapath *self, double number);
/* `operands` has one to three entries, depending on the operator. */
ArchNeroValue arch_nero_datapath_apply(ArchNeroDatapath *self,
                                       ArchNeroOperator operation,
                                       const ArchNeroValue *operands);
/* Takes `of` from a stage at another point of the same plane. Fails with
 * ARCH_ERROR_INVALID if `at.dz` is not 0. */
bool arch_nero_datapath_stage(ArchNeroDatapath *self,
                              ArchNeroValue of,
                              ArchNeroTap at,
                              ArchNeroValue *value,
                              GError **error);
/* The result of a value at the same point one plane before; 0 in the first plane.
 * arch_nero_datapath_close() names that value later. */
ArchNeroValue arch_nero_datapath_carry(ArchNeroDatapath *self);
void arch_nero_datapath_close(ArchNeroDatapath *self,
                              ArchNeroValue carry,
                              ArchNeroValue of);
/* Adds a result; results are numbered from 0. */
guint arch_nero_datapath_result(ArchNeroDatapath *self, ArchNeroValue value);

/* Fails with ARCH_ERROR_INVALID: no result, a carry that is not closed or depends on
 * itself at other points (its margin would grow with every plane), a reach of more than
 * 1024 points. The functions below require a datapath that has been checked, and ignore
 * values that no result needs. */
bool arch_nero_datapath_check(const ArchNeroDatapath *self, GError **error);

const char *arch_nero_datapath_name(const ArchNeroDatapath *self);
ArchNeroDirection arch_nero_datapath_direction(const ArchNeroDatapath *self);
guint arch_nero_datapath_field_count(const ArchNeroDatapath *self);
guint arch_nero_datapath_result_count(const ArchNeroDatapath *self);

/* How far it reaches: the margin that a window needs on each side along x and y, and
 * the planes before and after along z, stages included. */
typedef struct {
    guint x_before, x_after, y_before, y_after, z_before, z_after;
} ArchNeroReach;
ArchNeroReach arch_nero_datapath_reach(const ArchNeroDatapath *self);
/* The same for one field. */
ArchNeroReach arch_nero_datapath_field_reach(const ArchNeroDatapath *self, guint field);
/* The margin of points that operators compute around a window to fill stages: a plane
 * of nx * ny points takes (x_before + nx + x_after) * (y_before + ny + y_after) visits.
 * Without stages the margin is 0. */
ArchNeroReach arch_nero_datapath_margin(const ArchNeroDatapath *self);

/* Counts for one lane: operators by kind, values kept for other points or for the next
 * plane, and numbers of a field taken for one point. */
typedef struct {
    guint operators[ARCH_NERO_OPERATORS];
    guint shifts;  /* multiplications by a power of two */
    guint flops;   /* additions, subtractions, multiplications, divisions */
    guint stages;  /* values taken at other points */
    guint carries; /* values taken from the plane before */
} ArchNeroWork;
ArchNeroWork arch_nero_datapath_work(const ArchNeroDatapath *self);
guint arch_nero_datapath_taps(const ArchNeroDatapath *self, guint field);

/* Cycles from a point's numbers to the last of its values, and from carries to what
 * closes them, at least these between a point and the one in the next plane (0: nothing
 * depends on itself), with the operators' latencies of `params` ([operator]). A stage
 * is a register; its line buffers fill while margins are visited. */
guint arch_nero_datapath_depth(const ArchNeroDatapath *self,
                               const ArchParams *params,
                               ArchNeroFormat format);
guint arch_nero_datapath_recurrence(const ArchNeroDatapath *self,
                                    const ArchParams *params,
                                    ArchNeroFormat format);

/* A box of numbers: element (x, y, z) is at origin[x + y * row + z * plane]. Numbers
 * are floats; in FP16 each holds a value that a half can represent. Points of the grid
 * are 0 .. n-1; `origin` may be read at the margins along x and y that the reach asks
 * for. */
typedef struct {
    float *origin;
    gsize row, plane;
} ArchNeroBox;

/* Computes the results for a window of nx * ny * nz points. Plane 0 of each box is the
 * window's first plane. Fields also have the planes that the reach adds before and
 * after, as far as the grid has them. Results have no margin and do not overlap fields.
 * Several threads may use one datapath at once. */
typedef struct {
    guint nx, ny, nz;
    guint z_first;    /* plane of the grid where the window begins */
    guint grid_depth; /* planes of the grid */
} ArchNeroExtent;
void arch_nero_datapath_compute(const ArchNeroDatapath *self,
                                ArchNeroFormat format,
                                const ArchNeroExtent *extent,
                                const ArchNeroBox *fields,
                                const ArchNeroBox *results);
