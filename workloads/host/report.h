/* A script's reports: metrics, tables, zones, checks. */
#pragma once

#include <stdint.h>

#include <lua.h>

#include "workloads/host/session.h"

/* Records the time of the measured region. */
void report_measured(Session *session, double seconds, uint64_t iterations);

/* The argument at `index`, a text that JSON can hold, or raises. */
const char *report_check_text(lua_State *L, int index);

/* The argument at `index`, a name that JSON and a file name can hold, or raises. */
/* Has the script pay for the copy of a text in the result. */
void report_pay_text(lua_State *L, const char *text);

const char *report_check_name(lua_State *L, int index);

/* Adds to the zone called `name`. The host's zones go to the outcome, those of programs
 * to their session. With one chip these are the same. */
void report_zone(JsonObject *zones, const char *name, double seconds);

/* Adds the zones of programs to the outcome: the mean over the chips that have a zone
 * of that name, as chips work at the same time. */
void report_zones_of_chips(SessionRun *run);

/* Lua functions of the host API. */
int report_metric(lua_State *L);
int report_zone_seconds(lua_State *L);
int report_table(lua_State *L);
int report_check(lua_State *L);
int report_check_equal(lua_State *L);
int report_roof(lua_State *L);

/* host.plot{ name =, title =, x =, y =, log_x =, log_y =,
 *            series = { { name =, style =, points = { { x, y }, ... } }, ... } } */
int report_plot(lua_State *L);
