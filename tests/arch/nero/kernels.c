/* Horizontal diffusion and vertical advection, operator by operator. */
#include "tests/arch/nero/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

typedef ArchNeroDatapath Path;
typedef ArchNeroValue Value;

static Value apply2(Path *d, ArchNeroOperator operation, Value a, Value b)
{
    return arch_nero_datapath_apply(d, operation, (Value[]){a, b});
}

static Value plus(Path *d, Value a, Value b)
{
    return apply2(d, ARCH_NERO_ADD, a, b);
}

static Value minus(Path *d, Value a, Value b)
{
    return apply2(d, ARCH_NERO_SUB, a, b);
}

static Value times(Path *d, Value a, Value b)
{
    return apply2(d, ARCH_NERO_MUL, a, b);
}

static Value field(Path *d, guint number, int dx, int dy, int dz)
{
    return arch_nero_datapath_field(d, number, (ArchNeroTap){dx, dy, dz});
}

static Value constant(Path *d, double number)
{
    return arch_nero_datapath_constant(d, number);
}

static Value take(Path *d, Value of, int dx, int dy)
{
    Value value = 0;

    assert_true(
        arch_nero_datapath_stage(d, of, (ArchNeroTap){dx, dy, 0}, &value, NULL));
    return value;
}

static Value flux(Path *d, Value lap, bool has_limiter, int dx, int dy)
{
    const Value flux = minus(d, take(d, lap, dx, dy), take(d, lap, 0, 0));
    const Value slope = minus(d, field(d, 0, dx, dy, 0), field(d, 0, 0, 0, 0));

    if (!has_limiter) {
        return flux;
    }
    return arch_nero_datapath_apply(
        d, ARCH_NERO_SELECT, (Value[]){times(d, flux, slope), constant(d, 0), flux});
}

ArchNeroDatapath *hdiff_datapath(bool has_limiter)
{
    Path *d = arch_nero_datapath_new("hdiff", ARCH_NERO_UPWARDS, 1);
    const Value u = field(d, 0, 0, 0, 0);
    const Value beside = plus(d, plus(d, field(d, 0, 1, 0, 0), field(d, 0, -1, 0, 0)),
                              plus(d, field(d, 0, 0, 1, 0), field(d, 0, 0, -1, 0)));
    const Value lap = minus(d, times(d, constant(d, 4), u), beside);
    const Value fx = flux(d, lap, has_limiter, 1, 0);
    const Value fy = flux(d, lap, has_limiter, 0, 1);
    const Value sum = plus(d, minus(d, take(d, fx, 0, 0), take(d, fx, -1, 0)),
                           minus(d, take(d, fy, 0, 0), take(d, fy, 0, -1)));

    (void) arch_nero_datapath_result(d, minus(d, u, times(d, constant(d, 0.025), sum)));
    return d;
}

ArchNeroDatapath *vadvc_forward(void)
{
    enum {
        WCON,
        USTAGE,
        UPOS,
        UTENS,
        UTENSSTAGE
    };
    Path *d = arch_nero_datapath_new("forward", ARCH_NERO_UPWARDS, VADVC_FIELDS);
    const Value beta = constant(d, 0.5);
    const Value dtr = constant(d, 0.15);
    const Value gav = times(d, constant(d, -0.25),
                            plus(d, field(d, WCON, 1, 0, 0), field(d, WCON, 0, 0, 0)));
    const Value gcv = times(d, constant(d, 0.25),
                            plus(d, field(d, WCON, 1, 0, 1), field(d, WCON, 0, 0, 1)));
    const Value acol = times(d, gav, beta);
    const Value ccol_raw = times(d, gcv, beta);
    const Value bcol = minus(d, minus(d, dtr, acol), ccol_raw);
    const Value u = field(d, USTAGE, 0, 0, 0);
    const Value correction =
        minus(d, times(d, acol, minus(d, u, field(d, USTAGE, 0, 0, -1))),
              times(d, ccol_raw, minus(d, field(d, USTAGE, 0, 0, 1), u)));
    const Value dcol_raw = plus(
        d,
        plus(d,
             plus(d, times(d, dtr, field(d, UPOS, 0, 0, 0)), field(d, UTENS, 0, 0, 0)),
             field(d, UTENSSTAGE, 0, 0, 0)),
        correction);
    const Value ccol_before = arch_nero_datapath_carry(d);
    const Value dcol_before = arch_nero_datapath_carry(d);
    const Value divided = apply2(d, ARCH_NERO_DIV, constant(d, 1),
                                 minus(d, bcol, times(d, ccol_before, acol)));
    const Value ccol = times(d, ccol_raw, divided);
    const Value dcol =
        times(d, minus(d, dcol_raw, times(d, dcol_before, acol)), divided);

    arch_nero_datapath_close(d, ccol_before, ccol);
    arch_nero_datapath_close(d, dcol_before, dcol);
    (void) arch_nero_datapath_result(d, ccol);
    (void) arch_nero_datapath_result(d, dcol);
    return d;
}

ArchNeroDatapath *vadvc_backward(void)
{
    enum {
        UPOS = 2,
        CCOL = VADVC_FIELDS,
        DCOL
    };
    Path *d = arch_nero_datapath_new("backward", ARCH_NERO_DOWNWARDS,
                                     VADVC_FIELDS + VADVC_BETWEEN);
    const Value before = arch_nero_datapath_carry(d);
    const Value data =
        minus(d, field(d, DCOL, 0, 0, 0), times(d, field(d, CCOL, 0, 0, 0), before));

    arch_nero_datapath_close(d, before, data);
    (void) arch_nero_datapath_result(
        d, times(d, constant(d, 0.15), minus(d, data, field(d, UPOS, 0, 0, 0))));
    return d;
}
