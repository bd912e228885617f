/* What a script says about itself: the table it returns. */
#pragma once

#include <glib.h>
#include <lua.h>

typedef struct {
    char *summary;
    char **families;  /* NULL-terminated */
    GPtrArray *lists; /* for each family a GPtrArray of WlParameter: the script's own,
                       * then those of all scripts */
} WlDeclaration;

/* Reads the value at `index`; runs no Lua. Fails with WL_ERROR_SYNTAX, saying where:
 * `parameters[2]: help is missing, expected a string`. */
WlDeclaration *declaration_read(lua_State *L, int index, GError **error);
void declaration_free(WlDeclaration *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlDeclaration, declaration_free)

/* Pushes the declared function `run`. */
void declaration_push_run(lua_State *L, int index);
/* Pushes the declared table `kernels`, or nil. */
void declaration_push_kernels(lua_State *L, int index);
