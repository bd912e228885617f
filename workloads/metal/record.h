/* What is kept of all launches of a run: where kernels' lines go, where their time
 * went, and what they told the profiler. */
#pragma once

#include <glib.h>

#include "workloads/metal/log.h"
#include "workloads/metal/prints.h"
#include "workloads/metal/times.h"

typedef struct {
    MetalPrints prints;
    MetalTimes *times;
    MetalLog *log;
    guint dropped;     /* marks that did not fit into the profiler's buffers */
    GHashTable *noted; /* a set of texts that are said once */
} MetalRecord;
