/* The inside of an exchange, for its drivers and senders. */
#pragma once

#include "workloads/host/driver.h"
#include "workloads/host/exchange.h"

struct Exchange {
    SessionRun *run;
    SimSystem *system;
    Driver *drivers; /* by chip */
    guint driver_count;
    guint under_way; /* messages that have not come in yet */
    bool is_over;    /* the run ends or stops */
};
