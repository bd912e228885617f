/* How estimates are made: what the files estimate_WORKLOAD.c have in common. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/compare/estimate.h"

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
                  EstimateKind kind,
                  const char *name,
                  double cycles,
                  const char *keys,
                  const char *format,
                  ...) G_GNUC_PRINTF(6, 7);

/* The last one goes on beside the others. */
void estimate_put_beside(Estimate *self);

/* A number of the chip file, and the sum of several with a blank between them. */
double estimate_key(const ArchParams *chip, const char *path);
double estimate_keys(const ArchParams *chip, const char *paths);

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
