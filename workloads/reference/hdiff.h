/* Reference of horizontal diffusion, a compound stencil of COSMO: Laplacians, their
 * differences as fluxes, and the flow in and out, plane by plane. */
#pragma once

#include <stdbool.h>

#include <lua.h>

#include "workloads/reference/domain.h"

typedef struct {
    ReferenceDomain domain;
    double coefficient;
    bool is_limited; /* a flux up a gradient is set to 0 */
} ReferenceHdiff;

/* Computes one plane, row by row. `lap` has room for a plane. */
void reference_hdiff_plane(const ReferenceHdiff *self,
                           const double *u,
                           double *lap,
                           double *out);

/* buffer:hdiff{ columns =, rows =, layers =, format =, order =, coefficient =, limiter
 * = true or false }: returns a new buffer. The format is as in domain.h. */
int reference_hdiff(lua_State *L);

/* buffer:hdiff_dst{ columns =, rows =, layers =, format = "bf16", order =,
 * coefficient =, limiter = true or false }: a new buffer. */
int reference_hdiff_dst(lua_State *L);
