/* Which columns and rows of a layout begin alike. */
#pragma once

#include <stdbool.h>

#include "arch/wse/fabric.h"

/* The folds of both axes. False if no PE of the layout may stand for another: programs
 * ask where they are or print, or the host has streams. */
bool wse_alike_find(const WseFabric *fabric, WseAxis *columns, WseAxis *rows);
