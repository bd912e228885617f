/* Whether a thread works in company or alone. On a machine where other things run,
 * threads that wait for each other after each window can be slower than one of them
 * alone. So now and then the other way is tried for a moment, and the faster one of the
 * last moments is kept. Changes speed, never results. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* Zero-initialised means in company, and nothing tried yet. */
typedef struct {
    bool is_alone;
    bool is_trial;    /* the other way than that which is kept */
    guint moments;    /* with the kept way since the last trial */
    guint windows;    /* of this moment */
    gint64 began;     /* this moment, in us; 0: never */
    uint64_t events;  /* run before it */
    double speed;     /* of the moment before, in events a us */
    double advantage; /* of company: its speed over that of one alone, a mean; 0: not
                       * known */
} Company;

/* A window begins at the host's time `now`, in us, after so many events. Returns
 * whether one thread runs it alone. */
bool company_is_alone(Company *self, gint64 now, uint64_t events);
