/* Computes horizontal diffusion as the FPU of a Tensix core does. */
#include <string.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/reference/domain.h"
#include "workloads/reference/dst.h"
#include "workloads/reference/hdiff.h"
#include "workloads/sandbox/arguments.h"

enum {
    FIDELITY = 4,
    FIELDS = 6,
};

/* Planes with so many zeros before and after that every neighbour is somewhere; what
 * comes of them is of no point inside the border. */
typedef struct {
    ReferenceDomain domain;
    float coefficient; /* as BF16 has it */
    bool is_limited;
    gsize row;
    gsize points;
    float *u;
    float *lap;
    float *fx;
    float *fy;
    float *dst;
    float *slope;
} Planes;

/* dst += from at a shift, times a constant, for all points. */
static void add(const Planes *self, float *dst, const float *from, float constant)
{
    reference_dst_add_products(dst, from, constant, FIDELITY, self->points);
}

static void pack(const Planes *self, float *to)
{
    for (gsize i = 0; i < self->points; i++) {
        to[i] = reference_dst_to_bf16(self->dst[i]);
    }
}

static void clear(const Planes *self, float *dst)
{
    memset(dst, 0, self->points * sizeof *dst);
}

static void make_laplacians(const Planes *self)
{
    clear(self, self->dst);
    add(self, self->dst, self->u, 4);
    add(self, self->dst, self->u + 1, -1);
    add(self, self->dst, self->u - 1, -1);
    add(self, self->dst, self->u + self->row, -1);
    add(self, self->dst, self->u - self->row, -1);
    pack(self, self->lap);
}

/* The fluxes from points to those `step` further on. */
static void make_fluxes(const Planes *self, float *flux, gsize step)
{
    clear(self, self->dst);
    add(self, self->dst, self->lap + step, 1);
    add(self, self->dst, self->lap, -1);
    if (self->is_limited) {
        clear(self, self->slope);
        add(self, self->slope, self->u + step, 1);
        add(self, self->slope, self->u, -1);
        for (gsize i = 0; i < self->points; i++) {
            self->dst[i] = self->slope[i] * self->dst[i] <= 0 ? self->dst[i] : 0;
        }
    }
    pack(self, flux);
}

static void make_results(const Planes *self)
{
    clear(self, self->dst);
    add(self, self->dst, self->fx, -self->coefficient);
    add(self, self->dst, self->fx - 1, self->coefficient);
    add(self, self->dst, self->fy, -self->coefficient);
    add(self, self->dst, self->fy - self->row, self->coefficient);
    add(self, self->dst, self->u, 1);
    pack(self, self->dst);
}

static void compute(const Planes *self, const HostBytes *from, HostBytes *result)
{
    const ReferenceDomain *domain = &self->domain;
    g_autofree double *plane = g_new(double, self->points);

    for (guint z = 0; z < domain->layers; z++) {
        reference_domain_get_plane(domain, from, z, plane);
        for (gsize i = 0; i < self->points; i++) {
            self->u[i] = (float) plane[i];
        }
        make_laplacians(self);
        make_fluxes(self, self->fx, 1);
        make_fluxes(self, self->fy, self->row);
        make_results(self);
        for (gsize i = 0; i < self->points; i++) {
            const guint x = sim_u32(i % self->row);
            const guint y = sim_u32(i / self->row);
            const bool is_new = reference_domain_is_interior(domain, x, y);

            number_format_put(domain->format, result->data,
                              reference_domain_index(domain, x, y, z),
                              is_new ? (double) self->dst[i] : plane[i]);
        }
    }
}

static void compute_in(Planes *self, const HostBytes *from, HostBytes *result)
{
    float **const fields[FIELDS] = {&self->u,  &self->lap, &self->fx,
                                    &self->fy, &self->dst, &self->slope};
    const gsize room = self->points + 2 * self->row;
    g_autofree float *memory = g_new0(float, FIELDS *room);

    for (gsize i = 0; i < FIELDS; i++) {
        *fields[i] = memory + i * room + self->row;
    }
    compute(self, from, result);
}

int reference_hdiff_dst(lua_State *L)
{
    static const char *const known[] = {"columns", "rows",        "layers",  "format",
                                        "order",   "coefficient", "limiter", NULL};
    const HostBytes *u = host_bytes_check(L, 1);

    arguments_check(L, 2, known);
    Planes planes = {
        .domain = reference_domain_check(L, 2),
        .coefficient =
            reference_dst_to_bf16((float) arguments_number(L, 2, "coefficient", 0)),
        .is_limited = arguments_flag(L, 2, "limiter"),
    };

    reference_domain_check_bytes(&planes.domain, L, u, "the buffer");
    luaL_argcheck(L, planes.domain.format == NUMBER_BF16, 2, "the format is bf16");
    planes.row = planes.domain.columns;
    planes.points = planes.row * planes.domain.rows;
    HostBytes *result = host_bytes_push(L, u->count, u->data != NULL);

    if (u->data != NULL) {
        compute_in(&planes, u, result);
    }
    return 1;
}
