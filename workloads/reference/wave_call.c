/* Reads a script's call of a reference wave, and answers it. */
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "sim/pages.h"
#include "workloads/buffer/bytes.h"
#include "workloads/reference/solver.h"
#include "workloads/reference/source.h"
#include "workloads/reference/wave.h"
#include "workloads/sandbox/arguments.h"

enum {
    MOST_CELLS = 65535, /* along an axis */
    MOST_STEPS = 10000000,
};

/* Arithmetic, as scripts number it. */
enum {
    DOUBLE = 1,
    BOTH,
};

static ReferenceWave check_wave(lua_State *L)
{
    ReferenceWave wave = {0};

    luaL_checktype(L, 2, LUA_TTABLE);
    wave.columns = arguments_count(L, 2, "columns", -1, MOST_CELLS);
    wave.rows = arguments_count(L, 2, "rows", -1, MOST_CELLS);
    wave.layers = arguments_count(L, 2, "layers", -1, MOST_CELLS);
    wave.steps = arguments_integer(L, 2, "steps", -1, MOST_STEPS);
    lua_getfield(L, 2, "factor");
    wave.factor = luaL_checknumber(L, -1);
    lua_getfield(L, 2, "directions");
    wave.directions = luaL_checkstring(L, -1);
    lua_getfield(L, 2, "has_idle_corners");
    wave.has_idle_corners = lua_toboolean(L, -1) != 0;
    luaL_argcheck(L, !wave.has_idle_corners || (wave.columns > 2 && wave.rows > 2), 2,
                  "a grid without corners is at least 3 x 3");
    const ReferenceSource source =
        reference_source_check(L, wave.columns, wave.rows, wave.layers);

    wave.samples = source.samples;
    wave.sample_count = source.count;
    wave.source_x = source.x;
    wave.source_y = source.y;
    wave.source_z = source.z;
    return wave;
}

/* Of numbers in fp32. */
static float *copy_of(const HostBytes *bytes)
{
    float *numbers = sim_pages_large(g_malloc(bytes->count), bytes->count);

    memcpy(numbers, bytes->data, bytes->count);
    return numbers;
}

static double largest_of(const float *numbers, gsize count)
{
    enum {
        LANES = 16
    };
    float lanes[LANES] = {0};
    double largest = 0;

    for (gsize i = 0; i + LANES <= count; i += LANES) {
        for (guint j = 0; j < LANES; j++) {
            const float size = fabsf(numbers[i + j]);

            lanes[j] = size > lanes[j] ? size : lanes[j];
        }
    }
    for (gsize i = count - count % LANES; i < count; i++) {
        largest = MAX(fabs((double) numbers[i]), largest);
    }
    for (guint j = 0; j < LANES; j++) {
        largest = MAX((double) lanes[j], largest);
    }
    return largest;
}

/* Single precision; returns the largest magnitude. The level before becomes the next
 * one where it is, so one step needs no other memory than the result's. */
static double step_single(const ReferenceWave *wave,
                          const HostBytes *now,
                          const HostBytes *before,
                          HostBytes *result)
{
    g_autofree float *copy = wave->steps > 1 ? copy_of(now) : NULL;
    float *a = copy != NULL ? copy : (float *) (gpointer) now->data;
    float *b = (float *) (gpointer) result->data;

    memcpy(b, before->data, before->count);
    const float *last = reference_wave_single(wave, a, b);

    if (last != b) {
        memcpy(b, last, result->count);
    }
    return largest_of(b, reference_wave_count(wave));
}

static double step_double(const ReferenceWave *wave,
                          const HostBytes *now,
                          const HostBytes *before,
                          HostBytes *result)
{
    if (wave->steps == 1) {
        memcpy(result->data, before->data, before->count);
        return reference_wave_step(wave, (const float *) (gconstpointer) now->data,
                                   (float *) (gpointer) result->data);
    }
    g_autofree double *a = reference_solver_doubles(NUMBER_FP32, now);
    g_autofree double *b = reference_solver_doubles(NUMBER_FP32, before);
    const double *last = reference_wave_double(wave, a, b);
    double largest = 0;

    for (gsize i = 0; i < reference_wave_count(wave); i++) {
        largest = MAX(fabs(last[i]), largest);
    }
    reference_solver_put(NUMBER_FP32, result, last);
    return largest;
}

static ReferenceBoth step(const ReferenceWave *wave,
                          int arithmetic,
                          const HostBytes *now,
                          const HostBytes *before,
                          HostBytes *result)
{
    if (arithmetic == BOTH) {
        return reference_wave_both(wave, (const float *) (gconstpointer) now->data,
                                   (const float *) (gconstpointer) before->data,
                                   (float *) (gpointer) result->data);
    }
    return (ReferenceBoth){
        .largest = arithmetic == DOUBLE ? step_double(wave, now, before, result)
                                        : step_single(wave, now, before, result),
    };
}

int reference_wave(lua_State *L)
{
    static const char *const names[] = {"single", "double", "both", NULL};
    const HostBytes *now = host_bytes_check(L, 1);
    ReferenceWave wave = check_wave(L);
    const HostBytes *before;
    HostBytes *result;
    ReferenceBoth both = {0};

    lua_getfield(L, 2, "arithmetic");
    const int arithmetic = luaL_checkoption(L, -1, "single", names);

    luaL_argcheck(L, arithmetic != BOTH || wave.steps == 1, 2,
                  "in both precisions there is one step");

    lua_getfield(L, 2, "before");
    before = host_bytes_check(L, -1);
    luaL_argcheck(L, now->count == reference_wave_count(&wave) * sizeof(float), 1,
                  "the buffer is not as large as the grid");
    luaL_argcheck(L, before->count == now->count, 2,
                  "before differs from the buffer in length");
    if (lua_getfield(L, 2, "factors") != LUA_TNIL) {
        const HostBytes *factors = host_bytes_check(L, -1);

        luaL_argcheck(L, factors->count == now->count, 2,
                      "factors differ from the buffer in length");
        wave.factors = (const float *) (gconstpointer) factors->data;
    }
    result = host_bytes_push(L, now->count, now->data != NULL);
    if (now->data != NULL && before->data != NULL) {
        both = step(&wave, arithmetic, now, before, result);
    }
    lua_pushnumber(L, both.largest);
    if (arithmetic != BOTH) {
        return 2;
    }
    lua_pushnumber(L, both.error);
    return 3;
}
