/* Lua errors as GErrors: path:line first, then the message, then the traceback. */
#include "workloads/sandbox/faults.h"

#include <stdbool.h>
#include <string.h>

#include <lauxlib.h>

#include "workloads/error.h"
#include "workloads/sandbox/api.h"
#include "workloads/sandbox/text.h"

typedef struct {
    char *path;
    char *shown; /* as Lua writes it in its messages: cut when long */
} Chunk;

struct WlFaults {
    char *path;
    GPtrArray *chunks;
    GError *raised; /* the last one given to faults_raise() */
};

static void chunk_free(gpointer data)
{
    Chunk *chunk = data;
    g_free(chunk->path);
    g_free(chunk->shown);
    g_free(chunk);
}

WlFaults *faults_new(const char *path)
{
    WlFaults *self = g_new0(WlFaults, 1);
    self->path = g_strdup(path);
    self->chunks = g_ptr_array_new_with_free_func(chunk_free);
    return self;
}

void faults_free(WlFaults *self)
{
    if (self != NULL) {
        g_free(self->path);
        g_ptr_array_unref(self->chunks);
        g_clear_error(&self->raised);
        g_free(self);
    }
}

void faults_add_chunk(WlFaults *self, lua_State *L, const char *path)
{
    lua_Debug info;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &info);
    Chunk *chunk = g_new0(Chunk, 1);
    chunk->path = g_strdup(path);
    chunk->shown = g_strdup(info.short_src);
    g_ptr_array_add(self->chunks, chunk);
}

/* Finds the innermost Lua function at or above `level`; its line is info->currentline
 * and its chunk the result. NULL if there is none. */
static const char *find_line(lua_State *thread, int level, lua_Debug *info)
{
    for (; lua_getstack(thread, level, info) != 0; level++) {
        lua_getinfo(thread, "Sl", info);
        if (info->currentline > 0) {
            return info->source[0] == '@' ? info->source + 1 : info->short_src;
        }
    }
    return NULL;
}

static const char *skip_name(const char *text, const char *name)
{
    size_t length = strlen(name);
    bool is_there = strncmp(text, name, length) == 0 && text[length] == ':' &&
                    g_ascii_isdigit(text[length + 1]);
    return is_there ? text + length : NULL;
}

/* The chunk that a message names in front, or NULL; *rest is what follows the name. */
static const Chunk *
find_chunk(const WlFaults *self, const char *text, const char **rest)
{
    for (guint i = 0; i < self->chunks->len; i++) {
        const Chunk *chunk = self->chunks->pdata[i];
        *rest = skip_name(text, chunk->path);
        if (*rest == NULL) {
            *rest = skip_name(text, chunk->shown);
        }
        if (*rest != NULL) {
            return chunk;
        }
    }
    return NULL;
}

static bool has_line(const WlFaults *self, const char *text)
{
    const char *rest = NULL;
    return g_str_has_prefix(text, "[string \"") ||
           find_chunk(self, text, &rest) != NULL;
}

int faults_raise(WlFaults *self, lua_State *L, GError *error)
{
    g_clear_error(&self->raised);
    lua_Debug info;
    const char *source = find_line(L, 1, &info);
    if (!has_line(self, error->message) && source == NULL) {
        g_prefix_error(&error, "%s: ", self->path);
    } else if (!has_line(self, error->message)) {
        g_prefix_error(&error, "%s:%d: ", source, info.currentline);
    }
    self->raised = error;
    lua_pushstring(L, self->raised->message);
    return lua_error(L);
}

static bool is_raised(const WlFaults *self, const char *text)
{
    return self->raised != NULL && g_str_has_suffix(text, self->raised->message);
}

static int push_tostring(lua_State *L)
{
    text_push(L, 1);
    return 1;
}

/* Pushes what the error value says, whatever it is. */
static void push_message(lua_State *L, int index)
{
    int type = lua_type(L, index);
    if (type == LUA_TSTRING) {
        lua_pushvalue(L, index);
        return;
    }
    lua_pushcfunction(L, push_tostring);
    lua_pushvalue(L, index);
    /* A __tostring that fails must not hide the first error. */
    bool is_shown = type != LUA_TNIL && lua_pcall(L, 1, 1, 0) == LUA_OK;
    if (!is_shown) {
        lua_pushfstring(L, "(error object is a %s value)", lua_typename(L, type));
    }
}

void faults_push_text(
    WlFaults *self, lua_State *L, int index, lua_State *thread, int level)
{
    push_message(L, lua_absindex(L, index));
    const char *text = lua_tostring(L, -1);
    if (is_raised(self, text)) {
        return;
    }
    lua_Debug info;
    const char *source = find_line(thread, level, &info);
    GError *meant = source != NULL ? api_explain(L, text) : NULL;
    if (meant != NULL) {
        g_prefix_error(&meant, "%s:%d: ", source, info.currentline);
        g_clear_error(&self->raised);
        self->raised = meant;
        lua_pushstring(L, meant->message);
        return;
    }
    if (source != NULL && !has_line(self, text)) {
        text = lua_pushfstring(L, "%s:%d: %s", source, info.currentline, text);
    }
    luaL_traceback(L, thread, text, level);
}

/* The text with a whole path in front. The caller frees it. */
static char *complete(const WlFaults *self, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    const char *rest = NULL;
    const Chunk *chunk = find_chunk(self, valid, &rest);
    if (chunk != NULL) {
        return g_strconcat(chunk->path, rest, NULL);
    }
    return has_line(self, valid) ? g_steal_pointer(&valid)
                                 : g_strdup_printf("%s: %s", self->path, valid);
}

GError *faults_take(WlFaults *self, lua_State *L)
{
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "unknown";
    GError *error = NULL;
    if (is_raised(self, text) && strcmp(text, self->raised->message) == 0) {
        error = g_steal_pointer(&self->raised);
    } else if (is_raised(self, text)) {
        error = g_error_new_literal(self->raised->domain, self->raised->code, text);
    } else {
        g_autofree char *whole = complete(self, text);
        error = g_error_new_literal(WL_ERROR, WL_ERROR_RUNTIME, whole);
    }
    g_clear_error(&self->raised);
    lua_pop(L, 1);
    return error;
}
