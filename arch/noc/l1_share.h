/* The cost of each flit when both networks access an L1 at once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/chipfile/params.h"
#include "sim/time.h"

/* In NOC_CYCLE parts. Plain interleaving over 16 banks does not explain the measured
 * contention; these are fitted to traces and can be left out. */
typedef struct {
    uint32_t read;
    uint32_t write;
    uint32_t both_read;  /* extra while the other network reads as well */
    uint32_t both_write; /* extra while the other network writes as well */
    uint32_t read_write; /* extra while one reads and the other writes */
    uint32_t same_noc;   /* extra while one network reads and writes */
} NocL1Costs;

/* The cycle after each network's last access; 0 for never. */
typedef struct {
    SimTime read[2];
    SimTime written[2];
} NocL1Share;

NocL1Costs noc_l1_costs_read(const ArchParams *params, bool has_conflicts);

/* The cost of one data flit of network `noc` at `now`. */
uint32_t noc_l1_share_access(
    NocL1Share *self, const NocL1Costs *costs, guint noc, bool is_write, SimTime now);
