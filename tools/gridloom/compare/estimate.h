/* Closed-form estimates of workloads on our chips: what pencil and paper say of an
 * iteration, from numbers of the chip file and the operations that the program makes of
 * a cell or a tile. They stand beside simulations and no simulation uses them; what the
 * two differ by is what contention, dependency and set-up cost.
 *
 * None is fitted. Each is a lower bound: it counts what one PE or core cannot avoid,
 * one thing after the other where the hardware does them so, and leaves out all
 * waiting. */
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
    bool is_beside; /* goes on beside the others, and is not added to them */
    char *formula;  /* in words and numbers */
    char **keys;    /* of the chip file */
} EstimatePart;

/* Cycles of an iteration that something took, or that it took beyond the estimate. */
typedef struct {
    const char *name;
    double cycles;
} EstimateShare;

typedef struct EstimateForm EstimateForm;

typedef struct {
    const EstimateForm *form;
    double cycles; /* of an iteration: the sum of parts, or one beside them if longer */
    double seconds;
    GArray *parts;                 /* of EstimatePart */
    const char *const *leaves_out; /* ends with NULL */

    /* From estimate_explain(); until then empty. */
    double simulated; /* cycles of an iteration */
    double ratio;     /* simulated by cycles */
    GArray *measured; /* of EstimateShare: what the simulation counted; adds up to it */
    GArray *difference; /* of EstimateShare: adds up to simulated less cycles; what is
                         * negative went faster than estimated */
} Estimate;

/* Is there one of this workload on chips of this family? */
bool estimate_exists(const char *workload, const char *family);

/* "no closed form of pcg on wse2; there is one of ..."; the caller frees it. */
char *estimate_absence(const char *workload, const char *chip);

/* `parameters` are those of a run's result. Fails with ARCH_ERROR_UNMODELLED where
 * there is none, in all or for such parameters. */
Estimate *estimate_new(const ArchParams *chip,
                       const char *workload,
                       JsonObject *parameters,
                       GError **error);
void estimate_free(Estimate *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Estimate, estimate_free)

/* Puts the result of a run of the same beside it. Fails with ARCH_ERROR_UNMODELLED
 * where the result has no cycles. */
bool estimate_explain(Estimate *self, JsonObject *result, GError **error);

const EstimatePart *estimate_part(const Estimate *self, guint index);
const EstimateShare *estimate_share(const GArray *shares, guint index);

/* The longest one, of those that count. */
const EstimatePart *estimate_largest(const Estimate *self);

/* How estimates are made: what the files estimate_WORKLOAD.c share. */

/* What a workload's own file has. Those that explain get the simulated cycles of an
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

/* Adds a part, with a blank between keys. */
void estimate_add(Estimate *self,
                  const char *kind,
                  const char *name,
                  double cycles,
                  const char *keys,
                  const char *format,
                  ...) G_GNUC_PRINTF(6, 7);

/* The last one goes on beside the others. */
void estimate_put_beside(Estimate *self);

/* A number of the chip file, or the sum of several with a blank between them. */
double estimate_key(const ArchParams *chip, const char *paths);

/* A parameter: a count of at least 1, or a failure that names it. */
bool estimate_count(JsonObject *parameters,
                    const char *name,
                    double *value,
                    GError **error);

/* Does a parameter say so? `usual` where it is not there. */
bool estimate_says(JsonObject *parameters,
                   const char *name,
                   const char *usual,
                   const char *word);

/* Sets ARCH_ERROR_UNMODELLED; returns false. */
bool estimate_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The cycles of parts so named, of all where NULL, without those beside. */
double estimate_sum(const Estimate *self, const char *name);

void estimate_measure(Estimate *self, const char *name, double cycles);

/* Less than a cycle is left out. */
void estimate_differ(Estimate *self, const char *reason, double cycles);

/* What the shares so far leave of the difference. */
double estimate_unexplained(const Estimate *self);
