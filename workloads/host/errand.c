/* Errands: a queue of them, and threads that end when it is empty. */
#include "workloads/host/errand.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "sim/pages.h"
#include "workloads/buffer/bytes.h"
#include "workloads/error.h"
#include "workloads/host/plain.h"
#include "workloads/reference/methods.h"
#include "workloads/reference/wanted.h"

#define TYPE_NAME "gridloom.errand"

typedef struct {
    atomic_uint references; /* of the script, and of the queue */
    const char *path;       /* of the script */
    WlSandboxConfig config;
    GBytes *arguments;       /* a list of the method, the buffer and what follows */
    GPtrArray *read;         /* buffers among them, which know of it */
    bool is_asked;           /* the script has its results */
    atomic_bool is_unwanted; /* by who works it out: nobody will ask */
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    bool is_begun;
    bool is_done;
    /* Of who works it out, then of the script. */
    WlSandbox *sandbox;
    GBytes *results; /* a list */
    GPtrArray *made; /* buffers among them */
    GError *error;
} Errand;

/* Locks are those of pthread, as the thread sanitizer does not see GLib's. */
struct Errands {
    pthread_mutex_t mutex;
    GQueue waiting;       /* of Errand */
    GPtrArray *under_way; /* of Errand: threads are at work on them */
    GPtrArray *threads;
    guint thread_count; /* of them, those that have not ended */
};

/* Pushes a list of the topmost values from `first` on, and their number. */
static void push_list(lua_State *L, int first)
{
    const int count = lua_gettop(L) - first + 1;

    lua_createtable(L, count, 1);
    lua_insert(L, first);
    for (int i = count; i > 0; i--) {
        lua_rawseti(L, first, i);
    }
    lua_pushinteger(L, count);
    lua_setfield(L, first, "n");
}

/* Replaces the list at the top of the stack by its values; returns how many. */
static int spread_list(lua_State *L)
{
    const int list = lua_gettop(L);

    lua_getfield(L, list, "n");
    const int count = sim_i32(lua_tointeger(L, -1));

    lua_pop(L, 1);
    luaL_checkstack(L, count, "too many results");
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, list, i);
    }
    lua_remove(L, list);
    return count;
}

/* Lua function: calls the method, in the errand's own state. */
static int call_method(lua_State *L)
{
    Errand *self = lua_touserdata(L, 1);
    const PlainWay way = {.what = "a reference's result", .buffers = self->made};

    host_bytes_register(L, &bytes_api);
    lua_settop(L, 0);
    plain_push(L, self->arguments);
    const int count = spread_list(L);

    lua_getfield(L, 2, lua_tostring(L, 1));
    lua_replace(L, 1);
    lua_call(L, count - 1, LUA_MULTRET);
    push_list(L, 1);
    self->results = plain_pack(L, 1, &way);
    for (guint i = 0; i < self->made->len; i++) {
        (void) host_bytes_ref(g_ptr_array_index(self->made, i));
    }
    return 0;
}

/* Lua function: the same, and keeps what the method says if it fails. */
static int perform(lua_State *L)
{
    Errand *self = lua_touserdata(L, 1);

    lua_pushcfunction(L, call_method);
    lua_insert(L, 1);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
        sandbox_check(L);
        self->error = g_error_new_literal(
            WL_ERROR, WL_ERROR_RUNTIME,
            lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "it failed");
    }
    return 0;
}

static void work_out(Errand *self)
{
    GError *failure = NULL;

    self->sandbox = sandbox_new(self->path, &self->config, &self->error);
    if (self->sandbox != NULL) {
        lua_State *L = sandbox_state(self->sandbox);

        lua_pushcfunction(L, perform);
        lua_pushlightuserdata(L, self);
        if (!sandbox_call(L, 1, 0, &failure)) {
            g_clear_error(&self->error);
            self->error = failure;
        }
    }
}

/* Works it out unless somebody else has begun. */
static void begin(Errand *self)
{
    (void) pthread_mutex_lock(&self->mutex);
    const bool is_mine = !self->is_begun;

    self->is_begun = true;
    (void) pthread_mutex_unlock(&self->mutex);
    if (is_mine) {
        reference_heed(&self->is_unwanted);
        work_out(self);
        reference_heed(NULL);
        (void) pthread_mutex_lock(&self->mutex);
        self->is_done = true;
        (void) pthread_cond_broadcast(&self->cond);
        (void) pthread_mutex_unlock(&self->mutex);
    }
}

/* Returns when it is worked out, or if nobody has begun: then nobody will. */
static void stop(Errand *self)
{
    (void) pthread_mutex_lock(&self->mutex);
    const bool is_begun = self->is_begun;

    self->is_begun = true;
    while (is_begun && !self->is_done) {
        (void) pthread_cond_wait(&self->cond, &self->mutex);
    }
    (void) pthread_mutex_unlock(&self->mutex);
}

/* Buffers stay as they are until it is worked out. */
static void hold_read(Errand *self)
{
    for (guint i = 0; i < self->read->len; i++) {
        HostBytes *bytes = host_bytes_ref(g_ptr_array_index(self->read, i));

        g_atomic_int_inc(&bytes->readers);
    }
}

/* They may be changed again. */
static void release_read(Errand *self)
{
    for (guint i = 0; self->arguments != NULL && i < self->read->len; i++) {
        HostBytes *bytes = g_ptr_array_index(self->read, i);

        g_atomic_int_add(&bytes->readers, -1);
        host_bytes_unref(bytes);
    }
    g_ptr_array_set_size(self->read, 0);
}

static void errand_unref(Errand *self)
{
    if (atomic_fetch_sub(&self->references, 1) == 1) {
        (void) pthread_mutex_destroy(&self->mutex);
        (void) pthread_cond_destroy(&self->cond);
        g_free(self);
    }
}

/* The script does without it from now on. */
static void give_up(Errand *self)
{
    atomic_store(&self->is_unwanted, true);
    stop(self);
    release_read(self);
    for (guint i = 0; self->results != NULL && i < self->made->len; i++) {
        host_bytes_unref(g_ptr_array_index(self->made, i));
    }
    g_ptr_array_unref(self->read);
    g_ptr_array_unref(self->made);
    sandbox_free(self->sandbox);
    g_clear_pointer(&self->arguments, g_bytes_unref);
    g_clear_pointer(&self->results, g_bytes_unref);
    g_clear_error(&self->error);
    errand_unref(self);
}

static gpointer take(gpointer data)
{
    Errands *self = data;

    (void) pthread_mutex_lock(&self->mutex);
    for (Errand *next = g_queue_pop_head(&self->waiting); next != NULL;
         next = g_queue_pop_head(&self->waiting)) {
        g_ptr_array_add(self->under_way, next);
        (void) pthread_mutex_unlock(&self->mutex);
        begin(next);
        (void) pthread_mutex_lock(&self->mutex);
        (void) g_ptr_array_remove_fast(self->under_way, next);
        errand_unref(next);
    }
    self->thread_count--;
    (void) pthread_mutex_unlock(&self->mutex);
    return NULL;
}

static Errands *errands_new(void)
{
    Errands *self = g_new0(Errands, 1);

    (void) pthread_mutex_init(&self->mutex, NULL);
    g_queue_init(&self->waiting);
    self->under_way = g_ptr_array_new();
    self->threads = g_ptr_array_new();
    return self;
}

void errands_free(Errands *self)
{
    if (self == NULL) {
        return;
    }
    (void) pthread_mutex_lock(&self->mutex);
    g_queue_clear_full(&self->waiting, (GDestroyNotify) errand_unref);
    for (guint i = 0; i < self->under_way->len; i++) {
        Errand *errand = g_ptr_array_index(self->under_way, i);

        atomic_store(&errand->is_unwanted, true);
    }
    (void) pthread_mutex_unlock(&self->mutex);
    for (guint i = 0; i < self->threads->len; i++) {
        (void) g_thread_join(g_ptr_array_index(self->threads, i));
    }
    g_ptr_array_unref(self->threads);
    g_ptr_array_unref(self->under_way);
    (void) pthread_mutex_destroy(&self->mutex);
    g_free(self);
}

/* Leaves it to threads, of which there are at most so many. */
static void leave_to(Errands *self, Errand *errand, guint most)
{
    atomic_fetch_add(&errand->references, 1);
    (void) pthread_mutex_lock(&self->mutex);
    g_queue_push_tail(&self->waiting, errand);
    if (self->thread_count < most) {
        self->thread_count++;
        g_ptr_array_add(self->threads, g_thread_new("errand", take, self));
    }
    (void) pthread_mutex_unlock(&self->mutex);
}

/* Works it out again if there was no memory: the script may have some to give back. */
static void try_again(Errand *self, lua_State *L)
{
    if (g_error_matches(self->error, WL_ERROR, WL_ERROR_LIMIT)) {
        g_clear_pointer(&self->sandbox, sandbox_free);
        g_clear_error(&self->error);
        g_ptr_array_set_size(self->made, 0);
        lua_gc(L, LUA_GCCOLLECT);
        work_out(self);
    }
}

/* It is worked out: its buffers are the script's, and the others may be changed. */
static void take_over(Errand *self, WlSandbox *script)
{
    self->is_asked = true;
    release_read(self);
    for (guint i = 0; self->results != NULL && i < self->made->len; i++) {
        HostBytes *bytes = g_ptr_array_index(self->made, i);

        if (bytes->sandbox == self->sandbox) {
            host_bytes_hand_over(bytes, script);
        }
    }
    g_clear_pointer(&self->sandbox, sandbox_free);
}

/* The function that host.reference() returns. */
static int results(lua_State *L)
{
    Errand *self = *(Errand **) lua_touserdata(L, lua_upvalueindex(1));

    if (!self->is_asked) {
        begin(self);
        stop(self);
        try_again(self, L);
        take_over(self, sandbox_of(L));
    }
    if (self->error != NULL) {
        return sandbox_raise(L, g_error_copy(self->error));
    }
    plain_push(L, self->results);
    return spread_list(L);
}

static Errand *push_errand(lua_State *L)
{
    Errand **slot = lua_newuserdatauv(L, sizeof(gpointer), 0);
    const WlSandbox *sandbox = sandbox_of(L);
    Errand *self;

    *slot = NULL;
    luaL_setmetatable(L, TYPE_NAME);
    self = g_new0(Errand, 1);
    atomic_init(&self->references, 1);
    (void) pthread_mutex_init(&self->mutex, NULL);
    (void) pthread_cond_init(&self->cond, NULL);
    self->path = sandbox_path(sandbox);
    self->config = *sandbox_config(sandbox);
    self->config.account = sandbox_memory(sandbox);
    self->config.alarm = NULL; /* nothing of Lua runs there */
    self->config.steps = 0;
    self->config.is_interrupted = NULL;
    self->read = g_ptr_array_new();
    self->made = g_ptr_array_new();
    *slot = self;
    return self;
}

/* Whether a buffer lies in a file. */
static bool is_filed(const Errand *self)
{
    bool is = false;

    for (guint i = 0; i < self->read->len; i++) {
        const HostBytes *bytes = g_ptr_array_index(self->read, i);

        is = is || sim_pages_is_filed(bytes->count);
    }
    return is;
}

/* Whether there is memory for two things at a time. Where somebody has set a limit,
 * nobody is to pass it only because there are threads. */
static bool has_memory(lua_State *L, const Errand *self)
{
    const uint64_t limit = sim_account_limit(sandbox_memory(sandbox_of(L)));

    return !is_filed(self) &&
           (limit == UINT64_MAX || limit == sim_account_usual_limit());
}

static int host_reference(lua_State *L)
{
    SessionRun *run = session_check_on_host(L, "host.reference")->run;
    const guint threads =
        sim_engine_thread_count(arch_chip_engine(run->sessions[0].chip));
    const char *method = luaL_checkstring(L, 2);

    (void) host_bytes_check(L, 1);
    luaL_argcheck(L, lua_getfield(L, 1, method) == LUA_TFUNCTION, 2,
                  "buffers have no such method");
    lua_pop(L, 1);
    lua_pushvalue(L, 2);
    lua_remove(L, 2);
    lua_insert(L, 1);
    push_list(L, 1);
    Errand *errand = push_errand(L);
    const PlainWay way = {.what = "host.reference", .buffers = errand->read};

    errand->arguments = plain_pack(L, 1, &way);
    hold_read(errand);
    lua_pushcclosure(L, results, 1);
    if (threads > 1 && has_memory(L, errand)) {
        run->errands = run->errands != NULL ? run->errands : errands_new();
        leave_to(run->errands, errand, threads - 1);
    }
    return 1;
}

static int collect(lua_State *L)
{
    Errand **slot = luaL_checkudata(L, 1, TYPE_NAME);

    if (*slot != NULL) {
        give_up(*slot);
        *slot = NULL;
    }
    return 0;
}

void errand_register(lua_State *L)
{
    luaL_newmetatable(L, TYPE_NAME);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

const ApiCall errand_functions[] = {
    {"reference", host_reference,
     "(buffer: gl.Buffer, method: string, ...: any): fun(): any"},
    {0},
};
