/* Vertical advection: level by level, every operation rounded. */
#include "workloads/reference/vadvc.h"

#include <string.h>

#include <lauxlib.h>

#include "workloads/sandbox/arguments.h"

/* What an equation needs of the wind through a face of its cell. */
typedef struct {
    double explicit_part; /* as, cs */
    double implicit_part; /* acol, ccol before it is divided */
} Face;

static double rounded(const ReferenceVadvc *self, double value)
{
    return rounding_of(self->domain.rounding, value);
}

/* The face below level k, with which sign. */
static Face face_below(const ReferenceVadvc *self,
                       const ReferenceVadvcColumn *in,
                       guint k,
                       double sign)
{
    const double wind =
        rounded(self, sign * 0.25 * rounded(self, in->wcon_east[k] + in->wcon[k]));

    return (Face){
        .explicit_part = rounded(self, wind * rounded(self, self->beta_m)),
        .implicit_part = rounded(self, wind * rounded(self, self->beta_p)),
    };
}

/* How much `face` changes by the step from level `low` to the next. */
static double
transport(const ReferenceVadvc *self, Face face, const double *ustage, guint low)
{
    return rounded(self,
                   face.explicit_part * rounded(self, ustage[low + 1] - ustage[low]));
}

/* dtr * upos + utens + utensstage */
static double
right_side(const ReferenceVadvc *self, const ReferenceVadvcColumn *in, guint k)
{
    const double scaled = rounded(self, rounded(self, self->dtr) * in->upos[k]);

    return rounded(self, rounded(self, scaled + in->utens[k]) + in->utensstage[k]);
}

/* The lowest level: nothing below. */
static void begin(const ReferenceVadvc *self,
                  const ReferenceVadvcColumn *in,
                  double *ccol,
                  double *dcol)
{
    const Face above = face_below(self, in, 1, 1);
    const double diagonal =
        rounded(self, rounded(self, self->dtr) - above.implicit_part);
    const double divided = rounded(self, 1 / diagonal);
    const double right =
        rounded(self, right_side(self, in, 0) - transport(self, above, in->ustage, 0));

    ccol[0] = rounded(self, above.implicit_part * divided);
    dcol[0] = rounded(self, right * divided);
}

static void go_up(const ReferenceVadvc *self,
                  const ReferenceVadvcColumn *in,
                  guint k,
                  double *ccol,
                  double *dcol)
{
    const Face below = face_below(self, in, k, -1);
    const Face above = face_below(self, in, k + 1, 1);
    const double diagonal =
        rounded(self, rounded(self, rounded(self, self->dtr) - below.implicit_part) -
                          above.implicit_part);
    const double correction = rounded(self, transport(self, below, in->ustage, k - 1) -
                                                transport(self, above, in->ustage, k));
    const double right = rounded(self, right_side(self, in, k) + correction);
    const double divided = rounded(
        self,
        1 / rounded(self, diagonal - rounded(self, ccol[k - 1] * below.implicit_part)));

    ccol[k] = rounded(self, above.implicit_part * divided);
    dcol[k] = rounded(
        self, rounded(self, right - rounded(self, dcol[k - 1] * below.implicit_part)) *
                  divided);
}

/* The highest level: nothing above. */
static void end(const ReferenceVadvc *self,
                const ReferenceVadvcColumn *in,
                double *ccol,
                double *dcol)
{
    const guint k = self->domain.layers - 1;
    const Face below = face_below(self, in, k, -1);
    const double diagonal =
        rounded(self, rounded(self, self->dtr) - below.implicit_part);
    const double right = rounded(self, right_side(self, in, k) +
                                           transport(self, below, in->ustage, k - 1));
    const double divided = rounded(
        self,
        1 / rounded(self, diagonal - rounded(self, ccol[k - 1] * below.implicit_part)));

    ccol[k] = 0;
    dcol[k] = rounded(
        self, rounded(self, right - rounded(self, dcol[k - 1] * below.implicit_part)) *
                  divided);
}

static double tendency(const ReferenceVadvc *self, double data, double upos)
{
    return rounded(self, rounded(self, self->dtr) * rounded(self, data - upos));
}

void reference_vadvc_column(const ReferenceVadvc *self,
                            const ReferenceVadvcColumn *in,
                            double *ccol,
                            double *dcol,
                            double *out)
{
    const guint last = self->domain.layers - 1;
    double data = 0;

    begin(self, in, ccol, dcol);
    for (guint k = 1; k < last; k++) {
        go_up(self, in, k, ccol, dcol);
    }
    end(self, in, ccol, dcol);
    data = dcol[last];
    out[last] = tendency(self, data, in->upos[last]);
    for (guint k = last; k-- > 0;) {
        data = rounded(self, dcol[k] - rounded(self, ccol[k] * data));
        out[k] = tendency(self, data, in->upos[k]);
    }
}

enum {
    WCON,
    USTAGE,
    UPOS,
    UTENS,
    UTENSSTAGE,
    FIELDS,
};

/* Columns that are at hand: one of each field, the wind's eastern neighbour, and room.
 */
enum {
    WCON_EAST = FIELDS,
    CCOL,
    DCOL,
    OUT,
    COLUMNS,
};

static void compute_column(const ReferenceVadvc *self,
                           const HostBytes *const *fields,
                           guint x,
                           guint y,
                           double *const *columns)
{
    const ReferenceVadvcColumn in = {
        .wcon = columns[WCON],
        .wcon_east = columns[WCON_EAST],
        .ustage = columns[USTAGE],
        .upos = columns[UPOS],
        .utens = columns[UTENS],
        .utensstage = columns[UTENSSTAGE],
    };

    for (guint i = 0; i < FIELDS; i++) {
        reference_domain_get_column(&self->domain, fields[i], x, y, columns[i]);
    }
    reference_domain_get_column(&self->domain, fields[WCON], x + 1, y,
                                columns[WCON_EAST]);
    reference_vadvc_column(self, &in, columns[CCOL], columns[DCOL], columns[OUT]);
}

static void
compute(const ReferenceVadvc *self, const HostBytes *const *fields, HostBytes *result)
{
    const ReferenceDomain *domain = &self->domain;
    const guint layers = domain->layers;
    g_autofree double *room = g_new(double, (gsize) COLUMNS *layers);
    double *columns[COLUMNS];

    for (guint i = 0; i < COLUMNS; i++) {
        columns[i] = room + (gsize) i * layers;
    }
    memcpy(result->data, fields[UTENSSTAGE]->data, result->count);
    for (guint y = 0; y < domain->rows; y++) {
        for (guint x = 0; x < domain->columns; x++) {
            if (!reference_domain_is_interior(domain, x, y)) {
                continue;
            }
            compute_column(self, fields, x, y, columns);
            for (guint z = 0; z < layers; z++) {
                number_format_put(domain->format, result->data,
                                  reference_domain_index(domain, x, y, z),
                                  columns[OUT][z]);
            }
        }
    }
}

int reference_vadvc(lua_State *L)
{
    static const char *const known[] = {
        "ustage",  "upos", "utens",  "utensstage", "beta_m", "beta_p", "dtr",
        "columns", "rows", "layers", "format",     "order",  NULL};
    static const char *const names[FIELDS] = {"wcon", "ustage", "upos", "utens",
                                              "utensstage"};
    const HostBytes *fields[FIELDS] = {host_bytes_check(L, 1)};
    bool has_data = fields[WCON]->data != NULL;

    arguments_check(L, 2, known);
    const ReferenceVadvc vadvc = {
        .domain = reference_domain_check(L, 2),
        .beta_m = arguments_number(L, 2, "beta_m", 0.5),
        .beta_p = arguments_number(L, 2, "beta_p", 0.5),
        .dtr = arguments_number(L, 2, "dtr", 0.15),
    };

    luaL_argcheck(L, vadvc.domain.layers >= 2, 2, "layers: expected 2 or more");
    reference_domain_check_bytes(&vadvc.domain, L, fields[WCON], "the buffer");
    for (guint i = USTAGE; i < FIELDS; i++) {
        lua_getfield(L, 2, names[i]);
        fields[i] = host_bytes_check(L, -1);
        reference_domain_check_bytes(&vadvc.domain, L, fields[i], names[i]);
        has_data = has_data && fields[i]->data != NULL;
    }
    HostBytes *result = host_bytes_push(L, fields[WCON]->count, has_data);

    if (has_data) {
        compute(&vadvc, fields, result);
    }
    return 1;
}
