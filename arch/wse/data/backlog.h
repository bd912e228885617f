/* Vector operations of a PE that are computed later, when something reads what they
 * write: for many of them at once, its memory comes into the host's cache once.
 * Outcomes are those of each operation at its time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/data/given.h"
#include "arch/wse/region.h"

enum {
    /* Operations that may wait, fewer where PEs have little memory; a step of the
     * 25-point stencil has 73. */
    WSE_DEEDS = 80,
};

/* Elements `first` to `first` + `count` - 1 of an operation of the PE's program. */
typedef struct {
    uint32_t payloads[2]; /* of its fabric sources, or WSE_NO_PAYLOAD */
    uint16_t lefts[2];    /* words of them, from the first that it takes to the last */
    uint16_t instruction;
    uint16_t first;
    uint16_t count;
    int16_t offsets[WSE_OPERANDS];
} WseDeed;

void wse_deed_offsets(const WseDeed *self, int32_t offsets[WSE_OPERANDS]);

/* Whether it is sure to stay inside the memory, and all that it writes there. */
bool wse_deed_is_inside(const WseKind *kind, const WseDeed *self, WseBytes *written);
/* Whether it also takes from memory or payloads only, and writes to memory. */
bool wse_deed_can_wait(const WseKind *kind, const WseDeed *self, WseBytes *written);

/* PEs have numbers among all PEs of the wafer here. */
typedef struct WseBacklogs WseBacklogs;

/* For so many PEs with so much memory, all 0, without deeds. */
WseBacklogs *wse_backlogs_new(guint pe_count, gsize memory_bytes);
void wse_backlogs_free(WseBacklogs *self);

/* What PEs were given before programs changed it. */
WseGivens *wse_backlogs_givens(WseBacklogs *self);

/* Lets an operation wait, and takes a reference to each of its payloads over. Returns
 * false if it cannot wait: it is to be executed now. */
bool wse_backlog_add(WseRegion *region, uint32_t pe, const WseDeed *deed);
/* The same of one that can, and is known to write this. */
void wse_backlog_put(WseRegion *region,
                     uint32_t pe,
                     const WseDeed *deed,
                     WseBytes written);

/* The PE's memory, to read and write as one likes. All deeds are done. */
uint8_t *wse_backlog_memory(WseRegion *region, uint32_t pe);

/* What the host writes and reads between runs. `from` stays as it is until the end if
 * `is_kept`. Where deeds are to be done for what is read, the first time they
 * are done in `scratch`, which is as large as a PE's memory: memory that only programs
 * need then takes no room of the host. */
void wse_backlog_write(
    WseRegion *region, uint32_t pe, WseBytes bytes, const uint8_t *from, bool is_kept);
void wse_backlog_read(
    WseRegion *region, uint32_t pe, WseBytes bytes, gpointer to, uint8_t *scratch);

/* Asks the host's memory for what wse_backlog_add() will need. */
void wse_backlog_ask_for(const WseRegion *region, uint32_t pe);

/* The PE's memory for this operation alone. Deeds that it does not depend on may
 * wait. */
uint8_t *wse_backlog_memory_for(WseRegion *region,
                                uint32_t pe,
                                const WseInstruction *instruction,
                                const int32_t offsets[WSE_OPERANDS]);

/* A payload for so many words that an operation sends now. If `is_filled`, it is
 * another reference to the PE's last one, which has the same words in it. */
uint32_t wse_backlog_payload(WseRegion *region,
                             uint32_t pe,
                             const WseDeed *deed,
                             uint32_t words,
                             bool *is_filled);
