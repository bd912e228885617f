/* Messages between the regions of a wafer. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/wse/router/token.h"

struct WseRegion;

/* What one region tells another, to be taken note of in the next cycle. */
typedef enum {
    WSE_MESSAGE_TOKEN, /* a token has been put into `ring` */
    WSE_MESSAGE_SPACE, /* one has left it; token.head says from when on there is space
                        */
} WseMessageKind;

typedef struct {
    uint32_t pe; /* of the receiving region */
    uint8_t ring;
    uint8_t kind;
    WseToken token;
    uint64_t flow; /* of the token, where somebody watches */
} WseMessage;

typedef struct {
    struct WseRegion *to;
    GArray *messages; /* of WseMessage */
} WseMail;
