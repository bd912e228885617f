/* A run against the roofs of its chip. */
#pragma once

#include "workloads/script/session.h"

/* Into the outcome: the roofs of the cores that had programs, and how near the run came
 * to them while programs ran. Starting them and transfers of the host do not count. */
void roofs_report(Session *session);
