/* Horizontal diffusion: point by point, every operation rounded. */
#include "workloads/reference/hdiff.h"

#include <string.h>

#include "workloads/sandbox/arguments.h"

/* Planes and strides of the point at hand. */
typedef struct {
    const ReferenceHdiff *hdiff;
    const double *u;
    const double *lap;
} Planes;

static double rounded(const ReferenceHdiff *self, double value)
{
    return rounding_of(self->domain.rounding, value);
}

/* 4 u - ((east + west) + (south + north)) */
static double
laplacian(const ReferenceHdiff *self, const double *u, gsize at, gsize row)
{
    const double along_x = rounded(self, u[at + 1] + u[at - 1]);
    const double along_y = rounded(self, u[at + row] + u[at - row]);

    return rounded(self, rounded(self, 4 * u[at]) - rounded(self, along_x + along_y));
}

/* From a point to the one that is `step` farther. */
static double flux(const Planes *self, gsize at, gsize step)
{
    const ReferenceHdiff *hdiff = self->hdiff;
    const double flow = rounded(hdiff, self->lap[at + step] - self->lap[at]);
    const double gradient = rounded(hdiff, self->u[at + step] - self->u[at]);

    return hdiff->is_limited && rounded(hdiff, flow * gradient) > 0 ? 0 : flow;
}

static double diffused(const Planes *self, gsize at, gsize row)
{
    const ReferenceHdiff *hdiff = self->hdiff;
    const double along_x = rounded(hdiff, flux(self, at, 1) - flux(self, at - 1, 1));
    const double along_y =
        rounded(hdiff, flux(self, at, row) - flux(self, at - row, row));
    const double all = rounded(hdiff, along_x + along_y);

    return rounded(hdiff, self->u[at] -
                              rounded(hdiff, rounded(hdiff, hdiff->coefficient) * all));
}

void reference_hdiff_plane(const ReferenceHdiff *self,
                           const double *u,
                           double *lap,
                           double *out)
{
    const ReferenceDomain *domain = &self->domain;
    const Planes planes = {.hdiff = self, .u = u, .lap = lap};
    const gsize row = domain->columns;

    memcpy(out, u, row * domain->rows * sizeof *out);
    for (guint y = 1; y + 1 < domain->rows; y++) {
        for (guint x = 1; x + 1 < domain->columns; x++) {
            lap[y * row + x] = laplacian(self, u, y * row + x, row);
        }
    }
    for (guint y = 0; y < domain->rows; y++) {
        for (guint x = 0; x < domain->columns; x++) {
            if (reference_domain_is_interior(domain, x, y)) {
                out[y * row + x] = diffused(&planes, y * row + x, row);
            }
        }
    }
}

static void compute(const ReferenceHdiff *self, const HostBytes *u, HostBytes *result)
{
    const ReferenceDomain *domain = &self->domain;
    const gsize points = (gsize) domain->columns * domain->rows;
    g_autofree double *plane = g_new0(double, points);
    g_autofree double *lap = g_new0(double, points);
    g_autofree double *out = g_new0(double, points);

    for (guint z = 0; z < domain->layers; z++) {
        reference_domain_get_plane(domain, u, z, plane);
        reference_hdiff_plane(self, plane, lap, out);
        reference_domain_put_plane(domain, out, z, result);
    }
}

int reference_hdiff(lua_State *L)
{
    static const char *const known[] = {"columns", "rows",        "layers",  "format",
                                        "order",   "coefficient", "limiter", NULL};
    const HostBytes *u = host_bytes_check(L, 1);

    arguments_check(L, 2, known);
    const ReferenceHdiff hdiff = {
        .domain = reference_domain_check(L, 2),
        .coefficient = arguments_number(L, 2, "coefficient", 0),
        .is_limited = arguments_flag(L, 2, "limiter"),
    };

    reference_domain_check_bytes(&hdiff.domain, L, u, "the buffer");
    HostBytes *result = host_bytes_push(L, u->count, u->data != NULL);

    if (u->data != NULL) {
        compute(&hdiff, u, result);
    }
    return 1;
}
