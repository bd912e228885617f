/* The Lua state of one script: what it may use, how much, and how it fails. */
#include "workloads/sandbox/sandbox.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/environment.h"
#include "workloads/sandbox/faults.h"
#include "workloads/sandbox/heap.h"
#include "workloads/sandbox/source.h"

enum {
    HOOK_STEPS = 4096, /* between two looks at the limits */
    /* Fewer are over before an alarm rings: they are counted from the start. */
    ALARM_STEPS = 100000000,
};

struct WlSandbox {
    WlSandboxConfig config;
    char *path;
    char *library_path;
    SimAccount *own_account; /* NULL: it shares another */
    WlHeap heap;
    WlFaults *faults;
    lua_State *state;
    lua_State *running; /* the coroutine in sandbox_resume(), or NULL */
    Watch watch;
    gpointer subject;
    uint64_t steps;
    GError *stop; /* the limit that was passed; stays for good */
};

static int on_panic(lua_State *L)
{
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "unknown";
    g_error("a Lua error outside of sandbox_call(): %s", text);
    return 0;
}

static void stop_for_memory(WlSandbox *self)
{
    if (self->stop == NULL) {
        const SimAccount *account = self->heap.account;
        g_autofree char *why = sim_account_complaint(account);
        if (why == NULL) {
            why = sim_account_describe(account, "the script", self->heap.wanted_bytes);
        }
        g_set_error(&self->stop, WL_ERROR, WL_ERROR_LIMIT, "%s: %s%s", self->path, why,
                    self->config.has_options ? " (--limit-memory)" : "");
    }
}

static bool is_stopped(WlSandbox *self)
{
    if (heap_is_exhausted(&self->heap) || sim_account_has_failed(self->heap.account)) {
        stop_for_memory(self);
    }
    return self->stop != NULL;
}

static const char *chunk_name(const lua_Debug *info)
{
    return info->source[0] == '@' ? info->source + 1 : info->short_src;
}

static void count_steps(WlSandbox *self, lua_State *L, uint64_t steps, lua_Debug *info)
{
    if (!g_uint64_checked_add(&self->steps, self->steps, steps)) {
        self->steps = G_MAXUINT64;
    }
    bool is_over = self->config.steps != 0 && self->steps >= self->config.steps;
    bool is_interrupted = !is_over && self->config.is_interrupted != NULL &&
                          self->config.is_interrupted(self->config.interrupted_data);
    if (!is_over && !is_interrupted) {
        return;
    }
    lua_getinfo(L, "Sl", info);
    if (is_over) {
        g_set_error(&self->stop, WL_ERROR, WL_ERROR_LIMIT,
                    "%s:%d: %" G_GUINT64_FORMAT
                    " instructions ran without simulated time passing, allowed are"
                    " %" G_GUINT64_FORMAT "%s",
                    chunk_name(info), info->currentline, self->steps,
                    self->config.steps,
                    self->config.has_options ? " (--limit-steps)" : "");
    } else {
        g_set_error(&self->stop, WL_ERROR, WL_ERROR_LIMIT, "%s:%d: interrupted",
                    chunk_name(info), info->currentline);
    }
}

static void on_count(lua_State *L, lua_Debug *info)
{
    WlSandbox *self = sandbox_of(L);
    if (!is_stopped(self)) {
        if (!watch_is_counting(&self->watch, L)) {
            return;
        }
        count_steps(self, L, (uint64_t) lua_gethookcount(L), info);
    }
    sandbox_check(L);
}

/* Runs where the error is raised, while the stack is still whole. */
static int on_error(lua_State *L)
{
    WlSandbox *self = sandbox_of(L);
    if (is_stopped(self)) {
        return 1;
    }
    faults_push_text(self->faults, L, 1, L, 1);
    return 1;
}

static int open_environment(lua_State *L)
{
    environment_open(L);
    return 0;
}

WlSandbox *sandbox_new(const char *path, const WlSandboxConfig *config, GError **error)
{
    g_autoptr(WlSandbox) self = g_new0(WlSandbox, 1);
    self->config = *config;
    self->path = g_strdup(path);
    self->library_path = g_strdup(config->library_path);
    self->config.library_path = self->library_path;
    self->faults = faults_new(path);
    if (config->account == NULL) {
        self->own_account = sim_account_new(config->memory_bytes);
    }
    self->heap.account = config->account != NULL ? config->account : self->own_account;
    bool has_alarm =
        config->alarm != NULL && (config->steps == 0 || config->steps >= ALARM_STEPS);
    watch_init(&self->watch, has_alarm ? config->alarm : NULL, on_count,
               config->steps != 0 ? sim_i32(MIN(config->steps, HOOK_STEPS))
                                  : HOOK_STEPS);
    self->state = lua_newstate(heap_resize, &self->heap);
    if (self->state == NULL) {
        stop_for_memory(self);
        g_propagate_error(error, g_error_copy(self->stop));
        return NULL;
    }
    lua_atpanic(self->state, on_panic);
    *(WlSandbox **) lua_getextraspace(self->state) = self;
    if (!has_alarm && (config->steps != 0 || config->is_interrupted != NULL)) {
        watch_begin(&self->watch, self->state);
    }
    lua_pushcfunction(self->state, open_environment);
    if (!sandbox_call(self->state, 0, 0, error)) {
        return NULL;
    }
    return g_steal_pointer(&self);
}

void sandbox_free(WlSandbox *self)
{
    if (self != NULL) {
        watch_clear(&self->watch);
        if (self->state != NULL) {
            lua_close(self->state);
        }
        if (self->heap.account != NULL) {
            heap_clear(&self->heap);
        }
        sim_account_free(self->own_account);
        faults_free(self->faults);
        g_clear_error(&self->stop);
        g_free(self->path);
        g_free(self->library_path);
        g_free(self);
    }
}

WlSandbox *sandbox_of(lua_State *L)
{
    return *(WlSandbox **) lua_getextraspace(L);
}

lua_State *sandbox_state(WlSandbox *self)
{
    return self->state;
}

const char *sandbox_path(const WlSandbox *self)
{
    return self->path;
}

const WlSandboxConfig *sandbox_config(const WlSandbox *self)
{
    return &self->config;
}

/* Makes the error of a failed call from the value at the top of the stack, and pops
 * it. */
static void fail(WlSandbox *self, lua_State *L, int status, GError **error)
{
    if (status == LUA_ERRMEM) {
        stop_for_memory(self);
    }
    if (is_stopped(self)) {
        lua_pop(L, 1);
        g_propagate_error(error, g_error_copy(self->stop));
        return;
    }
    g_propagate_error(error, faults_take(self->faults, L));
}

bool sandbox_compile(lua_State *L, const char *path, GBytes *text, GError **error)
{
    WlSandbox *self = sandbox_of(L);
    g_autofree char *name = g_strconcat("@", path, NULL);
    gsize length = 0;
    const char *bytes = g_bytes_get_data(text, &length);
    /* An empty chunk first: it tells how Lua will write this name in a message. */
    int status = luaL_loadbufferx(L, "", 0, name, "t");
    if (status == LUA_OK) {
        faults_add_chunk(self->faults, L, path);
        lua_pop(L, 1);
        status = luaL_loadbufferx(L, bytes, length, name, "t");
    }
    if (status == LUA_OK) {
        return true;
    }
    GError *failure = NULL;
    fail(self, L, status, &failure);
    if (failure->code == WL_ERROR_RUNTIME) {
        failure->code = WL_ERROR_SYNTAX;
    }
    g_propagate_error(error, failure);
    return false;
}

bool sandbox_call(lua_State *L, int argument_count, int result_count, GError **error)
{
    WlSandbox *self = sandbox_of(L);
    int function = lua_gettop(L) - argument_count;
    if (is_stopped(self) || lua_checkstack(L, 2) == 0) {
        stop_for_memory(self);
        lua_settop(L, function - 1);
        g_propagate_error(error, g_error_copy(self->stop));
        return false;
    }
    lua_pushcfunction(L, on_error);
    lua_insert(L, function);
    WatchMark mark = watch_enter(&self->watch, L);
    int status = lua_pcall(L, argument_count, result_count, function);
    watch_leave(&self->watch, mark);
    lua_remove(L, function);
    if (status == LUA_OK && is_stopped(self)) {
        /* The script swallowed a limit and ended before the next look at it. */
        lua_settop(L, function - 1);
        g_propagate_error(error, g_error_copy(self->stop));
        return false;
    }
    if (status != LUA_OK) {
        fail(self, L, status, error);
        return false;
    }
    return true;
}

/* Lua function: the text of the error on top of another coroutine's stack. */
static int push_thread_error(lua_State *L)
{
    lua_State *thread = lua_touserdata(L, 1);
    lua_pushvalue(thread, -1);
    lua_xmove(thread, L, 1);
    faults_push_text(sandbox_of(L)->faults, L, -1, thread, 0);
    return 1;
}

static void fail_thread(WlSandbox *self, lua_State *thread, int status, GError **error)
{
    lua_State *L = self->state;
    if (status == LUA_ERRMEM) {
        stop_for_memory(self);
    }
    if (is_stopped(self) || lua_checkstack(L, 3) == 0) {
        stop_for_memory(self);
        g_propagate_error(error, g_error_copy(self->stop));
        return;
    }
    lua_pushcfunction(L, push_thread_error);
    lua_pushlightuserdata(L, thread);
    WatchMark mark = watch_enter(&self->watch, L);
    int described = lua_pcall(L, 1, 1, 0);
    watch_leave(&self->watch, mark);
    fail(self, L, described == LUA_ERRMEM ? described : status, error);
    if (!is_stopped(self)) {
        /* Runs the __close of what the coroutine left open. Not after a limit: Lua
         * switched its hooks off there, and nothing could stop a loop. */
        mark = watch_enter(&self->watch, thread);
        lua_resetthread(thread);
        watch_leave(&self->watch, mark);
    }
}

WlSandboxStatus
sandbox_resume(lua_State *thread, int argument_count, int *result_count, GError **error)
{
    WlSandbox *self = sandbox_of(thread);
    *result_count = 0;
    if (is_stopped(self)) {
        g_propagate_error(error, g_error_copy(self->stop));
        return SANDBOX_FAILED;
    }
    lua_State *outer = self->running;
    self->running = thread;
    WatchMark mark = watch_enter(&self->watch, thread);
    int status = lua_resume(thread, outer == NULL ? self->state : outer, argument_count,
                            result_count);
    watch_leave(&self->watch, mark);
    self->running = outer;
    if ((status == LUA_OK || status == LUA_YIELD) && is_stopped(self)) {
        g_propagate_error(error, g_error_copy(self->stop));
        return SANDBOX_FAILED;
    }
    if (status != LUA_OK && status != LUA_YIELD) {
        fail_thread(self, thread, status, error);
        return SANDBOX_FAILED;
    }
    return status == LUA_OK ? SANDBOX_DONE : SANDBOX_YIELDED;
}

bool sandbox_is_host_thread(lua_State *L)
{
    const WlSandbox *self = sandbox_of(L);
    return L == self->state || L == self->running;
}

bool sandbox_is_stopped(WlSandbox *self)
{
    return is_stopped(self);
}

void sandbox_progress(WlSandbox *self)
{
    self->steps = 0;
    watch_relax(&self->watch);
}

void sandbox_set_subject(WlSandbox *self, gpointer subject)
{
    self->subject = subject;
}

gpointer sandbox_subject(const WlSandbox *self)
{
    return self->subject;
}

SandboxPause sandbox_pause(WlSandbox *self)
{
    SandboxPause pause = {
        .running = self->running,
        .subject = self->subject,
        .mark = watch_pause(&self->watch),
    };

    self->running = NULL;
    self->subject = NULL;
    return pause;
}

void sandbox_go_on(WlSandbox *self, SandboxPause pause)
{
    self->running = pause.running;
    self->subject = pause.subject;
    watch_go_on(&self->watch, pause.mark);
}

Watch *sandbox_watch(WlSandbox *self)
{
    return &self->watch;
}

SimAccount *sandbox_memory(const WlSandbox *self)
{
    return self->heap.account;
}

bool sandbox_account(WlSandbox *self, int64_t bytes)
{
    if (heap_account(&self->heap, bytes)) {
        return true;
    }
    /* Lua does not know how much its dead userdata hold outside of its heap. */
    lua_gc(self->state, LUA_GCCOLLECT);
    if (heap_account(&self->heap, bytes)) {
        return true;
    }
    stop_for_memory(self);
    return false;
}

void sandbox_hand_over(WlSandbox *from, WlSandbox *to, uint64_t bytes)
{
    heap_hand_over(&from->heap, &to->heap, bytes);
}

int sandbox_raise(lua_State *L, GError *error)
{
    return faults_raise(sandbox_of(L)->faults, L, error);
}

void sandbox_check(lua_State *L)
{
    if (!is_stopped(sandbox_of(L))) {
        return;
    }
    /* From now on at every instruction: what catches this one gets the next. The value
     * does not matter, and nil needs no memory. */
    lua_sethook(L, on_count, LUA_MASKCOUNT, 1);
    lua_pushnil(L);
    lua_error(L);
}

void sandbox_charge(lua_State *L, uint64_t steps)
{
    lua_Debug info;
    for (int level = 0; lua_getstack(L, level, &info) != 0; level++) {
        lua_getinfo(L, "Sl", &info);
        if (info.currentline > 0) {
            break;
        }
    }
    WlSandbox *self = sandbox_of(L);
    if (!is_stopped(self)) {
        count_steps(self, L, steps, &info);
    }
    sandbox_check(L);
}

void sandbox_may_yield(lua_State *L, const char *what)
{
    if (lua_isyieldable(L) == 0) {
        luaL_error(L,
                   "%s: cannot wait inside a callback of a library function such as "
                   "table.sort or string.gsub",
                   what);
    }
    lua_State *running = sandbox_of(L)->running;
    if (running != NULL && running != L) {
        luaL_error(L, "%s: cannot wait inside a coroutine that the script made", what);
    }
}

WlSandbox *loader_open(const char *path,
                       const WlSandboxConfig *config,
                       lua_CFunction open,
                       GError **error)
{
    g_autoptr(GBytes) text = source_read(path, path, error);
    if (text == NULL) {
        return NULL;
    }
    g_autoptr(WlSandbox) sandbox = sandbox_new(path, config, error);
    if (sandbox == NULL) {
        return NULL;
    }
    lua_State *L = sandbox_state(sandbox);
    if (open != NULL) {
        lua_pushcfunction(L, open);
        if (!sandbox_call(L, 0, 0, error)) {
            return NULL;
        }
    }
    if (!sandbox_compile(L, path, text, error) || !sandbox_call(L, 0, 1, error)) {
        return NULL;
    }
    return g_steal_pointer(&sandbox);
}

ArchPlace sandbox_place(lua_State *L)
{
    lua_Debug info;

    /* Level 0 is the C function that asks. */
    for (int level = 1; lua_getstack(L, level, &info) != 0; level++) {
        if (lua_getinfo(L, "Sl", &info) != 0 && info.currentline > 0) {
            return (ArchPlace){.file = info.source + (info.source[0] == '@'),
                               .line = sim_u32(info.currentline)};
        }
    }
    return (ArchPlace){0};
}
