/* Plots that a script reports. */
#pragma once

#include <lua.h>

/* host.plot{ name =, title =, x =, y =, log_x =, log_y =,
 *            series = { { name =, style =, points = { { x, y }, ... } }, ... } } */
int report_plot(lua_State *L);
