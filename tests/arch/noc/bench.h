/* What the tests of networks share: a network, timed sends, and what arrived. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/noc.h"
#include "sim/engine.h"

enum {
    LIMIT = 2000000, /* cycles: no test comes near */
};

typedef struct {
    SimTime when;
    uint32_t source;
    uint32_t target;
    guint flits;
} Send;

/* A network and what arrived. */
typedef struct {
    SimEngine *engine;
    ArchNoc *noc;
    GArray *deliveries; /* of ArchNocDelivery */
    GPtrArray *sends;   /* of Later */
} Bench;

typedef struct {
    ArchNoc *noc;
    Send send;
} Later;

static inline ArchNocConfig
config_of(ArchNocTopology topology, guint width, guint height)
{
    return (ArchNocConfig){
        .topology = topology,
        .width = width,
        .height = height,
        .vc_count = 4,
        .buffer_flits = 16,
        .hop_cycles = 3,
        .endpoint_cycles = 4,
        .credit_cycles = 2,
        .seed = 1,
    };
}

static inline void note_arrival(gpointer data, const ArchNocDelivery *delivery)
{
    g_array_append_vals(data, delivery, 1);
}

static inline void bench_open(Bench *self, const ArchNocConfig *config)
{
    g_autoptr(GError) error = NULL;

    self->engine = sim_engine_new(sim_engine_config_default());
    self->noc = arch_noc_new(sim_engine_region(self->engine, 0), sim_key(UINT32_MAX, 0),
                             config, &error);
    if (self->noc == NULL) {
        fail_msg("%s", error->message);
    }
    self->deliveries = g_array_new(FALSE, FALSE, sizeof(ArchNocDelivery));
    self->sends = g_ptr_array_new_with_free_func(g_free);
    arch_noc_on_arrival(self->noc, note_arrival, self->deliveries);
}

static inline void bench_close(Bench *self)
{
    arch_noc_free(self->noc);
    sim_engine_free(self->engine);
    g_array_unref(self->deliveries);
    g_ptr_array_unref(self->sends);
}

static inline void send_now(SimRegion *region G_GNUC_UNUSED, gpointer data)
{
    const Later *later = data;

    arch_noc_send(later->noc, later->send.source, later->send.target,
                  later->send.flits);
}

static inline void bench_send(Bench *self, Send send)
{
    Later *later = g_new(Later, 1);

    *later = (Later){.noc = self->noc, .send = send};
    g_ptr_array_add(self->sends, later);
    sim_region_at(sim_engine_region(self->engine, 0), send.when, 0, send_now, later);
}

static inline void bench_run(Bench *self)
{
    g_autoptr(GError) error = NULL;

    if (!sim_engine_run(self->engine, LIMIT, &error)) {
        fail_msg("%s", error->message);
    }
    assert_int_equal(arch_noc_pending(self->noc), 0);
}

static inline const ArchNocDelivery *bench_delivery(const Bench *self, guint index)
{
    assert_true(index < self->deliveries->len);
    return &g_array_index(self->deliveries, ArchNocDelivery, index);
}

/* When the last packet from `source` came. */
static inline SimTime bench_end(const Bench *self, uint32_t source)
{
    SimTime end = 0;

    for (guint i = 0; i < self->deliveries->len; i++) {
        const ArchNocDelivery *delivery = bench_delivery(self, i);

        end = delivery->source == source ? MAX(end, delivery->arrived) : end;
    }
    return end;
}

static inline SimTime lone_latency(const ArchNocConfig *config, Send send, guint *hops)
{
    Bench bench;
    bench_open(&bench, config);
    bench_send(&bench, send);

    bench_run(&bench);

    const ArchNocDelivery delivery = *bench_delivery(&bench, 0);
    assert_int_equal(bench.deliveries->len, 1);
    assert_int_equal(delivery.source, send.source);
    assert_int_equal(delivery.target, send.target);
    assert_int_equal(delivery.flits, send.flits);
    assert_int_equal(delivery.created, send.when);
    *hops = delivery.hops;
    bench_close(&bench);
    return delivery.arrived - delivery.created;
}
