/* Closed-form estimates of workloads on our chips: the time of an iteration by pencil
 * and paper, from numbers of the chip file and the program's operations per cell or
 * tile. They stand beside simulations, and no simulation uses them. The difference
 * between the two is the cost of contention, dependency and set-up.
 *
 * None is fitted. Each is a lower bound: it counts the work that one PE or core cannot
 * avoid, in sequence where the hardware is sequential, and leaves out all waiting. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chipfile/params.h"

/* Kinds of parts. */
#define ESTIMATE_COMPUTE       "compute"
#define ESTIMATE_COMMUNICATION "communication"
#define ESTIMATE_MEMORY        "memory"
#define ESTIMATE_SET_UP        "set-up"

typedef struct {
    const char *kind;
    const char *name;
    double cycles;  /* of an iteration */
    bool is_beside; /* overlaps the others and is not added to them */
    char *formula;  /* in words and numbers */
    char **keys;    /* of the chip file */
} EstimatePart;

/* Cycles per iteration: measured, or beyond the estimate. */
typedef struct {
    const char *name;
    double cycles;
} EstimateShare;

typedef struct EstimateForm EstimateForm;

typedef struct {
    const EstimateForm *form;
    double cycles; /* of an iteration: all parts, or an overlapping one if longer */
    double seconds;
    GArray *parts;                 /* of EstimatePart */
    const char *const *leaves_out; /* ends with NULL */

    /* Set by estimate_explain(), empty before. */
    double simulated;   /* cycles of an iteration */
    double ratio;       /* simulated / cycles */
    GArray *measured;   /* of EstimateShare: what the simulation counted; adds up to
                           `simulated` */
    GArray *difference; /* of EstimateShare: adds up to simulated - cycles; negative
                           shares were faster than estimated */
} Estimate;

/* Is there an estimate of this workload on this family of chips? */
bool estimate_exists(const char *workload, const char *family);

/* "no closed form of pcg on wse2; there is one of ..."; the caller frees it. */
char *estimate_absence(const char *workload, const char *chip);

/* `parameters` are those of a run's result. Fails with ARCH_ERROR_UNMODELLED if there
 * is no estimate at all, or none for these parameters. */
Estimate *estimate_new(const ArchParams *chip,
                       const char *workload,
                       JsonObject *parameters,
                       GError **error);
void estimate_free(Estimate *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Estimate, estimate_free)

/* Compares the estimate with the result of a run of the same case. Fails with
 * ARCH_ERROR_UNMODELLED if the result has no cycles. */
bool estimate_explain(Estimate *self, JsonObject *result, GError **error);

const EstimatePart *estimate_part(const Estimate *self, guint index);
const EstimateShare *estimate_share(const GArray *shares, guint index);

/* The longest part that counts. */
const EstimatePart *estimate_largest(const Estimate *self);

/* How estimates are made: shared by the files estimate_WORKLOAD.c. */

/* The functions of a workload's own file. `explain` finds the simulated cycles of an
 * iteration in `self->simulated`. */
struct EstimateForm {
    const char *workload;
    const char *family;
    bool (*estimate)(Estimate *self,
                     const ArchParams *chip,
                     JsonObject *parameters,
                     GError **error);
    void (*explain)(Estimate *self, JsonObject *result);
};

extern const EstimateForm estimate_stencil25_form;
extern const EstimateForm estimate_dot_form;
extern const EstimateForm estimate_stencil7_form;

/* Adds a part; `keys` are separated by blanks. */
void estimate_add(Estimate *self,
                  const char *kind,
                  const char *name,
                  double cycles,
                  const char *keys,
                  const char *format,
                  ...) G_GNUC_PRINTF(6, 7);

/* Marks the last part as overlapping the others. */
void estimate_put_beside(Estimate *self);

/* A number of the chip file, or the sum of several, separated by blanks. */
double estimate_key(const ArchParams *chip, const char *paths);

/* Reads a parameter, a count of at least 1; a failure names it. */
bool estimate_count(JsonObject *parameters,
                    const char *name,
                    double *value,
                    GError **error);

/* Does a parameter equal `word`? It counts as `usual` if missing. */
bool estimate_says(JsonObject *parameters,
                   const char *name,
                   const char *usual,
                   const char *word);

/* Sets ARCH_ERROR_UNMODELLED; returns false. */
bool estimate_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The cycles of the parts with this name (NULL: all), without overlapping ones. */
double estimate_sum(const Estimate *self, const char *name);

void estimate_measure(Estimate *self, const char *name, double cycles);

/* Adds a share of the difference; less than a cycle is left out. */
void estimate_differ(Estimate *self, const char *reason, double cycles);

/* The part of the difference that no share explains yet. */
double estimate_unexplained(const Estimate *self);
