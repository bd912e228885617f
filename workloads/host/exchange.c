/* Coordinates the drivers of all chips, and ends runs that can no longer progress. */
#include "workloads/host/exchange.h"

#include <math.h>

#include "arch/error.h"
#include "workloads/host/exchange_state.h"
#include "workloads/host/livelock.h"
#include "workloads/host/transfer.h"

/* The smallest latency of the ways between chips; infinite where there are none. */
static double smallest_latency(const SessionRun *run, SimSystem *system)
{
    double smallest = HUGE_VAL;

    for (guint a = 0; a < run->session_count; a++) {
        for (guint b = 0; b < run->session_count; b++) {
            SimPlatformWay way;

            if (a != b && sim_platform_way(sim_system_platform(system),
                                           run->sessions[a].chip_host,
                                           run->sessions[b].chip_host, &way)) {
                /* Slots are free a latency of the first link later. */
                smallest =
                    MIN(smallest,
                        sim_system_link_numbers(system, way.links[0]).latency_seconds);
            }
        }
    }
    return smallest;
}

static bool is_wanted(const SessionRun *run)
{
    bool is_connected = false;

    for (guint i = 0; i < run->session_count; i++) {
        const ArchFabric *fabric = arch_chip_fabric(run->sessions[i].chip);

        if (fabric == NULL) {
            return false;
        }
        is_connected = is_connected || arch_fabric_is_connected(fabric);
    }
    return is_connected;
}

Exchange *exchange_new(SessionRun *run, GError **error)
{
    if (!is_wanted(run)) {
        return NULL;
    }
    SimSystem *system = run->sessions[0].machine->system;
    const double latency = smallest_latency(run, system);
    Exchange *self = g_new0(Exchange, 1);

    self->run = run;
    self->system = system;
    self->driver_count = run->session_count;
    self->drivers = g_new0(Driver, self->driver_count);
    for (guint i = 0; i < self->driver_count; i++) {
        driver_init(&self->drivers[i], self, &run->sessions[i], latency);
        run->sessions[i].driver = &self->drivers[i];
    }
    if (self->drivers[0].window == 0) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "%s: a latency of %g s between chips, at least 2 cycles are needed",
                    sim_platform_path(sim_system_platform(system)), latency);
        exchange_free(self);
        return NULL;
    }
    for (guint i = 0; i < self->driver_count; i++) {
        g_autofree char *name = g_strdup_printf("driver%u", i);

        sim_system_add_program(system, run->sessions[i].chip_host, name, driver_run,
                               &self->drivers[i]);
    }
    return self;
}

void exchange_free(Exchange *self)
{
    if (self != NULL) {
        for (guint i = 0; i < self->driver_count; i++) {
            self->drivers[i].session->driver = NULL;
            driver_clear(&self->drivers[i]);
        }
        g_free(self->drivers);
        g_free(self);
    }
}

void exchange_stop(Exchange *self)
{
    if (self == NULL || self->is_over) {
        return;
    }
    self->is_over = true;
    for (guint i = 0; i < self->driver_count; i++) {
        driver_wake(&self->drivers[i]);
        driver_release(&self->drivers[i]);
    }
}

void exchange_end(Exchange *self)
{
    exchange_stop(self);
    for (guint i = 0; i < self->driver_count; i++) {
        const GPtrArray *senders = self->drivers[i].senders;

        for (guint k = 0; k < senders->len; k++) {
            sender_end(g_ptr_array_index(senders, k));
        }
    }
}

/* Who waits on which chip, a line each. */
static GError *describe_deadlock(const Exchange *self)
{
    g_autoptr(GString) list = g_string_new(NULL);
    const guint count = livelock_list(self->drivers[0].session, list);
    SimTime last = 0;

    for (guint i = 0; i < self->driver_count; i++) {
        last =
            MAX(last, sim_engine_now(arch_chip_engine(self->drivers[i].session->chip)));
    }
    return g_error_new(SIM_ERROR, SIM_ERROR_DEADLOCK,
                       "deadlock at cycle %" G_GUINT64_FORMAT
                       ": nothing can happen any more, %u still wait%s:%s",
                       last, count, count == 1 ? "s" : "", list->str);
}

static bool is_stuck(const Exchange *self)
{
    bool is_running = false;

    if (self->run->active_threads > 0 || self->under_way > 0) {
        return false;
    }
    for (guint i = 0; i < self->driver_count; i++) {
        if (!driver_is_at_rest(&self->drivers[i])) {
            return false;
        }
        is_running = is_running || self->drivers[i].launch != NULL;
    }
    return is_running;
}

/* A chip that is at rest but has not noticed yet may have ended its launch. */
static bool all_wait(const Exchange *self)
{
    for (guint i = 0; i < self->driver_count; i++) {
        const Driver *driver = &self->drivers[i];
        g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

        sim_engine_list_waiters(arch_chip_engine(driver->session->chip), lines);
        if (driver->launch != NULL && lines->len == 0) {
            return false;
        }
    }
    return true;
}

void exchange_check(Exchange *self)
{
    if (self != NULL && !self->is_over && is_stuck(self) && all_wait(self)) {
        session_halt(self->run, describe_deadlock(self));
    }
}

/* Until the chip's launch has ended, or the run is to stop. */
static void pass_end(Driver *driver)
{
    driver->waiting++;
    driver->session->run->active_threads--;
    exchange_check(driver->exchange);
    sim_gate_pass(driver->ended);
}

void exchange_finish(Exchange *self)
{
    for (guint i = 0; i < self->driver_count; i++) {
        Driver *driver = &self->drivers[i];

        while (driver->launch != NULL && !self->is_over) {
            pass_end(driver);
        }
    }
}

/* The same for a script, which goes on then or not. */
static void wait_for_end(lua_State *L, Session *session)
{
    Driver *driver = session->driver;
    const double start = sim_system_now(session->machine->system);
    HostPause pause = host_pause(session);

    pass_end(driver);
    host_resume(session, pause);
    host_book(session, HOST_DEVICE, sim_system_now(session->machine->system) - start,
              0);
    host_go_on(L, session);
}

void exchange_wait_idle(lua_State *L, Session *session)
{
    while (session->driver->launch != NULL) {
        wait_for_end(L, session);
    }
}

bool exchange_launch(Session *session, Launch *launch, GError **error)
{
    HostPause pause = host_pause(session);
    const bool is_started = driver_launch(session->driver, launch, error);

    host_resume(session, pause);
    return is_started;
}

void exchange_wait(lua_State *L, Session *session, const Launch *launch)
{
    while (session->driver->launch == launch) {
        wait_for_end(L, session);
    }
}
