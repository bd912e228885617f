/* Company: compares moments that lie side by side, because work changes with time. */
#include "sim/parallel/company.h"

enum {
    MOMENT_US = 2000,
    MOMENT_WINDOWS = 8,
    TRIAL_WINDOWS = 4,
    MOMENTS = 16, /* from one trial to the next: what a bad one costs is shared out */
    FIRST_MOMENTS = 2,
};

static const double most_advantage = 2; /* that one trial can show, or its inverse */
static const double share = 0.5;        /* of a trial in the mean */

static void learn(Company *self, double speed)
{
    const double ratio = self->is_alone ? self->speed / speed : speed / self->speed;
    const double seen = CLAMP(ratio, 1 / most_advantage, most_advantage);

    self->advantage =
        self->advantage == 0 ? seen : (1 - share) * self->advantage + share * seen;
}

/* What the next moment is. */
static void turn(Company *self, double speed)
{
    if (self->is_trial) {
        learn(self, speed);
        self->is_alone = self->advantage < 1;
        self->is_trial = false;
        self->moments = 0;
        return;
    }
    self->speed = speed;
    self->moments++;
    if (self->moments >= (self->advantage == 0 ? FIRST_MOMENTS : MOMENTS) &&
        speed > 0) {
        self->is_alone = !self->is_alone;
        self->is_trial = true;
    }
}

bool company_is_alone(Company *self, gint64 now, uint64_t events)
{
    const gint64 passed = now - self->began;
    const guint least = self->is_trial ? TRIAL_WINDOWS : MOMENT_WINDOWS;

    if (self->began != 0) {
        self->windows++;
        if (passed < MOMENT_US || self->windows < least) {
            return self->is_alone;
        }
        turn(self, (double) (events - self->events) / (double) passed);
    }
    self->began = now;
    self->windows = 0;
    self->events = events;
    return self->is_alone;
}
