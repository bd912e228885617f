/* The words of streams under way. The copies that a router makes of a stream share
 * them. */
#pragma once

#include <stdint.h>

#include <glib.h>

#define WSE_NO_PAYLOAD UINT32_MAX /* no number of one, nor of a letter */

typedef struct WsePayloads WsePayloads;

/* Payloads owned by region `owner`. */
WsePayloads *wse_payloads_new(guint owner);
void wse_payloads_free(WsePayloads *self);

/* Allocates `count` words with one reference and returns the payload's number. Only the
 * owner may call it. */
uint32_t wse_payloads_add(WsePayloads *self, guint count);

/* The same with words that stay where and as they are as long as the payload does. */
uint32_t wse_payloads_add_fixed(WsePayloads *self, guint count, const uint32_t *words);

/* The owner of a payload, and its words. Any region that has received the number may
 * call these. */
guint wse_payload_owner(uint32_t number);
uint32_t *wse_payloads_words(WsePayloads *self, uint32_t number);
guint wse_payloads_count(WsePayloads *self, uint32_t number);
void wse_payloads_hold(WsePayloads *self, uint32_t number, guint references);
void wse_payloads_drop(WsePayloads *self, uint32_t number);
