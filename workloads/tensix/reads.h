/* Reads of arguments: which of its arguments a kernel has read so far, and whether a
 * kernel with arguments of its own would have read the same. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

typedef struct Reads Reads;

/* Replaces the value on top of the stack by one that looks the same and whose reads are
 * noted, under the name `owner`. The result lasts until reads_forget(). Raises when
 * memory runs out. */
Reads *reads_watch(lua_State *L, gconstpointer owner);

/* How many there were so far. */
guint reads_count(const Reads *self);

/* Whether the reads `from` to `to` of `owner` give the same in `arguments`, those of
 * `reader`. All before `from` do. Raises when memory runs out. */
bool reads_agree(lua_State *L,
                 gconstpointer owner,
                 gconstpointer reader,
                 GBytes *arguments,
                 guint from,
                 guint to);

/* Whether a kernel cannot tell two numbers apart. False for what is no number. */
bool reads_is_same(double a, double b);

/* Releases what is kept under the name of an owner or reader. */
void reads_forget(lua_State *L, gconstpointer who);

/* Reads all of the table at `index`, if it is watched, for a function that goes on
 * without metamethods. */
void reads_all(lua_State *L, int index);

/* Has the global functions that use no metamethods read all of a watched table. */
void reads_open(lua_State *L);
