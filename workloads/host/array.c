/* Arrays that scripts make, and between scripts and files. A Lua error leaves a C
 * function at once, so that nothing is held when one may be raised: texts are Lua's,
 * and files are closed. */
#include "workloads/host/array.h"

#include <string.h>

#include <lauxlib.h>

#include "sim/error.h"
#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/buffer/npy_file.h"
#include "workloads/error.h"
#include "workloads/numbers/numbers.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/beside.h"

#define ENDING ".npy"

/* What the script wants: the options of a call. */
typedef struct {
    bool has_format;
    NumberFormat format;
    bool has_shape;
    guint dimension_count;
    uint64_t shape[NPY_DIMENSIONS];
    bool is_bits; /* bf16 as uint16 */
} Wish;

/* Reads the list on top of the stack and pops it. */
static void read_shape(lua_State *L, Wish *wish)
{
    const lua_Unsigned count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;

    if (!lua_istable(L, -1) || count > NPY_DIMENSIONS) {
        luaL_error(L, "shape is a list of at most %d lengths", NPY_DIMENSIONS);
    }
    wish->has_shape = true;
    wish->dimension_count = sim_u32(count);
    for (guint i = 0; i < wish->dimension_count; i++) {
        lua_rawgeti(L, -1, i + 1);
        const lua_Integer length = lua_tointeger(L, -1);

        if (lua_isinteger(L, -1) == 0 || length < 0) {
            luaL_error(L, "shape[%d] is not a length", sim_i32(i + 1));
        }
        wish->shape[i] = (uint64_t) length;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The options at `index`, which may be missing. */
static Wish read_wish(lua_State *L, int index, bool is_saved)
{
    static const char *const to_load[] = {"format", "shape", NULL};
    static const char *const to_save[] = {"format", "shape", "as", NULL};
    static const char *const kept[] = {"float32", "uint16", NULL};
    Wish wish = {.format = NUMBER_FP32};

    if (lua_isnoneornil(L, index)) {
        return wish;
    }
    arguments_check(L, index, is_saved ? to_save : to_load);
    wish.has_format = lua_getfield(L, index, "format") != LUA_TNIL;
    lua_pop(L, 1);
    if (wish.has_format) {
        wish.format = (NumberFormat) arguments_choice(L, index, "format",
                                                      number_format_names, true);
    }
    if (lua_getfield(L, index, "shape") != LUA_TNIL) {
        read_shape(L, &wish);
    } else {
        lua_pop(L, 1);
    }
    const bool has_as = is_saved && lua_getfield(L, index, "as") != LUA_TNIL;

    if (has_as) {
        wish.is_bits = arguments_choice(L, index, "as", kept, true) == 1;
        if (wish.format != NUMBER_BF16) {
            luaL_error(L, "as is for the format bf16, which files do not have");
        }
    }
    return wish;
}

/* Pushes the name at `index` without its ending. */
static const char *push_name(lua_State *L, int index, bool *has_ending)
{
    size_t length = 0;
    const char *name = luaL_checklstring(L, index, &length);

    *has_ending = g_str_has_suffix(name, ENDING);
    luaL_argcheck(L, strlen(name) == length && *name != '\0', index,
                  "not the name of an array");
    return lua_pushlstring(L, name, *has_ending ? length - strlen(ENDING) : length);
}

/* The path of a file beside the script, which the caller frees. */
static char *find_beside(const char *script, const char *name, GError **error)
{
    g_autofree char *folder = beside_folder(script);
    g_autofree char *path = g_strconcat(folder, name, NULL);
    g_autofree char *real = NULL;
    GError *failure = NULL;

    if (*name == '/') {
        (void) wl_refuse(
            error, "%s: scripts read files beside them and what --in names", name);
        return NULL;
    }
    real = beside_find(folder, path, &failure);
    if (failure != NULL) {
        g_propagate_error(error, failure);
        return NULL;
    }
    if (real == NULL) {
        (void) wl_refuse(error, "%s: there is no such file", path);
        return NULL;
    }
    return g_steal_pointer(&path);
}

/* Pushes the path of the file to load; nil if there is none. */
static const char *push_path(lua_State *L, const Session *session)
{
    bool has_ending = false;
    const char *name = push_name(L, 1, &has_ending);
    const WlScript *script = session->run->script;
    const WlScriptArray *input = wl_script_find_array(script, WL_INPUTS, name);
    GError *error = NULL;
    char *path;

    if (input != NULL && input->file != NULL) {
        return lua_pushstring(L, input->file);
    }
    if (!has_ending) {
        lua_pushnil(L);
        return NULL;
    }
    path = find_beside(wl_script_path(script), luaL_checkstring(L, 1), &error);
    if (path == NULL) {
        sandbox_raise(L, error);
    }
    lua_pushstring(L, path);
    g_free(path);
    return lua_tostring(L, -1);
}

static bool
check_array(const char *path, const NpyArray *array, const Wish *wish, GError **error)
{
    if (wish->has_format && !npy_fits(array->type, wish->format)) {
        return sim_fail(error, WL_ERROR, WL_ERROR_KEY,
                        "%s: numbers of type %s, expected integers for %s", path,
                        npy_type_name(array->type), number_format_names[wish->format]);
    }
    if (wish->has_shape && !npy_has_shape(array, wish->shape, wish->dimension_count)) {
        g_autofree char *shape = npy_shape_text(array->shape, array->dimension_count);
        g_autofree char *wanted = npy_shape_text(wish->shape, wish->dimension_count);

        return sim_fail(error, WL_ERROR, WL_ERROR_KEY, "%s: shape %s, expected %s",
                        path, shape, wanted);
    }
    return true;
}

/* Into the metrics: what was read, as far as a result has to tell. */
static void note_loaded(SessionRun *run,
                        const char *name,
                        const NpyArray *array,
                        const char *digest)
{
    JsonObject *about = json_object_new();
    JsonArray *shape = json_array_new();

    for (guint i = 0; i < array->dimension_count; i++) {
        json_array_add_int_element(shape, (gint64) array->shape[i]);
    }
    json_object_set_string_member(about, "type", npy_type_name(array->type));
    json_object_set_array_member(about, "shape", shape);
    if (digest != NULL) {
        json_object_set_string_member(about, "sha256", digest);
    }
    if (run->inputs == NULL) {
        run->inputs = json_object_new();
    }
    json_object_set_object_member(run->inputs, name, about);
}

static void push_shape(lua_State *L, const NpyArray *array)
{
    lua_createtable(L, sim_i32(array->dimension_count), 0);
    for (guint i = 0; i < array->dimension_count; i++) {
        lua_pushinteger(L, (lua_Integer) array->shape[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static int load(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.load");
    const Wish wish = read_wish(L, 2, false);
    const char *path;
    NpyArray array;
    GError *error = NULL;
    char *digest = NULL;

    lua_settop(L, 2);
    path = push_path(L, session); /* after the name, at 3 */
    if (path == NULL) {
        return 1;
    }
    if (!npy_file_look(path, &array, &error) ||
        !check_array(path, &array, &wish, &error)) {
        return sandbox_raise(L, error);
    }
    const NumberFormat format = wish.has_format ? wish.format : npy_format(array.type);
    const HostBytes *buffer =
        host_bytes_push(L, array.count * number_format_bytes(format),
                        !session->machine->is_timing_only);

    if (buffer->data != NULL &&
        !npy_file_load(path, &array, format, buffer->data, &digest, &error)) {
        return sandbox_raise(L, error);
    }
    note_loaded(session->run, lua_tostring(L, 3), &array, digest);
    g_free(digest);
    push_shape(L, &array);
    lua_pushstring(L, number_format_names[format]);
    return 3;
}

/* Raises unless the buffer has the numbers of the shape. */
static NpyArray check_saved(lua_State *L, const HostBytes *buffer, const Wish *wish)
{
    const uint64_t count = buffer->count / number_format_bytes(wish->format);
    NpyArray array = {.type = npy_type(wish->format, wish->is_bits),
                      .dimension_count = 1,
                      .shape = {count},
                      .count = count};

    if (wish->has_shape) {
        uint64_t wanted = 1;

        array.dimension_count = wish->dimension_count;
        memcpy(array.shape, wish->shape, sizeof array.shape);
        for (guint i = 0; i < array.dimension_count; i++) {
            const uint64_t length = array.shape[i];

            wanted = length != 0 && wanted > G_MAXINT64 / length ? G_MAXUINT64
                                                                 : wanted * length;
        }
        if (wanted != count) {
            luaL_error(L, "host.save: the buffer has %I numbers, the shape %I",
                       (LUAI_UACINT) count, (LUAI_UACINT) wanted);
        }
    }
    if (buffer->count % number_format_bytes(wish->format) != 0) {
        luaL_error(L, "host.save: the buffer has no whole number of %s",
                   number_format_names[wish->format]);
    }
    return array;
}

static int save(lua_State *L)
{
    const Session *session = session_check_on_host(L, "host.save");
    const HostBytes *buffer = host_bytes_check(L, 1);
    const Wish wish = read_wish(L, 3, true);
    const NpyArray array = check_saved(L, buffer, &wish);
    bool has_ending = false;
    const char *name = push_name(L, 2, &has_ending);
    const WlScriptArray *output =
        wl_script_find_array(session->run->script, WL_OUTPUTS, name);
    const uint64_t bytes = array.count * npy_type_bytes(array.type);

    if (output == NULL) {
        return luaL_error(L, "host.save: the script declares no output '%s'", name);
    }
    if (wl_outcome_array(session->outcome, name) != NULL) {
        return luaL_error(L, "host.save: '%s' is saved already", name);
    }
    if (output->file == NULL || buffer->data == NULL) {
        return 0;
    }
    if (!sandbox_account(session->sandbox, (int64_t) bytes)) {
        sandbox_check(L);
    }
    wl_outcome_add_array(session->outcome, name,
                         npy_file_bytes(&array, wish.format, buffer->data));
    return 0;
}

static int wants(lua_State *L)
{
    const WlScript *script = session_of(L)->run->script;
    const char *name = luaL_checkstring(L, 1);
    bool has_file = false;

    for (guint way = 0; way < WL_ARRAY_WAYS; way++) {
        const WlScriptArray *array =
            wl_script_find_array(script, (WlArrayWay) way, name);

        has_file = has_file || (array != NULL && array->file != NULL);
    }
    lua_pushboolean(L, has_file);
    return 1;
}

static int make_numbers(lua_State *L)
{
    return numbers_make(L, !session_of(L)->machine->is_timing_only);
}

static int make_indices(lua_State *L)
{
    return numbers_make_indices(L, !session_of(L)->machine->is_timing_only);
}

static bool was_used(const SessionRun *run, WlArrayWay way, const char *name)
{
    return way == WL_INPUTS
               ? run->inputs != NULL && json_object_has_member(run->inputs, name)
               : wl_outcome_array(run->sessions[0].outcome, name) != NULL;
}

bool array_finish(SessionRun *run, GError **error)
{
    const WlScript *script = run->script;

    for (guint way = 0; way < WL_ARRAY_WAYS; way++) {
        for (guint i = 0; i < wl_script_array_count(script, (WlArrayWay) way); i++) {
            const WlScriptArray *array = wl_script_array(script, (WlArrayWay) way, i);

            if (array->file != NULL && !was_used(run, (WlArrayWay) way, array->name)) {
                return sim_fail(error, WL_ERROR, WL_ERROR_KEY,
                                "%s %s: the script does not %s it with these "
                                "parameters",
                                way == WL_INPUTS ? "--in" : "--save", array->name,
                                way == WL_INPUTS ? "load" : "save");
            }
        }
    }
    if (run->inputs != NULL) {
        json_object_set_object_member(run->sessions[0].outcome->metrics, "inputs",
                                      g_steal_pointer(&run->inputs));
    }
    return true;
}

void array_clear(SessionRun *run)
{
    g_clear_pointer(&run->inputs, json_object_unref);
}

const ApiCall array_functions[] = {
    {"load", load,
     "(name: string, options?: { format?: string, shape?: integer[] }): gl.Buffer?, "
     "integer[]?, string?"},
    {"save", save,
     "(buffer: gl.Buffer, name: string, options?: { format?: string, shape?: "
     "integer[], as?: \"float32\"|\"uint16\" })"},
    {"wants", wants, "(name: string): boolean"},
    {"numbers", make_numbers,
     "(format: gl.Format|\"double\", shape: integer[], x?: number|number[]): "
     "gl.Numbers"},
    {"indices", make_indices,
     "(format: gl.Format|\"double\", shape: integer[], axis: integer): gl.Numbers"},
    {0},
};
