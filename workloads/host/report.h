/* What a script reports: metrics, tables, zones, checks. */
#pragma once

#include <stdint.h>

#include <lua.h>

#include "workloads/host/session.h"

/* The measured region took so long. */
void report_measured(Session *session, double seconds, uint64_t iterations);

/* The argument at `index`, a text that can stand in JSON, or raises. */
const char *report_check_text(lua_State *L, int index);

/* The argument at `index`, a name that can stand in JSON and in the name of a file, or
 * raises. */
const char *report_check_name(lua_State *L, int index);

/* Adds to the zone called `name`. The host's zones go to those of the outcome, those of
 * programs to their session's. With one chip these are the same. */
void report_zone(JsonObject *zones, const char *name, double seconds);

/* Adds the zones of programs to those of the outcome: the mean over the chips that have
 * a zone of that name, because chips work at the same time. */
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
