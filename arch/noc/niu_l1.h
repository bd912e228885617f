/* The words of packets at the banks of a tile's L1. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/noc/niu.h"

/* The next flit of a packet's data takes its words to the banks, or from them; returns
 * how long they wait there. */
SimTime noc_niu_l1_wait(const NocNiuNoc *noc,
                        uint32_t node,
                        const NocPacket *packet,
                        bool is_in,
                        SimTime now);

/* An atomic, or a write of one word that came in its header. */
void noc_niu_change_word(const NocNiuNoc *noc,
                         uint32_t node,
                         const ArchNocCommand *command,
                         SimTime now);
