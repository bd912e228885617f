/* The calls that scripts can make. One table of them serves the bindings, the files
 * from which editors complete and check, and the search for what a misspelt name meant.
 */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

typedef struct {
    const char *name;
    lua_CFunction function;
    const char *signature; /* types of LuaCATS: "(a: integer, b?: gl.Buffer): number" */
} ApiCall;

/* An object that scripts get, or the global functions. */
typedef struct {
    const char *name; /* gl.NAME in annotations; NULL: global functions */
    const char *page; /* the page that describes it */
    const ApiCall *const
        *calls; /* tables that end with a row without name, then NULL */
    /* Writes further row `index`; false after the last. NULL: there are none. */
    bool (*more)(guint index, ApiCall *call);
    const char *fields;     /* members that are not calls: "a type\nb type"; NULL */
    const char *unmodelled; /* calls of the real thing, " a b " with blanks; NULL */
    bool is_object;         /* called as object:name(), not as table.name() */
} ApiClass;

/* Sets the calls as members of the table below the `upvalues` topmost values, which all
 * of them share, and pops these values. */
void api_set(lua_State *L, const ApiCall *calls, int upvalues);

/* Remembers names that the table at the top of the stack lacks, for api_explain().
 * Reading them gives nil as before. */
void api_watch(lua_State *L, const ApiClass *api);

/* Pushes a table with all calls of an object, watched, for the __index of its type. */
void api_push(lua_State *L, const ApiClass *api);

/* What Lua's message about a nil value means, if the script has just looked for a call
 * that does not exist: an error without the line, or NULL. It raises nothing. */
GError *api_explain(lua_State *L, const char *message);
