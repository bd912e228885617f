/* Compares numbers by name. */
#include "tools/gridloom/diff/difference.h"

#include <math.h>

static double relative(double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return INFINITY;
    }
    return a != 0 ? (b - a) / fabs(a) : copysign(INFINITY, b);
}

static void add(GArray *to, const char *name, double a, double b, double tolerance)
{
    if (a == b) {
        return;
    }
    const double change = relative(a, b);
    const DiffDifference item = {.name = name,
                                 .a = a,
                                 .b = b,
                                 .relative = change,
                                 .tolerance = tolerance,
                                 .is_above = fabs(change) > tolerance};

    g_array_append_val(to, item);
}

/* Sorting leaves equal ones in their order. */
static int compare(gconstpointer first, gconstpointer second)
{
    const double a = fabs(((const DiffDifference *) first)->relative);
    const double b = fabs(((const DiffDifference *) second)->relative);

    return a > b ? -1 : a < b;
}

GArray *
diff_differences(const DiffNumbers *a, const DiffNumbers *b, DiffTolerances *tolerances)
{
    GArray *self = g_array_new(FALSE, FALSE, sizeof(DiffDifference));

    for (guint i = 0; i < diff_numbers_count(a); i++) {
        const DiffNumber *own = diff_numbers_at(a, i);
        const DiffNumber *other = diff_numbers_find(b, own->name);

        add(self, own->name, own->value, other != NULL ? other->value : NAN,
            diff_tolerances_find(tolerances, own->name));
    }
    for (guint i = 0; i < diff_numbers_count(b); i++) {
        const DiffNumber *own = diff_numbers_at(b, i);

        if (diff_numbers_find(a, own->name) == NULL) {
            add(self, own->name, NAN, own->value,
                diff_tolerances_find(tolerances, own->name));
        }
    }
    g_array_sort(self, compare);
    return self;
}

guint diff_differences_above(const GArray *differences)
{
    guint count = 0;

    for (guint i = 0; i < differences->len; i++) {
        count += g_array_index(differences, DiffDifference, i).is_above;
    }
    return count;
}
