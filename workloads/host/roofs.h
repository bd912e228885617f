/* A run compared with the roofs of its chip. */
#pragma once

#include "workloads/host/session.h"

/* Into the outcome: the roofs of the cores that had programs, and how near the run came
 * to them while programs ran. Starting them and transfers of the host do not count.
 * Those of several chips are added up: the time is that of the chip whose programs took
 * longest, as if all had worked at the same time. */
void roofs_report(const SessionRun *run);
