/* Ends the program when a number does not fit. */
#include "sim/narrow.h"

#include <stdio.h>
#include <unistd.h>

#include "sim/ending.h"

#define EXIT_UNMODELLED 2

void sim_narrow_refuse(const char *function, double value, double least, double most)
{
    (void) fprintf(stderr,
                   "gridloom: %s: %.17g does not fit; allowed: %.17g to %.17g\n",
                   function, value, least, most);
    (void) fflush(stderr);
    sim_ending_do();
    _exit(EXIT_UNMODELLED);
}
