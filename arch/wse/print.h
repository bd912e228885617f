/* The lines that PEs print while they run, and the records that they leave. */
#pragma once

#include <glib.h>

#include "arch/wse/region.h"

struct WsePrints *wse_prints_new(void);
void wse_prints_free(struct WsePrints *self);

/* The PE has come to an instruction of these at `when`: a WSE_PRINT, which is a line of
 * its own; a piece of a line that a newline ends, WSE_PRINT_TEXT or WSE_PRINT_VALUE;
 * or a WSE_RECORD. */
void wse_print_add(WseRegion *region,
                   uint32_t number,
                   const WseInstruction *instruction,
                   uint32_t when);
void wse_print_piece(WseRegion *region,
                     uint32_t number,
                     const WseInstruction *instruction,
                     uint32_t when);
void wse_print_record(WseRegion *region,
                      uint32_t number,
                      const WseInstruction *instruction,
                      uint32_t when);

/* Forgets lines and records of code that began after cycle `last`. */
void wse_prints_end_at(struct WsePrints *self, uint32_t last);
/* Forgets lines that are not complete, and records. */
void wse_prints_reset(struct WsePrints *self);
