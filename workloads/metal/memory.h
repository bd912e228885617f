/* Parts of a chip's memory that a host program reads or writes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "workloads/host/session.h"

/* Moves bytes between the memory that a request names and `bytes`: pages of an
 * interleaved buffer in DRAM, or parts of banks or of cores' L1. `count` is what it
 * names altogether. Fails with WL_ERROR_SYNTAX or as the memory does. */
bool metal_memory_count(JsonObject *request, uint64_t *count, GError **error);
bool metal_memory_move(const Session *session,
                       JsonObject *request,
                       guint8 *bytes,
                       bool is_write,
                       GError **error);

bool metal_memory_is_dram(JsonObject *request);
