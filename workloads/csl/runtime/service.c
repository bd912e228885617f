/* Requests of a host program of CSL, served in simulated time. */
#include "workloads/csl/runtime/service.h"

#include <stdio.h>
#include <unistd.h>

#include <lauxlib.h>

#include "workloads/csl/runtime/run.h"
#include "workloads/csl/runtime/symbol.h"
#include "workloads/error.h"
#include "workloads/host/member.h"

/* What a request needs; all of it outlives errors, which jump out of functions. */
struct WlCslRuntime {
    int socket;
    HostMessage request;
    HostMessage answer;
    GPtrArray *runs; /* of CslRun, as they were opened */
    CslRun *loaded;  /* on the wafer, or NULL */
    CslTally *tally;
    CslLines *lines;
    CslCall call;
    GError *failure; /* why the simulation cannot go on, or NULL */
};

WlCslRuntime *wl_csl_runtime_new(int socket)
{
    WlCslRuntime *self = g_new0(WlCslRuntime, 1);

    self->socket = socket;
    self->runs = g_ptr_array_new_with_free_func((GDestroyNotify) csl_run_free);
    self->tally = csl_tally_new();
    self->lines = csl_lines_new();
    self->call = (CslCall){.request = &self->request,
                           .out = g_byte_array_new(),
                           .takes = g_array_new(FALSE, FALSE, sizeof(CslTake)),
                           .names = g_string_chunk_new(256),
                           .tally = self->tally};
    return self;
}

void wl_csl_runtime_free(WlCslRuntime *self)
{
    if (self != NULL) {
        host_message_clear(&self->request);
        host_message_clear(&self->answer);
        g_ptr_array_unref(self->runs);
        csl_tally_free(self->tally);
        csl_lines_free(self->lines);
        g_clear_error(&self->failure);
        g_byte_array_unref(self->call.out);
        g_array_unref(self->call.takes);
        g_string_chunk_free(self->call.names);
        (void) close(self->socket);
        g_free(self);
    }
}

static JsonObject *begin_answer(WlCslRuntime *self)
{
    JsonObject *words = json_object_new();

    host_message_clear(&self->answer);
    self->answer = (HostMessage){.node = json_node_new(JSON_NODE_OBJECT)};
    json_node_take_object(self->answer.node, words);
    return words;
}

/* Hands the data of the answer over. */
static void attach(WlCslRuntime *self)
{
    GByteArray *out = g_steal_pointer(&self->call.out);

    self->call.out = g_byte_array_new();
    self->answer.bytes = g_byte_array_steal(out, &self->answer.count);
    g_byte_array_unref(out);
}

static bool open_program(WlCslRuntime *self, const char *folder, GError **error)
{
    CslRun *run = csl_run_new(folder, self->call.session, error);

    if (run == NULL) {
        return false;
    }
    const CslProgram *program = run->build->program;
    JsonObject *answer = begin_answer(self);

    json_object_set_int_member(answer, "program", self->runs->len);
    g_ptr_array_add(self->runs, run);
    json_object_set_array_member(answer, "symbols",
                                 csl_artifact_symbols(run->build->image));
    json_object_set_int_member(answer, "width", program->layout->width);
    json_object_set_int_member(answer, "height", program->layout->height);
    json_object_set_int_member(answer, "offset_x", run->build->options.offset_x);
    json_object_set_int_member(answer, "offset_y", run->build->options.offset_y);
    return true;
}

static CslRun *find_run(const WlCslRuntime *self, GError **error)
{
    uint64_t number = 0;

    if (self->runs->len == 0) {
        wl_refuse(error, "there is no program");
        return NULL;
    }
    return host_member_count(self->request.words, "program", self->runs->len - 1,
                             &number, error)
               ? g_ptr_array_index(self->runs, number)
               : NULL;
}

/* Fails unless the program is at that stage. */
static bool check_stage(const CslRun *run, const char *what, GError **error)
{
    static const char *const names[] = {
        [CSL_RUN_OPEN] = "load() has not been called",
        [CSL_RUN_LOADED] = "run() has not been called",
        [CSL_RUN_RUNNING] = "the program runs",
        [CSL_RUN_STOPPED] = "stop() has been called",
        [CSL_RUN_GONE] = "another program has been loaded",
    };
    static const struct {
        const char *what;
        CslRunStage first;
        CslRunStage last;
    } allowed[] = {
        {"load", CSL_RUN_OPEN, CSL_RUN_OPEN},
        {"run", CSL_RUN_LOADED, CSL_RUN_LOADED},
        {"commands", CSL_RUN_RUNNING, CSL_RUN_RUNNING},
        {"symbol", CSL_RUN_LOADED, CSL_RUN_STOPPED},
        {"trace", CSL_RUN_LOADED, CSL_RUN_STOPPED},
        {"set", CSL_RUN_LOADED, CSL_RUN_LOADED},
        {"stop", CSL_RUN_OPEN, CSL_RUN_GONE},
    };

    for (guint i = 0; i < G_N_ELEMENTS(allowed); i++) {
        if (g_str_equal(what, allowed[i].what)) {
            return (run->stage >= allowed[i].first && run->stage <= allowed[i].last) ||
                   wl_refuse(error, "%s: %s", what, names[run->stage]);
        }
    }
    return wl_refuse(error, "the host program asks for '%s', which is not there", what);
}

static bool load(WlCslRuntime *self, CslRun *run, GError **error)
{
    CslRun *before = g_steal_pointer(&self->loaded);

    if (before != NULL) {
        csl_run_stop(before, self->call.session, self->lines);
        before->stage = CSL_RUN_GONE;
    }
    if (!csl_run_load(&self->call, error)) {
        return false;
    }
    self->loaded = run;
    if (before != NULL) { /* the wafer has let go of it */
        g_clear_pointer(&before->build, csl_build_free);
    }
    return true;
}

static bool serve(WlCslRuntime *self, GError **error)
{
    const char *what = "";
    const char *folder = "";
    CslRun *run;

    if (!host_member_text(self->request.words, "do", &what, error) ||
        !host_member_text(self->request.words, "folder", &folder, error)) {
        return false;
    }
    JsonObject *answer = begin_answer(self);

    if (g_str_equal(what, "open")) {
        return open_program(self, folder, error);
    }
    run = find_run(self, error);
    if (run == NULL || !check_stage(run, what, error)) {
        return false;
    }
    self->call.run = run;
    if (g_str_equal(what, "load")) {
        return load(self, run, error);
    }
    if (g_str_equal(what, "run")) {
        return csl_run_begin(&self->call, error);
    }
    if (g_str_equal(what, "commands")) {
        return csl_run_commands(&self->call, error);
    }
    if (g_str_equal(what, "symbol") || g_str_equal(what, "set")) {
        return csl_symbol_move(&self->call, g_str_equal(what, "set"), error);
    }
    if (g_str_equal(what, "trace")) {
        return csl_symbol_records(&self->call, answer, error);
    }
    if (run->stage < CSL_RUN_STOPPED) {
        csl_run_stop(run, self->call.session, self->lines);
    }
    return true;
}

static bool go_on(gpointer data, GError **error)
{
    return session_report(data, error);
}

/* Answers a request. Where the simulation has failed, all that follow get the same
 * answer: the host program ends in its own way, and then the run does. */
static bool answer_request(WlCslRuntime *self)
{
    GError *error = NULL;

    self->call.taken = 0;
    g_byte_array_set_size(self->call.out, 0);
    g_array_set_size(self->call.takes, 0);
    if (self->failure == NULL && serve(self, &error)) {
        attach(self);
    } else {
        const GError *why = self->failure == NULL ? error : self->failure;

        json_object_set_string_member(begin_answer(self), "error", why->message);
    }
    if (self->call.is_broken && self->failure == NULL) {
        self->failure = g_steal_pointer(&error);
    }
    g_clear_error(&error);
    (void) fflush(NULL);
    return host_message_write(&self->answer, self->socket);
}

/* One request and its answer; false: the host program has ended. */
static bool serve_next(lua_State *L, WlCslRuntime *self, Session *session)
{
    GError *error = NULL;

    host_message_clear(&self->request);
    switch (host_message_read(&self->request, self->socket, go_on, session, &error)) {
    case HOST_CLOSED:
        break;
    case HOST_FAILED:
        session_fail(L, session, error);
        break;
    case HOST_RECEIVED:
        if (answer_request(self)) {
            return true;
        }
        break;
    }
    if (self->failure != NULL) {
        session_fail(L, session, g_steal_pointer(&self->failure));
    }
    return false;
}

static int csl_serve(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.serve_csl");
    WlCslRuntime *self = session->machine->csl;

    if (self == NULL) {
        return luaL_error(L, "there is no host program; run it with 'gridloom csl "
                             "python SCRIPT'");
    }
    if (!session->machine->is_timing_only) {
        g_free(session->outcome->reference);
        session->outcome->reference =
            g_strdup("the host program judges its results itself");
    }
    self->call.lua = L;
    self->call.session = session;
    while (serve_next(L, self, session)) {
    }
    if (self->loaded != NULL && self->loaded->stage < CSL_RUN_STOPPED) {
        csl_run_stop(self->loaded, session, self->lines);
    }
    csl_lines_report(self->lines, session->outcome);
    csl_tally_push(self->tally, L);
    return 1;
}

const ApiCall csl_functions[] = {
    {"serve_csl", csl_serve,
     "(): { kind: string, name: string, calls: integer, cycles: integer }[]"},
    {0},
};
