/* The Lua state of one script: what it may use, how much, and how it fails.
 *
 * Host code pushes C functions into the script's world and calls back into it. Three
 * rules keep that safe. Whatever may raise a Lua error runs inside sandbox_call() or
 * sandbox_resume(): outside, an error ends the process. Metatables of host userdata
 * carry __metatable, so that no script can reach their __gc. A C function that a
 * script can call must not run long: only Lua instructions are counted, and a loop
 * in C, such as a pattern match that never ends, is for a watchdog outside to stop. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "arch/place.h"
#include "workloads/sandbox/watch.h"
#include "workloads/script.h"

typedef struct WlSandbox WlSandbox;

typedef enum {
    SANDBOX_DONE,
    SANDBOX_YIELDED,
    SANDBOX_FAILED,
} WlSandboxStatus;

/* An environment with the permitted libraries; runs no script. `path` is the script
 * as the user typed it. Fails with WL_ERROR_LIMIT. */
WlSandbox *sandbox_new(const char *path, const WlSandboxConfig *config, GError **error);
void sandbox_free(WlSandbox *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlSandbox, sandbox_free)

/* The sandbox that a state, or any coroutine in it, belongs to. */
WlSandbox *sandbox_of(lua_State *L);
lua_State *sandbox_state(WlSandbox *self);
const char *sandbox_path(const WlSandbox *self);
const WlSandboxConfig *sandbox_config(const WlSandbox *self);

/* Compiles a script's text and pushes the function; `path` names it in messages.
 * Fails with WL_ERROR_SYNTAX or WL_ERROR_LIMIT, and pushes nothing. */
bool sandbox_compile(lua_State *L, const char *path, GBytes *text, GError **error);

/* Calls the function below its arguments on the stack, and replaces them with its
 * results; with nothing on failure. Fails with WL_ERROR_RUNTIME (first line
 * `path:line: message`, then the traceback), with WL_ERROR_LIMIT, or with the error
 * that a C function gave to sandbox_raise(). After a limit every call fails. */
bool sandbox_call(lua_State *L, int argument_count, int result_count, GError **error);

/* Starts or continues a coroutine, made with lua_newthread(), with the arguments on
 * its stack; what it yields or returns is left there. Fails as sandbox_call(); the
 * coroutine is then closed. */
WlSandboxStatus sandbox_resume(lua_State *thread,
                               int argument_count,
                               int *result_count,
                               GError **error);

/* Whether L is the main state or the coroutine that sandbox_resume() runs, and not a
 * coroutine that the script made. */
bool sandbox_is_host_thread(lua_State *L);

/* True once a limit was passed, for good. */
bool sandbox_is_stopped(WlSandbox *self);

/* Simulated time passed: the count of steps starts again. */
void sandbox_progress(WlSandbox *self);

/* The subject of the code that runs now: a pointer with a meaning for the host's C
 * functions. Set it before each sandbox_resume(). */
void sandbox_set_subject(WlSandbox *self, gpointer subject);
gpointer sandbox_subject(const WlSandbox *self);

/* The state that a C function called by a script saves while other code runs in the Lua
 * state: host threads, one at a time, each with its own coroutine and stack. */
typedef struct {
    lua_State *running;
    gpointer subject;
    WatchMark mark;
} SandboxPause;

SandboxPause sandbox_pause(WlSandbox *self);
void sandbox_go_on(WlSandbox *self, SandboxPause pause);

/* For code that runs Lua in a coroutine other than its own. */
Watch *sandbox_watch(WlSandbox *self);

/* Counts bytes that the host allocates (or, negative, frees) for the script. Returns
 * false if they would pass the memory limit, which then ends the script: allocate
 * nothing and call sandbox_check(). */
bool sandbox_account(WlSandbox *self, int64_t bytes);

/* Bytes that `from` has counted are now counted by `to`, which shares its account. */
void sandbox_hand_over(WlSandbox *from, WlSandbox *to, uint64_t bytes);

/* The account that its memory comes from. */
SimAccount *sandbox_memory(const WlSandbox *self);

/* The line of the script that a coroutine has got to. */
ArchPlace sandbox_place(lua_State *L);

/* The functions below are for C functions called by a script; if they raise, they do
 * not return. */

/* Raises `error` with the script's line in front; takes it. */
int sandbox_raise(lua_State *L, GError *error);

/* Raises again if a limit was passed. Call it after anything that catches errors. */
void sandbox_check(lua_State *L);

/* Counts work done in C as if it were instructions; raises at the limit. */
void sandbox_charge(lua_State *L, uint64_t steps);

/* Raises unless the caller may yield to the host here. `what` is the host call. */
void sandbox_may_yield(lua_State *L, const char *what);

/* Runs a file in a new sandbox and leaves what it returned as the only value on the
 * stack. `open`, if not NULL, is called before. Fails as source_read(),
 * sandbox_compile() and sandbox_call() do. */
WlSandbox *loader_open(const char *path,
                       const WlSandboxConfig *config,
                       lua_CFunction open,
                       GError **error);
