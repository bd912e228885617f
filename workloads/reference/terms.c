/* Adds terms in loops that the compiler vectorises. */
#include "workloads/reference/terms.h"

#include <math.h>

/* The program picks the version for its processor when it starts; without a fused
 * instruction fmaf() is a call. Results do not differ. As arch/wse/program/row.c has
 * it. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__clang__) &&             \
    !defined(GRIDLOOM_SANITIZE)
#define TERMS_LOOP __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define TERMS_LOOP
#endif

enum {
    TOGETHER = 4, /* terms of a pass */
};

static inline float add_rounded(float sum, float cell, float coefficient)
{
    const float product = cell * coefficient;

    return sum + product;
}

static inline float add_fused(float sum, float cell, float coefficient)
{
    return fmaf(cell, coefficient, sum);
}

static inline double add_double(double sum, double cell, double coefficient)
{
    return sum + coefficient * cell;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): types and names of functions have none. */

/* Defines the function `name`, which adds with `add`, and what it needs: TOGETHER terms
 * where all of them have cells, and any number of them anywhere. */
#define DEFINE_TERMS(name, Sum, Cell, add)                                             \
    TERMS_LOOP static void name##_together(Sum *restrict sum, const Cell *level,       \
                                           const ReferenceTerm *terms, guint first,    \
                                           guint end)                                  \
    {                                                                                  \
        const Cell *a = level + terms[0].at;                                           \
        const Cell *b = level + terms[1].at;                                           \
        const Cell *c = level + terms[2].at;                                           \
        const Cell *d = level + terms[3].at;                                           \
        const Sum by_a = (Sum) terms[0].coefficient;                                   \
        const Sum by_b = (Sum) terms[1].coefficient;                                   \
        const Sum by_c = (Sum) terms[2].coefficient;                                   \
        const Sum by_d = (Sum) terms[3].coefficient;                                   \
                                                                                       \
        for (guint z = first; z < end; z++) {                                          \
            const Sum two = add(add(sum[z], a[z], by_a), b[z], by_b);                  \
                                                                                       \
            sum[z] = add(add(two, c[z], by_c), d[z], by_d);                            \
        }                                                                              \
    }                                                                                  \
                                                                                       \
    TERMS_LOOP static void name##_apart(Sum *restrict sum, const Cell *level,          \
                                        const ReferenceTerm *terms, guint count,       \
                                        Range range)                                   \
    {                                                                                  \
        for (guint i = 0; i < count; i++) {                                            \
            const Cell *cells = level + terms[i].at;                                   \
            const Sum by = (Sum) terms[i].coefficient;                                 \
            const guint end = MIN(range.end, terms[i].end);                            \
                                                                                       \
            for (guint z = MAX(range.first, terms[i].first); z < end; z++) {           \
                sum[z] = add(sum[z], cells[z], by);                                    \
            }                                                                          \
        }                                                                              \
    }                                                                                  \
                                                                                       \
    void name(Sum *sum, const Cell *level, const ReferenceTerm *terms, guint count)    \
    {                                                                                  \
        guint i = 0;                                                                   \
                                                                                       \
        for (; i + TOGETHER <= count; i += TOGETHER) {                                 \
            const Range all = common_to(terms + i);                                    \
                                                                                       \
            name##_apart(sum, level, terms + i, TOGETHER, (Range){0, all.first});      \
            name##_together(sum, level, terms + i, all.first, all.end);                \
            name##_apart(sum, level, terms + i, TOGETHER,                              \
                         (Range){all.end, G_MAXUINT});                                 \
        }                                                                              \
        name##_apart(sum, level, terms + i, count - i, (Range){0, G_MAXUINT});         \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

/* Elements from `first` to before `end`. */
typedef struct {
    guint first;
    guint end;
} Range;

/* What TOGETHER terms have in common. */
static Range common_to(const ReferenceTerm *terms)
{
    Range range = {.first = terms[0].first, .end = terms[0].end};

    for (guint i = 1; i < TOGETHER; i++) {
        range.first = MAX(range.first, terms[i].first);
        range.end = MIN(range.end, terms[i].end);
    }
    range.end = MAX(range.first, range.end);
    return range;
}

DEFINE_TERMS(reference_terms_rounded, float, float, add_rounded)
DEFINE_TERMS(reference_terms_fused, float, float, add_fused)
DEFINE_TERMS(reference_terms_of_floats, double, float, add_double)
DEFINE_TERMS(reference_terms_of_doubles, double, double, add_double)
