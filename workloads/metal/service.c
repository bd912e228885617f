/* Requests of a host program, served in simulated time. */
#include "workloads/metal/service.h"

#include <stdio.h>
#include <unistd.h>

#include <lauxlib.h>

#include "arch/tensix.h"
#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/host/host.h"
#include "workloads/host/launch.h"
#include "workloads/host/member.h"
#include "workloads/host/message.h"
#include "workloads/host/transfer.h"
#include "workloads/metal.h"
#include "workloads/metal/compiler.h"
#include "workloads/metal/device.h"
#include "workloads/metal/memory.h"

enum {
    L1_FIRST = 105664, /* bytes of a core that programs may use, from here */
    L1_END = 1499136,  /* to here, as tt-metal has it */
    DRAM_FIRST = 1048640,
};

/* What a request needs; all of it outlives errors, which jump out of functions. */
struct WlMetal {
    int socket;
    char *const *includes;
    MetalCompiler *compiler;
    HostMessage request;
    HostMessage answer;
    GPtrArray *orders;  /* of MetalOrder: programs that were launched */
    GArray *unfinished; /* of Unfinished */
    MetalRecord record;
    bool is_over;
};

/* A launch that the host program has not waited for. */
typedef struct {
    Session *session;
    Launch *launch;
    MetalOrder *order; /* borrowed from the list */
} Unfinished;

static void order_free(gpointer data)
{
    metal_order_clear(data);
    g_free(data);
}

WlMetal *wl_metal_new(int socket, char *const *includes)
{
    WlMetal *self = g_new0(WlMetal, 1);

    self->socket = socket;
    self->includes = includes;
    self->orders = g_ptr_array_new_with_free_func(order_free);
    self->unfinished = g_array_new(FALSE, FALSE, sizeof(Unfinished));
    self->record = (MetalRecord){
        .times = metal_times_new(),
        .log = metal_log_new(),
        .noted = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    return self;
}

void wl_metal_free(WlMetal *self)
{
    if (self != NULL) {
        host_message_clear(&self->request);
        host_message_clear(&self->answer);
        metal_prints_clear(&self->record.prints);
        metal_times_free(self->record.times);
        metal_log_free(self->record.log);
        g_hash_table_unref(self->record.noted);
        metal_compiler_free(self->compiler);
        g_ptr_array_unref(self->orders);
        g_array_unref(self->unfinished);
        (void) close(self->socket);
        g_free(self);
    }
}

static WlMetal *check_metal(lua_State *L, const Session *session)
{
    WlMetal *self = session->machine->metal;

    if (self == NULL) {
        luaL_error(L, "there is no host program; run it with 'gridloom metal "
                      "PROGRAM.cpp'");
    }
    return self;
}

/* The chip that a request is for. */
static Session *chip_of(lua_State *L, Session *session, JsonObject *request)
{
    uint64_t chip = 0;
    GError *error = NULL;

    if (json_object_has_member(request, "chip") &&
        !host_member_count(request, "chip", session->run->session_count - 1, &chip,
                           &error)) {
        session_fail(L, session, error);
    }
    return &session->run->sessions[chip];
}

static JsonObject *begin_answer(WlMetal *self)
{
    JsonObject *words = json_object_new();

    host_message_clear(&self->answer);
    self->answer = (HostMessage){.node = json_node_new(JSON_NODE_OBJECT)};
    json_node_take_object(self->answer.node, words);
    return words;
}

/* Column and row of each bank, "0 11 0 1". The caller frees it. */
static char *dram_places(const ArchParams *params)
{
    gsize count = 0;
    const uint64_t *columns = arch_params_list(params, "dram.view_columns", &count);
    const uint64_t *rows = arch_params_list(params, "dram.view_rows", &count);
    GString *places = g_string_new(NULL);

    for (gsize i = 0; i < count; i++) {
        g_string_append_printf(places, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " ",
                               columns[i], rows[i]);
    }
    return g_string_free(places, FALSE);
}

static void open_chips(WlMetal *self, const Session *session)
{
    const ArchParams *params = arch_chip_params(session->chip);
    const ArchTensix *tensix = arch_tensix_of(session->chip);
    JsonObject *answer = begin_answer(self);
    g_autofree char *places = dram_places(params);

    json_object_set_int_member(answer, "chips", session->run->session_count);
    json_object_set_int_member(answer, "columns", arch_tensix_columns(tensix));
    json_object_set_int_member(answer, "rows", arch_tensix_rows(tensix));
    json_object_set_double_member(answer, "clock_hz",
                                  arch_chip_clock_hz(session->chip));
    json_object_set_string_member(answer, "arch", "wormhole_b0");
    json_object_set_int_member(answer, "dram_banks",
                               (gint64) arch_params_uint(params, "dram.channel_count"));
    json_object_set_int_member(answer, "dram_bank_bytes",
                               (gint64) arch_params_uint(params, "dram.channel_bytes"));
    json_object_set_int_member(answer, "dram_first", DRAM_FIRST);
    json_object_set_int_member(answer, "l1_first", L1_FIRST);
    json_object_set_int_member(answer, "l1_end", L1_END);
    json_object_set_int_member(answer, "l1_alignment", 16);
    json_object_set_int_member(answer, "dram_alignment", 32);
    json_object_set_string_member(answer, "dram_places", places);
}

static void move(lua_State *L, WlMetal *self, Session *session, bool is_write)
{
    JsonObject *words = self->request.words;
    uint64_t count = 0;
    GError *error = NULL;

    if (!metal_memory_count(words, &count, &error) ||
        (is_write && count != self->request.count &&
         !wl_refuse(&error,
                    "the host program sent %" G_GSIZE_FORMAT
                    " bytes for %" G_GUINT64_FORMAT,
                    self->request.count, count))) {
        session_fail(L, session, error);
    }
    (void) begin_answer(self);
    if (!is_write) {
        self->answer.bytes = g_try_malloc0(count);
        self->answer.count = count;
    }
    if ((!is_write && count > 0 && self->answer.bytes == NULL &&
         !wl_refuse(&error,
                    "a transfer of %" G_GUINT64_FORMAT " bytes needs more memory "
                    "than there is",
                    count)) ||
        !metal_memory_move(session, words,
                           is_write ? self->request.bytes : self->answer.bytes,
                           is_write, &error)) {
        session_fail(L, session, error);
    }
    if (metal_memory_is_dram(words)) {
        host_count_dram(session, count);
    }
    (void) host_transfer(L, session, is_write ? HOST_TO_CHIP : CHIP_TO_HOST, count);
    lua_pop(L, 1);
}

/* Adds { name =, cycles =, seconds = } to the list at index 1. */
static void note_launch(lua_State *L, const char *name, SimTime cycles, double seconds)
{
    lua_newtable(L);
    lua_pushstring(L, name);
    lua_setfield(L, -2, "name");
    lua_pushinteger(L, (lua_Integer) cycles);
    lua_setfield(L, -2, "cycles");
    lua_pushnumber(L, seconds);
    lua_setfield(L, -2, "seconds");
    lua_rawseti(L, 1, (lua_Integer) lua_rawlen(L, 1) + 1);
}

static MetalDevice *load(WlMetal *self, Session *session, GError **error)
{
    JsonNode *node = json_object_get_member(self->request.words, "program");
    MetalOrder *order = g_new0(MetalOrder, 1);

    g_ptr_array_add(self->orders, order);
    if (node == NULL || !JSON_NODE_HOLDS_OBJECT(node)) {
        wl_refuse(error, "the host program sent no program to launch");
        return NULL;
    }
    if (self->compiler == NULL) {
        self->compiler = metal_compiler_new(self->includes, error);
    }
    return self->compiler != NULL &&
                   metal_order_read(order, json_node_get_object(node),
                                    arch_tensix_of(session->chip), error)
               ? metal_device_new(session, self->compiler, order, &self->record, error)
               : NULL;
}

/* Waits for the launch at `index` and adds what it took to the list at index 1. */
static SimTime finish(lua_State *L, WlMetal *self, guint index)
{
    const Unfinished one = g_array_index(self->unfinished, Unfinished, index);
    const SimTime cycles = host_finish(L, one.session, one.launch);
    const GArray *kernels = one.order->kernels;

    note_launch(L,
                kernels->len == 0 ? "no kernels"
                                  : g_array_index(kernels, MetalKernel, 0).name,
                cycles, (double) cycles / arch_chip_clock_hz(one.session->chip));
    g_array_remove_index(self->unfinished, index);
    (void) g_ptr_array_remove(self->orders, one.order);
    return cycles;
}

/* Waits for a chip, or for all of them (NULL): what was launched there has ended. */
static void settle(lua_State *L, WlMetal *self, const Session *session)
{
    for (guint i = 0; i < self->unfinished->len;) {
        const Session *other = g_array_index(self->unfinished, Unfinished, i).session;

        if (session == NULL || session == other) {
            (void) finish(L, self, i);
        } else {
            i++;
        }
    }
}

/* Chips of a system run beside each other; a chip on its own has ended its launch
 * before the host program goes on. */
static void launch(lua_State *L, WlMetal *self, Session *session)
{
    GError *error = NULL;
    bool is_waited_for = false;
    bool is_further = false; /* on a further chip of the same workload */

    settle(L, self, session);
    if (!host_member_flag(self->request.words, "wait", &is_waited_for, &error) ||
        !host_member_flag(self->request.words, "further", &is_further, &error)) {
        session_fail(L, session, error);
    }
    MetalDevice *device = load(self, session, &error);

    if (device == NULL) {
        session_fail(L, session, error);
    }
    const Unfinished one = {.session = session,
                            .launch = launch_of(session, &metal_program, device),
                            .order =
                                g_ptr_array_index(self->orders, self->orders->len - 1)};

    (is_further ? host_begin : host_start)(L, session, one.launch);
    g_array_append_val(self->unfinished, one);
    JsonObject *answer = begin_answer(self);

    if (session->driver == NULL || is_waited_for) {
        const SimTime cycles = finish(L, self, self->unfinished->len - 1);

        json_object_set_int_member(answer, "cycles", (gint64) cycles);
        json_object_set_double_member(
            answer, "seconds", (double) cycles / arch_chip_clock_hz(session->chip));
    }
}

static void write_profile(lua_State *L, WlMetal *self, Session *session)
{
    const ArchTensix *tensix = arch_tensix_of(session->chip);
    const char *folder = "";
    GError *error = NULL;

    if (!host_member_text(self->request.words, "path", &folder, &error) ||
        !metal_log_write(self->record.log, folder, arch_chip_clock_hz(session->chip),
                         arch_tensix_columns(tensix) * arch_tensix_rows(tensix),
                         &error)) {
        session_fail(L, session, error);
    }
    if (self->record.dropped > 0) {
        g_autofree char *text = g_strdup_printf(
            "note: profile_log_device.csv: %u zones and stamps did not fit into the "
            "profiler's buffers, 125 zones for each RISC-V and program",
            self->record.dropped);

        session_print(session, text);
        self->record.dropped = 0;
    }
}

static void serve(lua_State *L, WlMetal *self, Session *first)
{
    Session *session = chip_of(L, first, self->request.words);
    const char *what = "";
    GError *error = NULL;

    (void) host_member_text(self->request.words, "do", &what, NULL);
    if (g_str_equal(what, "open")) {
        if (!metal_prints_read(&self->record.prints, self->request.words, &error)) {
            session_fail(L, session, error);
        }
        open_chips(self, session);
    } else if (g_str_equal(what, "write") || g_str_equal(what, "read")) {
        settle(L, self, session);
        move(L, self, session, *what == 'w');
    } else if (g_str_equal(what, "launch")) {
        launch(L, self, session);
    } else if (g_str_equal(what, "finish") || g_str_equal(what, "end")) {
        settle(L, self, NULL);
        self->is_over = *what == 'e';
        (void) begin_answer(self);
    } else if (g_str_equal(what, "profile")) {
        settle(L, self, NULL);
        write_profile(L, self, session);
        (void) begin_answer(self);
    } else {
        (void) wl_refuse(&error, "the host program asks for '%s', which is not there",
                         what);
        session_fail(L, first, error);
    }
}

static bool go_on(gpointer data, GError **error)
{
    return session_report(data, error);
}

static int metal_serve(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.serve");
    WlMetal *self = check_metal(L, session);

    if (!session->machine->is_timing_only) {
        g_free(session->outcome->reference);
        session->outcome->reference =
            g_strdup("the host program judges its results itself");
    }

    lua_settop(L, 0);
    lua_newtable(L);
    while (!self->is_over) {
        GError *error = NULL;

        host_message_clear(&self->request);
        switch (
            host_message_read(&self->request, self->socket, go_on, session, &error)) {
        case HOST_CLOSED:
            return 1; /* the host program has ended on its own */
        case HOST_FAILED:
            return session_fail(L, session, error);
        case HOST_RECEIVED:
            break;
        }
        serve(L, self, session);
        (void) fflush(NULL); /* what kernels print stands before what follows */
        if (!host_message_write(&self->answer, self->socket)) {
            return 1;
        }
    }
    return 1;
}

/* host.kernel_times(): reports where the time of kernels went. */
static int metal_kernel_times(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.kernel_times");

    metal_times_report(check_metal(L, session)->record.times, session->outcome);
    return 0;
}

const ApiCall metal_functions[] = {
    {"kernel_times", metal_kernel_times, "()"},
    {"serve", metal_serve, "(): { name: string, cycles: integer, seconds: number }[]"},
    {0},
};
