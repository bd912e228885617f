/* Compares what arrays of simple values hold. */
#include "sim/compare.h"

#include <string.h>

#include "sim/time.h"

int sim_compare_doubles(gconstpointer a, gconstpointer b)
{
    const double one = *(const double *) a;
    const double two = *(const double *) b;

    return (one > two) - (one < two);
}

int sim_compare_times(gconstpointer a, gconstpointer b)
{
    const SimTime one = *(const SimTime *) a;
    const SimTime two = *(const SimTime *) b;

    return (one > two) - (one < two);
}

int sim_compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}
