/* What datapaths compute, against expressions that are evaluated one point at a time,
 * in double, by other code. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/nero_datapath.h"

enum {
    MARGIN = 24, /* on all sides of fields, more than random expressions reach */
    FIELDS = 3,
    NODES = 24,
    ROUNDS = 300,
};

/* An expression of the test's own, beside the datapath's value. */
typedef enum {
    OWN_FIELD,
    OWN_CONSTANT,
    OWN_OPERATOR,
    OWN_STAGE,
    OWN_CARRY,
} OwnKind;

typedef struct {
    OwnKind kind;
    ArchNeroOperator operation;
    guint of[3];
    guint field;
    int dx, dy, dz;
    double number;
    ArchNeroValue value;
} Own;

typedef struct {
    ArchNeroDatapath *path;
    ArchNeroFormat format;
    ArchNeroExtent extent;
    ArchNeroDirection direction;
    guint count;
    Own own[NODES];
    ArchNeroValue results[2];
    float *fields[FIELDS];
    ArchNeroBox boxes[FIELDS];
    GHashTable *known; /* key of (node, x, y, z) -> double */
} Case;

/* By the definition of the format, in double. */
static double rounded(ArchNeroFormat format, double value)
{
    const int digits = format == ARCH_NERO_FP32 ? 24 : 11;
    const int least = format == ARCH_NERO_FP32 ? -149 : -24;
    const double most = format == ARCH_NERO_FP32 ? 0x1.fffffep127 : 65504;
    int exponent = 0;
    double size = 0;

    if (value == 0 || !isfinite(value)) {
        return value;
    }
    (void) frexp(value, &exponent);
    exponent = MAX(exponent - digits, least);
    size = fabs(ldexp(nearbyint(ldexp(value, -exponent)), exponent));
    return copysign(size > most ? INFINITY : size, value);
}

static double evaluate(Case *c, guint node, int x, int y, int z);

static double evaluate_operator(Case *c, const Own *own, const int at[3])
{
    double operand[3] = {0};
    double result = 0;

    for (guint i = 0; i < 3; i++) {
        const bool has = i == 0 || (own->operation != ARCH_NERO_NEGATE &&
                                    (i == 1 || own->operation == ARCH_NERO_SELECT));

        operand[i] = has ? evaluate(c, own->of[i], at[0], at[1], at[2]) : 0;
    }
    switch (own->operation) {
    case ARCH_NERO_ADD:
        result = operand[0] + operand[1];
        break;
    case ARCH_NERO_SUB:
        result = operand[0] - operand[1];
        break;
    case ARCH_NERO_MUL:
        result = operand[0] * operand[1];
        break;
    case ARCH_NERO_DIV:
        result = operand[0] / operand[1];
        break;
    case ARCH_NERO_NEGATE:
        return -operand[0];
    case ARCH_NERO_SELECT:
        return operand[0] > 0 ? operand[1] : operand[2];
    case ARCH_NERO_OPERATORS:
        fail();
    }
    return rounded(c->format, result);
}

static double evaluate_field(const Case *c, const Own *own, int x, int y, int z)
{
    const int plane = z + own->dz;
    const int in_grid = plane + (int) c->extent.z_first;
    const ArchNeroBox *box = &c->boxes[own->field];

    if (in_grid < 0 || in_grid >= (int) c->extent.grid_depth) {
        return 0;
    }
    return box->origin[(x + own->dx) + (y + own->dy) * (ptrdiff_t) box->row +
                       plane * (ptrdiff_t) box->plane];
}

static double evaluate_anew(Case *c, guint node, int x, int y, int z)
{
    const Own *own = &c->own[node];
    const int before = c->direction == ARCH_NERO_UPWARDS ? z - 1 : z + 1;

    switch (own->kind) {
    case OWN_FIELD:
        return evaluate_field(c, own, x, y, z);
    case OWN_CONSTANT:
        return rounded(c->format, own->number);
    case OWN_OPERATOR:
        return evaluate_operator(c, own, (int[3]){x, y, z});
    case OWN_STAGE:
        return evaluate(c, own->of[0], x + own->dx, y + own->dy, z);
    case OWN_CARRY:
        if (before < 0 || before >= (int) c->extent.nz) {
            return 0;
        }
        return evaluate(c, own->of[0], x, y, before);
    }
    return NAN;
}

static double evaluate(Case *c, guint node, int x, int y, int z)
{
    const gint64 key =
        (((gint64) node * 512 + x + 128) * 512 + y + 128) * 512 + z + 128;
    const double *known = g_hash_table_lookup(c->known, &key);

    if (known == NULL) {
        const double value = evaluate_anew(c, node, x, y, z);

        g_hash_table_insert(c->known, g_memdup(&key, sizeof key),
                            g_memdup(&value, sizeof value));
        return value;
    }
    return *known;
}

static guint any(GRand *rand, guint below)
{
    return (guint) g_rand_int_range(rand, 0, (gint32) below);
}

static int near(GRand *rand, int far)
{
    return g_rand_int_range(rand, -far, far + 1);
}

static void add_leaf(Case *c, GRand *rand, Own *own)
{
    static const double numbers[] = {0, 1, -1, 0.5, 4, 0.025, -0.3, 1e-7, 70000};

    if (any(rand, 4) == 0) {
        own->kind = OWN_CONSTANT;
        own->number = numbers[any(rand, G_N_ELEMENTS(numbers))];
        own->value = arch_nero_datapath_constant(c->path, own->number);
        return;
    }
    own->kind = OWN_FIELD;
    own->field = any(rand, FIELDS);
    own->dx = near(rand, 2);
    own->dy = near(rand, 2);
    own->dz = near(rand, 1);
    own->value = arch_nero_datapath_field(c->path, own->field,
                                          (ArchNeroTap){own->dx, own->dy, own->dz});
}

static void add_operator(Case *c, GRand *rand, Own *own)
{
    ArchNeroValue operands[3] = {0};

    own->kind = OWN_OPERATOR;
    own->operation = (ArchNeroOperator) any(rand, ARCH_NERO_OPERATORS);
    for (guint i = 0; i < 3; i++) {
        own->of[i] = any(rand, c->count);
        operands[i] = c->own[own->of[i]].value;
    }
    own->value = arch_nero_datapath_apply(c->path, own->operation, operands);
}

static void add_stage(Case *c, GRand *rand, Own *own)
{
    own->kind = OWN_STAGE;
    own->of[0] = any(rand, c->count);
    own->dx = near(rand, 1);
    own->dy = near(rand, 1);
    assert_true(arch_nero_datapath_stage(c->path, c->own[own->of[0]].value,
                                         (ArchNeroTap){own->dx, own->dy, 0},
                                         &own->value, NULL));
}

static void grow(Case *c, GRand *rand)
{
    Own *own = &c->own[c->count];
    const guint kind = c->count < 3 ? 0 : any(rand, 10);

    if (kind < 2) {
        add_leaf(c, rand, own);
    } else if (kind < 7) {
        add_operator(c, rand, own);
    } else if (kind < 9) {
        add_stage(c, rand, own);
    } else {
        own->kind = OWN_CARRY;
        own->value = arch_nero_datapath_carry(c->path);
    }
    c->count++;
}

static void close_carries(Case *c, GRand *rand)
{
    for (guint i = 0; i < c->count; i++) {
        if (c->own[i].kind == OWN_CARRY) {
            c->own[i].of[0] = any(rand, c->count);
            arch_nero_datapath_close(c->path, c->own[i].value,
                                     c->own[c->own[i].of[0]].value);
        }
    }
}

static void fill(Case *c, GRand *rand)
{
    const gsize row = c->extent.nx + 2 * MARGIN;
    const gsize plane = row * (c->extent.ny + 2 * MARGIN);
    const gsize count = plane * (c->extent.nz + 2);

    for (guint f = 0; f < FIELDS; f++) {
        c->fields[f] = g_new(float, count);
        for (gsize i = 0; i < count; i++) {
            c->fields[f][i] = (float) g_rand_int_range(rand, -2048, 2049) / 1024;
        }
        c->boxes[f] = (ArchNeroBox){
            .origin = c->fields[f] + plane + MARGIN * row + MARGIN,
            .row = row,
            .plane = plane,
        };
    }
}

static void start(Case *c, GRand *rand)
{
    *c = (Case){
        .format = any(rand, 2) == 0 ? ARCH_NERO_FP32 : ARCH_NERO_FP16,
        .direction = any(rand, 2) == 0 ? ARCH_NERO_UPWARDS : ARCH_NERO_DOWNWARDS,
        .extent = {.nx = 1 + any(rand, 9),
                   .ny = 1 + any(rand, 4),
                   .nz = 1 + any(rand, 4)},
    };
    c->extent.z_first = any(rand, 3);
    c->extent.grid_depth = c->extent.z_first + c->extent.nz + any(rand, 2);
    c->path = arch_nero_datapath_new("any", c->direction, FIELDS);
    c->known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    while (c->count < NODES) {
        grow(c, rand);
    }
    close_carries(c, rand);
    c->results[0] = c->own[NODES - 1].value;
    c->results[1] = c->own[any(rand, NODES)].value;
    (void) arch_nero_datapath_result(c->path, c->results[0]);
    (void) arch_nero_datapath_result(c->path, c->results[1]);
    fill(c, rand);
}

static void end(Case *c)
{
    for (guint f = 0; f < FIELDS; f++) {
        g_free(c->fields[f]);
    }
    g_hash_table_unref(c->known);
    arch_nero_datapath_free(c->path);
}

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static guint node_of(const Case *c, ArchNeroValue value)
{
    for (guint i = 0; i < c->count; i++) {
        if (c->own[i].value == value) {
            return i;
        }
    }
    fail();
    return 0;
}

static void compare(Case *c, guint round, const ArchNeroBox *box, ArchNeroValue value)
{
    const guint node = node_of(c, value);

    for (guint z = 0; z < c->extent.nz; z++) {
        for (guint y = 0; y < c->extent.ny; y++) {
            for (guint x = 0; x < c->extent.nx; x++) {
                const double got = box->origin[x + y * box->row + z * box->plane];
                const double want = evaluate(c, node, (int) x, (int) y, (int) z);

                if (!is_same(got, want)) {
                    fail_msg("case %u at %u,%u,%u: %a, not %a", round, x, y, z, got,
                             want);
                }
            }
        }
    }
}

static void compute_and_compare(Case *c, guint round)
{
    const gsize plane = (gsize) c->extent.nx * c->extent.ny;
    g_autofree float *numbers = g_new0(float, 2 * plane * c->extent.nz);
    const ArchNeroBox boxes[2] = {
        {.origin = numbers, .row = c->extent.nx, .plane = plane},
        {.origin = numbers + plane * c->extent.nz, .row = c->extent.nx, .plane = plane},
    };

    arch_nero_datapath_compute(c->path, c->format, &c->extent, c->boxes, boxes);
    for (guint i = 0; i < 2; i++) {
        compare(c, round, &boxes[i], c->results[i]);
    }
}

static bool is_in_margin(const Case *c)
{
    const ArchNeroReach reach = arch_nero_datapath_reach(c->path);

    return MAX(MAX(reach.x_before, reach.x_after),
               MAX(reach.y_before, reach.y_after)) <= MARGIN;
}

/* Those that are refused have a carry that reaches sideways: some, not most. */
static void
random_datapaths_compute_what_their_expressions_say(void **state G_GNUC_UNUSED)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(11);
    guint computed = 0;

    for (guint round = 0; round < ROUNDS; round++) {
        Case c;

        start(&c, rand);
        if (arch_nero_datapath_check(c.path, NULL)) {
            assert_true(is_in_margin(&c));
            compute_and_compare(&c, round);
            computed++;
        }
        end(&c);
    }
    assert_in_range(computed, ROUNDS / 2, ROUNDS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_datapaths_compute_what_their_expressions_say),
    };

    return cmocka_run_group_tests_name("arch.nero_compute", tests, NULL, NULL);
}
