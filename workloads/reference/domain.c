/* Grids of weather kernels: numbers by their place. */
#include "workloads/reference/domain.h"

#include <lauxlib.h>

#include "workloads/sandbox/arguments.h"

enum {
    MOST = 65535, /* along an axis */
};

static gsize count_of(const ReferenceDomain *self)
{
    return (gsize) self->columns * self->rows * self->layers;
}

gsize reference_domain_index(const ReferenceDomain *self, guint x, guint y, guint z)
{
    return self->is_by_column ? ((gsize) y * self->columns + x) * self->layers + z
                              : ((gsize) z * self->rows + y) * self->columns + x;
}

bool reference_domain_is_interior(const ReferenceDomain *self, guint x, guint y)
{
    return x >= REFERENCE_DOMAIN_BORDER &&
           x + REFERENCE_DOMAIN_BORDER < self->columns &&
           y >= REFERENCE_DOMAIN_BORDER && y + REFERENCE_DOMAIN_BORDER < self->rows;
}

void reference_domain_get_plane(const ReferenceDomain *self,
                                const HostBytes *from,
                                guint z,
                                double *to)
{
    for (guint y = 0; y < self->rows; y++) {
        for (guint x = 0; x < self->columns; x++) {
            *to++ = number_format_get(self->format, from->data,
                                      reference_domain_index(self, x, y, z));
        }
    }
}

void reference_domain_put_plane(const ReferenceDomain *self,
                                const double *from,
                                guint z,
                                HostBytes *to)
{
    for (guint y = 0; y < self->rows; y++) {
        for (guint x = 0; x < self->columns; x++) {
            number_format_put(self->format, to->data,
                              reference_domain_index(self, x, y, z), *from++);
        }
    }
}

void reference_domain_get_column(
    const ReferenceDomain *self, const HostBytes *from, guint x, guint y, double *to)
{
    for (guint z = 0; z < self->layers; z++) {
        to[z] = number_format_get(self->format, from->data,
                                  reference_domain_index(self, x, y, z));
    }
}

ReferenceDomain reference_domain_check(lua_State *L, int index)
{
    static const char *const names[] = {"fp32", "fp16", "bf16", "double", NULL};
    static const struct {
        NumberFormat format;
        Rounding rounding;
    } formats[] = {
        {NUMBER_FP32, ROUNDING_SINGLE},
        {NUMBER_FP16, ROUNDING_HALF},
        {NUMBER_BF16, ROUNDING_UPPER},
        {NUMBER_FP32, ROUNDING_NONE},
    };
    static const char *const orders[] = {"planes", "columns", NULL};
    const guint which = arguments_choice(L, index, "format", names, true);

    return (ReferenceDomain){
        .columns = arguments_count(L, index, "columns", -1, MOST),
        .rows = arguments_count(L, index, "rows", -1, MOST),
        .layers = arguments_count(L, index, "layers", -1, MOST),
        .is_by_column = arguments_choice(L, index, "order", orders, false) == 1,
        .format = formats[which].format,
        .rounding = formats[which].rounding,
    };
}

void reference_domain_check_bytes(const ReferenceDomain *self,
                                  lua_State *L,
                                  const HostBytes *bytes,
                                  const char *name)
{
    if (bytes->count != count_of(self) * number_format_bytes(self->format)) {
        luaL_error(L, "%s is not as large as the grid", name);
    }
}
