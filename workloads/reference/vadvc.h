/* Reference of vertical advection, an implicit scheme of COSMO: a tridiagonal system in
 * each column, solved upwards and then downwards (Thomas algorithm). */
#pragma once

#include <lua.h>

#include "workloads/reference/domain.h"

typedef struct {
    ReferenceDomain domain;
    double beta_m;
    double beta_p;
    double dtr; /* one over the time step */
} ReferenceVadvc;

/* The input of one column, from the lowest level up. The wind through the lowest and
 * the highest face is 0: wcon of level 0 is not read. */
typedef struct {
    const double *wcon;
    const double *wcon_east; /* of the column at x + 1 */
    const double *ustage;
    const double *upos;
    const double *utens;
    const double *utensstage;
} ReferenceVadvcColumn;

/* `ccol` and `dcol` have room for a column. */
void reference_vadvc_column(const ReferenceVadvc *self,
                            const ReferenceVadvcColumn *in,
                            double *ccol,
                            double *dcol,
                            double *out);

/* wcon:vadvc{ ustage =, upos =, utens =, utensstage = buffers, columns =, rows =,
 * layers =, format =, order =, beta_m = 0.5, beta_p = 0.5, dtr = 0.15 }: a new buffer
 * with the new utensstage. The format is as in domain.h. */
int reference_vadvc(lua_State *L);
