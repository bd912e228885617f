/* Computing a window: plane after plane, in each as many passes over its rows as there
 * are stages behind one another, in each row one operator after another. What is taken
 * in another pass or in the next plane is kept for a plane, everything else for a row.
 */
#include <string.h>

#include <glib.h>

#include "arch/nero/datapath.h"
#include "arch/nero_datapath.h"
#include "arch/number/half.h"

typedef void (*Row)(const float *const operands[3], float *to, gsize count);

static inline float keep(float value)
{
    return value;
}

#define BINARY(name, sign, rounded)                                                    \
    static void name(const float *const operands[3], float *to, gsize count)           \
    {                                                                                  \
        const float *restrict a = operands[0];                                         \
        const float *restrict b = operands[1];                                         \
        float *restrict out = to;                                                      \
                                                                                       \
        for (gsize i = 0; i < count; i++) {                                            \
            out[i] = rounded(a[i] sign b[i]);                                          \
        }                                                                              \
    }

BINARY(add_single, +, keep)
BINARY(sub_single, -, keep)
BINARY(mul_single, *, keep)
BINARY(div_single, /, keep)
BINARY(add_half, +, arch_half_nearest)
BINARY(sub_half, -, arch_half_nearest)
BINARY(mul_half, *, arch_half_nearest)
BINARY(div_half, /, arch_half_nearest)

/* The last two round nothing. */
static void negate(const float *const operands[3], float *to, gsize count)
{
    const float *restrict a = operands[0];
    float *restrict out = to;

    for (gsize i = 0; i < count; i++) {
        out[i] = -a[i];
    }
}

static void select_by_sign(const float *const operands[3], float *to, gsize count)
{
    const float *restrict a = operands[0];
    const float *restrict b = operands[1];
    const float *restrict c = operands[2];
    float *restrict out = to;

    for (gsize i = 0; i < count; i++) {
        const float positive = b[i];
        const float otherwise = c[i];

        out[i] = a[i] > 0 ? positive : otherwise;
    }
}

static const Row rows[][ARCH_NERO_OPERATORS] = {
    [ARCH_NERO_FP32] = {add_single, sub_single, mul_single, div_single, negate,
                        select_by_sign},
    [ARCH_NERO_FP16] = {add_half, sub_half, mul_half, div_half, negate, select_by_sign},
};

/* Carries out an operator on `count` points; operands that it does not have are not
 * looked at. `to` overlaps none of them. */
static void nero_rows_apply(ArchNeroOperator operation,
                            ArchNeroFormat format,
                            const float *const operands[3],
                            float *to,
                            gsize count)
{
    rows[format][operation](operands, to, count);
}

/* A constant as a number of the format. */
static float nero_rows_number(ArchNeroFormat format, double number)
{
    return format == ARCH_NERO_FP32 ? (float) number
                                    : arch_half_to_float(arch_half_from_double(number));
}

/* Where the numbers of a node are in the present plane: that of (x, y) is at
 * origin[x + y * pitch]. */
typedef struct {
    float *origin;
    ptrdiff_t pitch; /* 0: one row for all */
} Place;

typedef struct {
    const ArchNeroDatapath *path;
    ArchNeroFormat format;
    const ArchNeroExtent *extent;
    const ArchNeroBox *fields;
    const ArchNeroBox *results;
    NeroNeed *needs;
    guint *passes;
    guint pass_count;
    bool *is_kept;
    Place *places;
    Place *next;         /* of carries: the plane that is being computed */
    NeroNeed box;        /* around all that is computed */
    gsize width, height; /* of it */
    float *zeros;        /* a row of them, from the lowest x that is read */
    GPtrArray *owned;
} Run;

static float *numbers(Run *run, gsize count)
{
    float *block = g_new0(float, count);

    g_ptr_array_add(run->owned, block);
    return block;
}

static Place row_place(Run *run)
{
    const Place place = {.origin = numbers(run, run->width) - run->box.x_low};

    return place;
}

static Place plane_place(Run *run)
{
    const ptrdiff_t pitch = (ptrdiff_t) run->width;
    float *block = numbers(run, run->width * run->height);
    const Place place = {.origin = block - run->box.x_low - run->box.y_low * pitch,
                         .pitch = pitch};

    return place;
}

static Place constant_place(Run *run, double number)
{
    const Place place = row_place(run);
    const float value = nero_rows_number(run->format, number);

    for (gsize i = 0; i < run->width; i++) {
        place.origin[run->box.x_low + (ptrdiff_t) i] = value;
    }
    return place;
}

/* Around the window and all nodes, so that every row has room for what it is used for.
 */
static void measure(Run *run)
{
    for (guint i = 0; i < run->path->nodes->len; i++) {
        const NeroNeed *need = &run->needs[i];

        if (need->is_used) {
            run->box.x_low = MIN(run->box.x_low, need->x_low);
            run->box.x_high = MAX(run->box.x_high, need->x_high);
            run->box.y_low = MIN(run->box.y_low, need->y_low);
            run->box.y_high = MAX(run->box.y_high, need->y_high);
        }
    }
    run->width = (gsize) (run->extent->nx + run->box.x_high - run->box.x_low);
    run->height = (gsize) (run->extent->ny + run->box.y_high - run->box.y_low);
}

static bool is_operator(const ArchNeroDatapath *path, guint index)
{
    return nero_datapath_node(path, index)->kind == NERO_OPERATOR;
}

/* What is used behind a stage, in a later pass or in the next plane. */
static void find_kept(Run *run)
{
    for (guint i = 0; i < run->path->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(run->path, i);

        run->pass_count = MAX(run->pass_count, run->passes[i] + 1);
        for (guint n = 0; run->needs[i].is_used && n < node->operand_count; n++) {
            const guint operand = node->operands[n];

            if (is_operator(run->path, operand) &&
                (node->kind != NERO_OPERATOR ||
                 run->passes[operand] != run->passes[i])) {
                run->is_kept[operand] = true;
            }
        }
    }
}

static void place_all(Run *run)
{
    run->zeros = row_place(run).origin;
    for (guint i = 0; i < run->path->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(run->path, i);

        if (!run->needs[i].is_used) {
            continue;
        }
        if (node->kind == NERO_CONSTANT) {
            run->places[i] = constant_place(run, node->number);
        } else if (node->kind == NERO_OPERATOR) {
            run->places[i] = run->is_kept[i] ? plane_place(run) : row_place(run);
        } else if (node->kind == NERO_CARRY) {
            run->places[i] = plane_place(run);
            run->next[i] = plane_place(run);
        }
    }
}

static Place field_place(const Run *run, const NeroNode *node, guint z)
{
    const ArchNeroBox *box = &run->fields[node->field];
    const ptrdiff_t row = (ptrdiff_t) box->row;
    const int64_t plane = (int64_t) z + node->at.dz;
    const int64_t in_grid = plane + run->extent->z_first;
    Place place = {.origin = run->zeros};

    if (in_grid >= 0 && in_grid < run->extent->grid_depth) {
        place.origin = box->origin + plane * (ptrdiff_t) box->plane +
                       node->at.dy * row + node->at.dx;
        place.pitch = row;
    }
    return place;
}

/* Of a take: where its source is, at a distance along what varies. */
static Place take_place(const Run *run, guint index)
{
    const NeroSource source = nero_datapath_source(run->path, index);
    Place place = run->places[source.node];

    if (place.pitch != 0) {
        place.origin += source.dx + source.dy * place.pitch;
    }
    return place;
}

/* Fields and stages of fields are elsewhere in each plane, carries in turn. */
static void enter_plane(Run *run, guint z)
{
    for (guint i = 0; i < run->path->nodes->len; i++) {
        const NeroNode *node = nero_datapath_node(run->path, i);

        if (run->needs[i].is_used && node->kind == NERO_FIELD) {
            run->places[i] = field_place(run, node, z);
        } else if (run->needs[i].is_used && node->kind == NERO_TAKE) {
            run->places[i] = take_place(run, i);
        }
    }
}

static void compute_row(const Run *run, guint index, int64_t y)
{
    const NeroNode *node = nero_datapath_node(run->path, index);
    const NeroNeed *need = &run->needs[index];
    const Place *to = &run->places[index];
    const float *operands[NERO_OPERANDS] = {NULL};

    for (guint n = 0; n < node->operand_count; n++) {
        const Place *from = &run->places[node->operands[n]];

        operands[n] = from->origin + y * from->pitch + need->x_low;
    }
    nero_rows_apply(node->operation, run->format, operands,
                    to->origin + y * to->pitch + need->x_low,
                    (gsize) (run->extent->nx + need->x_high - need->x_low));
}

static void store_row(const Run *run, guint pass, guint z, int64_t y)
{
    for (guint r = 0; r < run->path->results->len; r++) {
        const guint value = g_array_index(run->path->results, ArchNeroValue, r);
        const ArchNeroBox *box = &run->results[r];
        const Place *from = &run->places[value];

        if (run->passes[value] == pass) {
            g_assert(from->origin != NULL);
            memcpy(box->origin + y * (ptrdiff_t) box->row + (gsize) z * box->plane,
                   from->origin + y * from->pitch, run->extent->nx * sizeof(float));
        }
    }
}

static void compute_pass(const Run *run, guint pass, guint z)
{
    const int64_t ny = run->extent->ny;

    for (int64_t y = run->box.y_low; y < ny + run->box.y_high; y++) {
        for (guint i = 0; i < run->path->nodes->len; i++) {
            const NeroNeed *need = &run->needs[i];

            if (need->is_used && run->passes[i] == pass && is_operator(run->path, i) &&
                y >= need->y_low && y < ny + need->y_high) {
                compute_row(run, i, y);
            }
        }
        if (y >= 0 && y < ny) {
            store_row(run, pass, z, y);
        }
    }
}

static void carry_one(Run *run, guint index)
{
    const NeroNeed *need = &run->needs[index];
    const Place *from = &run->places[nero_datapath_node(run->path, index)->operands[0]];
    const Place *to = &run->next[index];
    const gsize width = (gsize) (run->extent->nx + need->x_high - need->x_low);

    for (int64_t y = need->y_low; y < run->extent->ny + need->y_high; y++) {
        memcpy(to->origin + y * to->pitch + need->x_low,
               from->origin + y * from->pitch + need->x_low, width * sizeof(float));
    }
}

/* All of them before any: one may be closed by another. */
static void leave_plane(Run *run)
{
    for (int is_swap = 0; is_swap <= 1; is_swap++) {
        for (guint i = 0; i < run->path->nodes->len; i++) {
            const bool is_carry = nero_datapath_node(run->path, i)->kind == NERO_CARRY;

            if (is_carry && run->needs[i].is_used && is_swap == 0) {
                carry_one(run, i);
            } else if (is_carry && run->needs[i].is_used) {
                const Place place = run->places[i];

                run->places[i] = run->next[i];
                run->next[i] = place;
            }
        }
    }
}

void arch_nero_datapath_compute(const ArchNeroDatapath *self,
                                ArchNeroFormat format,
                                const ArchNeroExtent *extent,
                                const ArchNeroBox *fields,
                                const ArchNeroBox *results)
{
    const guint count = self->nodes->len;
    g_autofree NeroNeed *needs = nero_datapath_needs(self);
    g_autofree guint *passes = nero_datapath_passes(self);
    g_autofree bool *is_kept = g_new0(bool, count);
    g_autofree Place *places = g_new0(Place, count);
    g_autofree Place *next = g_new0(Place, count);
    g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
    Run run = {
        .path = self,
        .format = format,
        .extent = extent,
        .fields = fields,
        .results = results,
        .needs = needs,
        .passes = passes,
        .is_kept = is_kept,
        .places = places,
        .next = next,
        .owned = owned,
    };

    g_assert(needs != NULL);
    measure(&run);
    find_kept(&run);
    place_all(&run);
    for (guint step = 0; step < extent->nz; step++) {
        const guint z =
            self->direction == ARCH_NERO_UPWARDS ? step : extent->nz - 1 - step;

        enter_plane(&run, z);
        for (guint pass = 0; pass < run.pass_count; pass++) {
            compute_pass(&run, pass, z);
        }
        leave_plane(&run);
    }
}
