/* Measurements of traffic: packets created in a span of time, and links by windows. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/noc/windows.h"
#include "arch/traffic/histogram.h"
#include "arch/traffic/traffic.h"

typedef struct {
    const ArchNocTrafficConfig *config; /* borrowed */
    const ArchNoc *noc;                 /* borrowed */
    SimTime from;                       /* measured are packets created from here ... */
    SimTime to; /* ... until before here; SIM_TIME_NEVER while open */
    uint64_t sent;
    uint64_t arrived;       /* in the span, whenever created */
    NocHistogram latencies; /* of measured packets that have arrived */
    uint64_t hops;          /* theirs */
    uint64_t window_arrived;
    uint64_t window_latency;
    GArray *means;      /* of double: of all windows, those before `from` included */
    NocWindows windows; /* `from` is their first bound */
} NocMeasurement;

void noc_measurement_init(NocMeasurement *self,
                          const ArchNocTrafficConfig *config,
                          const ArchNoc *noc);
void noc_measurement_clear(NocMeasurement *self);

/* Measured packets that have not arrived. */
uint64_t noc_measurement_pending(const NocMeasurement *self);

/* Windows since the start of measuring. */
guint noc_measurement_window_count(const NocMeasurement *self);

/* The means of the last `count` windows differ by no more than `tolerance`. */
bool noc_measurement_is_steady(const NocMeasurement *self,
                               guint count,
                               double tolerance);

/* Less arrives than is sent, by more than 5 %. */
bool noc_measurement_is_rate_lost(const NocMeasurement *self);

/* Packets take more than three times as long as without load. */
bool noc_measurement_is_late(const NocMeasurement *self);

/* Starts anew; the means of earlier windows are kept. */
void noc_measurement_begin(NocMeasurement *self, SimTime now);
void noc_measurement_end_window(NocMeasurement *self, SimTime now);
void noc_measurement_end(NocMeasurement *self, SimTime now);

/* Makes one window of the first and second, one of the third and fourth, and so on. */
void noc_measurement_merge_windows(NocMeasurement *self);

void noc_measurement_send(NocMeasurement *self);
void noc_measurement_receive(NocMeasurement *self, const ArchNocDelivery *delivery);

/* Puts latencies, rates, links and windows into `result`. */
void noc_measurement_report(NocMeasurement *self, ArchNocTraffic *result);
