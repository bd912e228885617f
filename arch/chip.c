/* A chip put together from its numbers. */
#include "arch/chip.h"

#include "arch/error.h"

#define NANOSECOND  1e-9
#define MICROSECOND 1e-6

enum {
    PCIE_COMPONENT = 0,
};

struct ArchChip {
    ArchParams *params;
    const ArchFamily *family;
    SimEngine *engine;
    ArchDram *dram;
    ArchPcie *pcie;
    gpointer part; /* the family's */
};

static SimEngine *
new_engine(const ArchFamily *family, const ArchParams *params, guint thread_count)
{
    SimEngineConfig config = sim_engine_config_default();

    config.thread_count = thread_count;
    if (family->region_count != NULL) {
        config.region_count = family->region_count(params, thread_count);
    }
    if (family->window_cycles != NULL) {
        config.window_cycles = family->window_cycles(params);
    }
    return sim_engine_new(config);
}

ArchChip *arch_chip_new(ArchParams *params, guint thread_count, GError **error)
{
    g_autoptr(ArchChip) self = g_new0(ArchChip, 1);

    self->params = params;
    self->family = arch_family_of(params);
    self->engine = new_engine(self->family, params, thread_count);
    if (arch_params_has(params, "dram.channel_bytes")) {
        self->dram = arch_dram_new(arch_params_uint(params, "dram.channel_count") *
                                   arch_params_uint(params, "dram.channel_bytes"));
    }
    if (arch_params_has(params, "pcie.queue_commands")) {
        self->pcie = arch_pcie_new(sim_engine_region(self->engine, 0),
                                   sim_key(PCIE_COMPONENT, 0), params);
    }
    if (self->family->part_new != NULL) {
        self->part = self->family->part_new(self->engine, params, self->dram, error);
        if (self->part == NULL) {
            return NULL;
        }
    }
    /* Lets the services of its parts come to rest, waiting for work. */
    bool is_at_rest = sim_engine_run(self->engine, SIM_TIME_NEVER, NULL);

    g_assert(is_at_rest);
    return g_steal_pointer(&self);
}

void arch_chip_free(ArchChip *self)
{
    if (self != NULL) {
        if (self->part != NULL) {
            self->family->part_free(self->part);
        }
        arch_pcie_free(self->pcie);
        arch_dram_free(self->dram);
        sim_engine_free(self->engine);
        arch_params_free(self->params);
        g_free(self);
    }
}

const ArchParams *arch_chip_params(const ArchChip *self)
{
    return self->params;
}

SimEngine *arch_chip_engine(const ArchChip *self)
{
    return self->engine;
}

double arch_chip_clock_hz(const ArchChip *self)
{
    return (double) arch_params_uint(self->params, "chip.clock_hz");
}

double arch_chip_launch_seconds(const ArchChip *self)
{
    return arch_params_real(self->params, "host.launch_us") * MICROSECOND;
}

/* Links to the host are described where the chip has its host interface. */
static const struct {
    const char *kind;
    const char *latency;
    const char *bandwidth;
} link_keys[] = {
    {"ethernet", "ethernet.latency_ns", "ethernet.bytes_per_second"},
    {"host_to_device", "pcie.host_to_device_latency_ns",
     "pcie.host_to_device_bytes_per_second"},
    {"device_to_host", "pcie.device_to_host_latency_ns",
     "pcie.device_to_host_bytes_per_second"},
    {"host_to_device", "host.host_to_device_latency_ns",
     "host.host_to_device_bytes_per_second"},
    {"device_to_host", "host.device_to_host_latency_ns",
     "host.device_to_host_bytes_per_second"},
};

bool arch_chip_link(const ArchChip *self,
                    const char *kind,
                    ArchLink *link,
                    GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(link_keys); i++) {
        const char *latency = link_keys[i].latency;
        const char *bandwidth = link_keys[i].bandwidth;

        if (g_str_equal(link_keys[i].kind, kind) &&
            arch_params_has(self->params, latency)) {
            *link = (ArchLink){
                .latency_seconds =
                    (double) arch_params_uint(self->params, latency) * NANOSECOND,
                .bytes_per_second = (double) arch_params_uint(self->params, bandwidth),
                .source = arch_params_find(self->params, bandwidth)->source,
            };
            return true;
        }
    }
    return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
                    "%s: no numbers for a link of kind %s",
                    arch_params_name(self->params), kind);
}

ArchDram *arch_chip_dram(const ArchChip *self)
{
    return self->dram;
}

ArchPcie *arch_chip_pcie(const ArchChip *self)
{
    return self->pcie;
}

ArchFabric *arch_chip_fabric(const ArchChip *self)
{
    return self->family->fabric != NULL ? self->family->fabric(self->part) : NULL;
}

bool arch_chip_progress(const ArchChip *self, SimTime now, uint64_t *progress)
{
    if (self->family->progress == NULL) {
        return false;
    }
    *progress = self->family->progress(self->part, now) +
                (self->pcie != NULL ? arch_pcie_busy_cycles(self->pcie) : 0);
    return true;
}

gpointer arch_chip_part(const ArchChip *self, const ArchFamily *family)
{
    return self->family == family ? self->part : NULL;
}

bool arch_chip_grid(const ArchChip *self, ArchGrid *grid)
{
    if (self->family->grid == NULL) {
        return false;
    }
    *grid = self->family->grid(self->part);
    return true;
}
