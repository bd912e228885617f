/* Between PEs that are visited and their neighbours in step. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/wse/rank/member.h"

/* A token that is not plain got to a PE in step. */
typedef struct {
    uint32_t number; /* of the PE */
    uint8_t ring;    /* of it */
    WseToken token;
} WseSurprise;

enum {
    WSE_BORDER_MOST = WSE_COLORS * WSE_LINKS,
};

/* A ring of a neighbour in step, to which a PE sends. */
typedef struct {
    WseRing *ring;
    const WseMember *to;
    guint index; /* of the ring, in its PE */
} WseBorderRing;

/* Those of one PE, during its visit. */
typedef struct {
    WseMember to[WSE_LINKS];
    uint32_t colors; /* of the PE that can go on */
    guint count;
    WseBorderRing rings[WSE_BORDER_MOST];
} WseBorder;

/* Before the visit of a router, in which these colors, as bits by slot, can go on: in
 * the blocks of neighbours in step, rings that they go to are full or empty, as there
 * is room. */
void wse_border_open(WseBorder *self, const WseMember *member, uint32_t colors);

/* After it: takes from there what the PE has sent; what is not plain goes to
 * `surprises` (of WseSurprise). If it found no room, it is told when there is. Finds
 * out in which of the rings of these colors there is room in cycle `next`. */
void wse_border_close(WseBorder *self,
                      const WseMember *member,
                      uint32_t next,
                      GArray *surprises);

/* At the end of a cycle: tokens that came to PEs of the rank which are not in step get
 * into their blocks. */
void wse_border_deliver(WseRank *rank,
                        const WseFit *fits,
                        WseRegion *region,
                        uint32_t now);

/* Puts the token into the block of a PE, which is not in step any more. */
void wse_border_put(const WseMember *self, const WseSurprise *surprise);

/* At the end of a cycle: PEs that are not in step and wait for room that there is now
 * in rings of the rank look again in the next one. */
void wse_border_tell(WseRank *rank, WseRegion *region, uint32_t now);
