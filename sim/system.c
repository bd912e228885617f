/* Runs host programs and the links between hosts on SimGrid. */
#include "sim/system.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/instr.h>
#include <simgrid/link.h>
#include <simgrid/semaphore.h>
#include <xbt/config.h>

#include "sim/error.h"
#include "sim/library.h"
#include "sim/platform/parts.h"

typedef struct {
    SimLinkUse use;
    guint under_way; /* transfers */
    double since;    /* when the first of them began */
} LinkState;

struct SimSystem {
    const SimPlatform *platform;
    GPtrArray *programs; /* of SimProgram, that nobody joins */
    LinkState *links;    /* by index in the platform */
    SimLinkFunc see_link;
    gpointer see_link_data;
    bool is_traced;
    bool has_run;
};

struct SimProgram {
    SimSystem *system;
    SimProgramFunc func;
    gpointer data;
    sg_actor_t actor;
};

struct SimGate {
    sg_sem_t tokens;
};

static struct {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): it declares the name */
#define SIMGRID_FUNCTION(name) __typeof__(name) *name;
#include "sim/simgrid_functions.def"
#undef SIMGRID_FUNCTION
} simgrid;

typedef void (*WithoutMemory)(void);

static void end_without_memory(void)
{
    g_error("SimGrid: failed to allocate memory");
}

/* SimGrid, which takes memory as soon as it is loaded, would abort without any. GLib's
 * way to end is that of all other allocations. */
static void set_without_memory(void)
{
    static WithoutMemory (*set_new_handler)(WithoutMemory);
    static const SimSymbol symbol = {"_ZSt15set_new_handlerPFvvE", &set_new_handler};
    static const SimLibrary library = {.title = "the library of C++",
                                       .file = "libstdc++.so.6",
                                       .package = "libstdc++6",
                                       .symbols = &symbol,
                                       .symbol_count = 1};
    if (sim_library_open(&library, NULL)) {
        (void) set_new_handler(end_without_memory);
    }
}

/* SimGrid's engine belongs to the process and cannot be made twice, so this mark
 * belongs to the process, too. */
static gint has_engine = 0;

/* SimGrid exits on SIGINT and reports the others its own way. */
static const int taken_signals[] = {SIGINT, SIGSEGV, SIGBUS};

/* What a link's numbers need to mean what they say.
 * CM02 with these factors is bytes / bandwidth, shared max-min fairly. Latency is paid
 * by sim_system_transfer: CM02 would share a link in proportion to 1 / latency, as TCP
 * does, and the factor 0 makes all weights equal. TCP-gamma is a window per round trip,
 * which neither PCIe nor Ethernet between chips has. */
static const char *const options[] = {
    "--log=root.thres:error",
    "--cfg=network/model:CM02",
    "--cfg=network/crosstraffic:0",
    "--cfg=network/bandwidth-factor:1",
    "--cfg=network/latency-factor:0",
    "--cfg=network/weight-S:0",
    "--cfg=network/TCP-gamma:1e30",
    /* Seconds; with the default 1e-9, sleeps of nanoseconds run into each other. */
    "--cfg=surf/precision:1e-12",
    /* KiB, for scripts and chip models that run inside a program. */
    "--cfg=contexts/stack-size:16384",
#if defined(GRIDLOOM_SANITIZE) || defined(__SANITIZE_ADDRESS__)
    /* The sanitizer cannot follow SimGrid's own stack switches. */
    "--cfg=contexts/factory:thread",
#endif
};

static bool check_writable(const char *path, GError **error)
{
    FILE *file = g_fopen(path, "w");
    if (file == NULL || fclose(file) != 0) {
        return sim_fail(error, SIM_ERROR, SIM_ERROR_PLATFORM,
                        "%s: %s, a file that can be written is allowed", path,
                        g_strerror(errno));
    }
    return true;
}

/* By function: a path in an option would end at its first blank. */
static void set_trace(const char *path)
{
    simgrid.sg_cfg_set_string("tracing/filename", path);
    simgrid.sg_cfg_set_boolean("tracing", "yes");
    simgrid.sg_cfg_set_boolean("tracing/platform", "yes");
    simgrid.sg_cfg_set_boolean("tracing/uncategorized", "yes");
    simgrid.sg_cfg_set_boolean("tracing/actor", "yes");
    /* Digits after the point of a second; the default 6 loses the nanoseconds. */
    simgrid.sg_cfg_set_int("tracing/precision", 12);
}

/* Sets `file` to what SimGrid is to read instead of the platform's own file: one in
 * memory, with all routes written out; or to -1. */
static bool write_platform(const SimPlatform *platform, int *file, GError **error)
{
    g_autofree char *text = sim_platform_expanded(platform);
    *file = text == NULL ? -1 : memfd_create("platform", MFD_CLOEXEC);
    if (text == NULL || (*file >= 0 && dprintf(*file, "%s", text) >= 0)) {
        return true;
    }
    g_set_error(error, SIM_ERROR, SIM_ERROR_PLATFORM,
                "%s: its routes cannot be written, %s", sim_platform_path(platform),
                g_strerror(errno));
    if (*file >= 0) {
        (void) close(*file);
    }
    return false;
}

static void start_engine(const char *platform_path, const char *paje_path)
{
    char name[] = "gridloom";
    char *argv[G_N_ELEMENTS(options) + 2] = {name};
    int argc = 1;
    for (size_t option = 0; option < G_N_ELEMENTS(options); option++) {
        argv[argc++] = (char *) options[option];
    }
    simgrid.simgrid_init(&argc, argv);
    if (paje_path != NULL) {
        set_trace(paje_path);
    }
    simgrid.simgrid_load_platform(platform_path);
}

static void run_program(int argc G_GNUC_UNUSED, char **argv G_GNUC_UNUSED)
{
    const SimProgram *program = simgrid.sg_actor_self_get_data();
    program->func(program->system, program->data);
}

/* NOTE: sg_host_sendto ends a state in the trace that it never began. */
static void trace_send(void)
{
    g_autofree char *lane = g_strdup_printf("%s-%ld", simgrid.sg_actor_self_get_name(),
                                            (long) simgrid.sg_actor_self_get_pid());
    simgrid.TRACE_host_push_state(lane, "ACTOR_STATE", "send");
}

bool sim_system_load(GError **error)
{
    static const SimSymbol symbols[] = {
#define SIMGRID_FUNCTION(name) {#name, &simgrid.name},
#include "sim/simgrid_functions.def"
#undef SIMGRID_FUNCTION
    };
    static const SimLibrary library = {
        .title = "SimGrid",
        .file = SIMGRID_LIBRARY,
        .package = SIMGRID_PACKAGE,
        .symbols = symbols,
        .symbol_count = G_N_ELEMENTS(symbols),
    };
    set_without_memory();
    return sim_library_open(&library, error);
}

SimSystem *
sim_system_new(const SimPlatform *platform, const char *paje_path, GError **error)
{
    g_return_val_if_fail(platform != NULL, NULL);

    if (!g_atomic_int_compare_and_exchange(&has_engine, 0, 1)) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_PLATFORM,
                    "%s: a second system, one system per process is allowed",
                    sim_platform_path(platform));
        return NULL;
    }
    if (!sim_system_load(error) ||
        (paje_path != NULL && !check_writable(paje_path, error))) {
        g_atomic_int_set(&has_engine, 0);
        return NULL;
    }

    int expanded;
    if (!write_platform(platform, &expanded, error)) {
        g_atomic_int_set(&has_engine, 0);
        return NULL;
    }
    g_autofree char *file = expanded < 0
                                ? g_strdup(sim_platform_path(platform))
                                : g_strdup_printf("/proc/self/fd/%d", expanded);
    struct sigaction handlers[G_N_ELEMENTS(taken_signals)];
    for (size_t taken = 0; taken < G_N_ELEMENTS(taken_signals); taken++) {
        sigaction(taken_signals[taken], NULL, &handlers[taken]);
    }
    start_engine(file, paje_path);
    if (expanded >= 0) {
        (void) close(expanded);
    }
    for (size_t taken = 0; taken < G_N_ELEMENTS(taken_signals); taken++) {
        sigaction(taken_signals[taken], &handlers[taken], NULL);
    }

    SimSystem *self = g_new0(SimSystem, 1);
    self->platform = platform;
    self->programs = g_ptr_array_new_with_free_func(g_free);
    self->links = g_new0(LinkState, sim_platform_link_count(platform));
    self->is_traced = paje_path != NULL;
    return self;
}

void sim_system_free(SimSystem *self)
{
    if (self != NULL) {
        g_ptr_array_unref(self->programs);
        g_free(self->links);
        g_free(self);
    }
}

void sim_system_set_link(SimSystem *self,
                         const char *link,
                         double latency_seconds,
                         double bytes_per_second)
{
    g_return_if_fail(self != NULL && !self->has_run);
    g_return_if_fail(link != NULL &&
                     sim_platform_find_link(self->platform, link, &(guint){0}));
    g_return_if_fail(isfinite(latency_seconds) && latency_seconds >= 0);
    g_return_if_fail(isfinite(bytes_per_second) && bytes_per_second > 0);

    simgrid.sg_link_set_latency(simgrid.sg_link_by_name(link), latency_seconds);
    simgrid.sg_link_set_bandwidth(simgrid.sg_link_by_name(link), bytes_per_second);
}

static SimProgram *prepare(SimSystem *self,
                           const char *host,
                           const char *name,
                           SimProgramFunc func,
                           gpointer data)
{
    SimProgram *program = g_new(SimProgram, 1);
    *program = (SimProgram){
        .system = self,
        .func = func,
        .data = data,
        .actor = simgrid.sg_actor_init(name, simgrid.sg_host_by_name(host)),
    };
    simgrid.sg_actor_set_data(program->actor, program);
    return program;
}

void sim_system_add_program(SimSystem *self,
                            const char *host,
                            const char *name,
                            SimProgramFunc func,
                            gpointer data)
{
    g_return_if_fail(self != NULL && !self->has_run);
    g_return_if_fail(host != NULL &&
                     sim_platform_find_host(self->platform, host, &(guint){0}));
    g_return_if_fail(name != NULL && func != NULL);

    SimProgram *program = prepare(self, host, name, func, data);
    g_ptr_array_add(self->programs, program);
    simgrid.sg_actor_start_(program->actor, run_program, 0, NULL);
}

void sim_system_run(SimSystem *self)
{
    g_return_if_fail(self != NULL && !self->has_run);

    self->has_run = true;
    simgrid.simgrid_run();
}

const SimPlatform *sim_system_platform(const SimSystem *self)
{
    return self->platform;
}

SimLinkNumbers sim_system_link_numbers(const SimSystem *self, guint link)
{
    const char *name = sim_platform_link(self->platform, link)->name;
    const_sg_link_t known = simgrid.sg_link_by_name(name);
    return (SimLinkNumbers){simgrid.sg_link_get_latency(known),
                            simgrid.sg_link_get_bandwidth(known)};
}

SimLinkUse sim_system_link_use(const SimSystem *self, guint link)
{
    g_return_val_if_fail(link < sim_platform_link_count(self->platform),
                         (SimLinkUse){0});

    const LinkState *state = &self->links[link];
    SimLinkUse use = state->use;
    if (state->under_way > 0) {
        use.busy_seconds += sim_system_now(self) - state->since;
    }
    return use;
}

double sim_system_now(const SimSystem *self)
{
    g_return_val_if_fail(self != NULL, 0);
    return simgrid.simgrid_get_clock();
}

void sim_system_sleep(SimSystem *self, double seconds)
{
    g_return_if_fail(self != NULL && self->has_run);
    g_return_if_fail(isfinite(seconds) && seconds >= 0);

    simgrid.sg_actor_sleep_for(seconds);
}

void sim_system_watch_links(SimSystem *self, SimLinkFunc func, gpointer data)
{
    g_return_if_fail(self != NULL && !self->has_run);

    self->see_link = func;
    self->see_link_data = data;
}

const char *sim_system_program(const SimSystem *self)
{
    g_return_val_if_fail(self != NULL && self->has_run, NULL);
    return simgrid.sg_actor_self_get_name();
}

/* Tells of a transfer on all links of its way. */
static void tell(const SimSystem *self, const SimPlatformWay *way, SimLinkDeed deed)
{
    for (guint i = 0; self->see_link != NULL && i < way->count; i++) {
        deed.link = way->links[i];
        deed.under_way = self->links[deed.link].under_way;
        deed.now = sim_system_now(self);
        self->see_link(self->see_link_data, &deed);
    }
}

static void begin_use(SimSystem *self, const SimPlatformWay *way)
{
    for (guint i = 0; i < way->count; i++) {
        LinkState *link = &self->links[way->links[i]];
        if (link->under_way++ == 0) {
            link->since = sim_system_now(self);
        }
    }
}

static void end_use(SimSystem *self, const SimPlatformWay *way, uint64_t bytes)
{
    for (guint i = 0; i < way->count; i++) {
        LinkState *link = &self->links[way->links[i]];
        link->use.bytes += bytes;
        if (--link->under_way == 0) {
            link->use.busy_seconds += sim_system_now(self) - link->since;
        }
    }
}

static void send(SimSystem *self, const char *from, const char *to, uint64_t bytes)
{
    SimPlatformWay way;
    SimLinkDeed deed = {
        .program = simgrid.sg_actor_self_get_name(),
        .from = from,
        .to = to,
        .bytes = bytes,
        .begin = sim_system_now(self),
    };
    (void) sim_platform_way(self->platform, from, to, &way);
    begin_use(self, &way);
    tell(self, &way, deed);
    simgrid.sg_host_sendto(simgrid.sg_host_by_name(from), simgrid.sg_host_by_name(to),
                           (double) bytes);
    end_use(self, &way, bytes);
    deed.is_over = true;
    tell(self, &way, deed);
}

void sim_system_transfer(SimSystem *self,
                         const char *from,
                         const char *to,
                         uint64_t bytes)
{
    g_return_if_fail(self != NULL && self->has_run);
    g_return_if_fail(sim_platform_has_route(self->platform, from, to));

    if (self->is_traced) {
        trace_send();
    }
    simgrid.sg_actor_sleep_for(simgrid.sg_host_get_route_latency(
        simgrid.sg_host_by_name(from), simgrid.sg_host_by_name(to)));
    send(self, from, to, bytes);
}

void sim_system_send(SimSystem *self, const char *from, const char *to, uint64_t bytes)
{
    g_return_if_fail(self != NULL && self->has_run);
    g_return_if_fail(sim_platform_has_route(self->platform, from, to));

    if (self->is_traced) {
        trace_send();
    }
    send(self, from, to, bytes);
}

SimProgram *sim_system_start(SimSystem *self,
                             const char *host,
                             const char *name,
                             SimProgramFunc func,
                             gpointer data)
{
    g_return_val_if_fail(self != NULL && self->has_run, NULL);
    g_return_val_if_fail(host != NULL &&
                             sim_platform_find_host(self->platform, host, &(guint){0}),
                         NULL);
    g_return_val_if_fail(name != NULL && func != NULL, NULL);

    SimProgram *program = prepare(self, host, name, func, data);
    /* It may end before it is joined. */
    simgrid.sg_actor_ref(program->actor);
    simgrid.sg_actor_start_(program->actor, run_program, 0, NULL);
    return program;
}

void sim_system_join(SimSystem *self, SimProgram *program)
{
    g_return_if_fail(self != NULL && self->has_run);
    g_return_if_fail(program != NULL && program->system == self);

    simgrid.sg_actor_join(program->actor, -1);
    simgrid.sg_actor_unref(program->actor);
    g_free(program);
}

SimGate *sim_gate_new(void)
{
    SimGate *self = g_new(SimGate, 1);
    self->tokens = simgrid.sg_sem_init(0);
    return self;
}

void sim_gate_free(SimGate *self)
{
    if (self != NULL) {
        simgrid.sg_sem_destroy(self->tokens);
        g_free(self);
    }
}

void sim_gate_open(SimGate *self)
{
    simgrid.sg_sem_release(self->tokens);
}

void sim_gate_pass(SimGate *self)
{
    simgrid.sg_sem_acquire(self->tokens);
}

void sim_gate_pass_within(SimGate *self, double seconds)
{
    (void) simgrid.sg_sem_acquire_timeout(self->tokens, seconds);
}
