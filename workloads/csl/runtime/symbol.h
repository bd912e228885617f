/* Variables of PEs, as people who look for mistakes see them. */
#pragma once

#include "workloads/csl/runtime/run.h"

/* { x =, y =, name = }: all bytes of a variable of one PE. */
bool csl_symbol_read(CslCall *call, GError **error);
