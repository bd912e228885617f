/* What a host program did since it last changed something, see livelock.h. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "sim/poll.h"
#include "sim/time.h"

typedef struct {
    guint moving;      /* host threads in a transfer, or paying for a launch */
    uint64_t work;     /* calls that are no polls */
    SimPolls polls;    /* places of chips that it read */
    SimTime cycles;    /* polled since the last work, */
    uint64_t progress; /* or since the chips' progress was this */
} HostPolling;
