/* Variables of PEs, as people who look for mistakes see them. */
#pragma once

#include "workloads/csl/runtime/run.h"

/* { x =, y =, name = }: all bytes of a variable of one PE; reads them, or sets them to
 * the data of the request. */
bool csl_symbol_move(CslCall *call, bool is_set, GError **error);

/* { x =, y =, key = }: records of one PE, [kind, bits] each, in their order. */
bool csl_symbol_records(CslCall *call, JsonObject *answer, GError **error);
