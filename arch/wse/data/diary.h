/* What folded PEs do with their numbers. A PE that stands for others writes it down
 * while it is simulated; later each of the PEs does it with its own numbers, in the
 * same order. Streams under way are letters (letter.h) as long as there is a diary. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/data/backlog.h"
#include "arch/wse/fabric.h"

typedef struct WseDiary WseDiary;

/* Begins a diary of the PEs that have a state. Their programs suit (later.h), and
 * nothing is under way. */
WseDiary *wse_diary_new(const WseFabric *fabric);
void wse_diary_free(WseDiary *self);

/* Writes down an operation whose result stays in memory; its payloads are letters.
 * Returns false if it reaches beyond the memory. */
bool wse_diary_add(WseRegion *region, uint32_t pe, const WseDeed *deed);

/* The same of one that sends so many words, and gives it a letter. */
bool wse_diary_send(WseRegion *region,
                    uint32_t pe,
                    const WseDeed *deed,
                    uint32_t words,
                    uint32_t *letter);

/* Whether it is to be settled before PEs go on. If it is full even then, letters would
 * no longer have numbers of their own: everybody needs a state. */
bool wse_diary_is_full(const WseDiary *self);

/* Lets all PEs do what is written down. Nothing happens without a diary. */
void wse_diary_settle(WseFabric *fabric);

/* The wafer was folded anew, after the diary was settled. If nothing is folded any
 * more, letters become payloads and the diary ends. */
void wse_diary_move(WseFabric *fabric);

/* Settles it, and forgets what was under way: PEs begin again. */
void wse_diary_reset(WseFabric *fabric);
