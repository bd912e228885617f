/* Derives the routes of fabrics from the links of a platform. */
#include "workloads/connection.h"

#include "arch/error.h"
#include "sim/narrow.h"

typedef struct {
    const SimPlatform *platform;
    const WlChip *chips;
    guint chip_count;
    int *link_at; /* by chip, direction and port: the link there, or -1 */
} Wiring;

enum {
    OUT,
    IN,
    DIRECTIONS,
    PORTS = 256,
};

static bool fail(const Wiring *self, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static bool fail(const Wiring *self, GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);

    va_end(args);
    return arch_refuse(error, "%s: %s", sim_platform_path(self->platform), what);
}

/* A link keeps its port for itself. */
static bool claim_port(
    const Wiring *self, guint chip, guint direction, guint link_index, GError **error)
{
    const SimPlatformLink *link = sim_platform_link(self->platform, link_index);
    const int port = direction == OUT ? link->from_port : link->to_port;
    int *slot = &self->link_at[(sim_i32(chip * DIRECTIONS + direction)) * PORTS + port];

    if (*slot >= 0 && *slot != sim_i32(link_index)) {
        return fail(self, error, "links %s and %s at port %d of %s, one is allowed",
                    sim_platform_link(self->platform, sim_u32(*slot))->name, link->name,
                    port, self->chips[chip].host);
    }
    *slot = sim_i32(link_index);
    return true;
}

static bool has_ports(const Wiring *self, const SimPlatformWay *way)
{
    const SimPlatformLink *first = sim_platform_link(self->platform, way->links[0]);
    const SimPlatformLink *last =
        sim_platform_link(self->platform, way->links[way->count - 1]);
    const bool is_out =
        g_str_equal(first->kind, "device_to_host") || first->from_port >= 0;
    const bool is_in = g_str_equal(last->kind, "host_to_device") || last->to_port >= 0;

    return is_out && is_in;
}

/* The port at one end of a way; takes it for its link. */
static bool find_port(const Wiring *self,
                      const SimPlatformWay *way,
                      guint chip,
                      guint direction,
                      ArchPort *port,
                      GError **error)
{
    const guint index = way->links[direction == OUT ? 0 : way->count - 1];
    const SimPlatformLink *link = sim_platform_link(self->platform, index);

    if (!g_str_equal(link->kind, "ethernet")) {
        *port = (ArchPort){.kind = ARCH_PORT_PCIE};
        return true;
    }
    *port = (ArchPort){
        .kind = ARCH_PORT_ETHERNET,
        .channel = sim_u32(direction == OUT ? link->from_port : link->to_port),
    };
    if (!claim_port(self, chip, direction, index, error)) {
        return false;
    }
    if (!arch_fabric_check_port(arch_chip_fabric(self->chips[chip].chip), *port,
                                error)) {
        g_prefix_error(error, "%s: link %s at %s: ", sim_platform_path(self->platform),
                       link->name, self->chips[chip].host);
        return false;
    }
    return true;
}

static bool
check_reserved(const Wiring *self, const SimPlatformWay *way, guint a, GError **error)
{
    for (guint i = 0; i < way->count; i++) {
        const SimPlatformLink *link = sim_platform_link(self->platform, way->links[i]);

        if (link->is_reserved) {
            return fail(
                self, error,
                "link %s of a route from %s to another chip is reserved, routes "
                "of the host may use it",
                link->name, self->chips[a].host);
        }
    }
    return true;
}

/* Adds the route from chip a to chip b, where there is one. */
static bool
add_route(const Wiring *self, guint a, guint b, GArray *routes, GError **error)
{
    ArchFabricRoute route = {.chip = b};
    SimPlatformWay way;

    if (a == b || arch_chip_fabric(self->chips[b].chip) == NULL ||
        !sim_platform_way(self->platform, self->chips[a].host, self->chips[b].host,
                          &way) ||
        !has_ports(self, &way)) {
        return true;
    }
    if (!check_reserved(self, &way, a, error) ||
        !find_port(self, &way, a, OUT, &route.out, error) ||
        !find_port(self, &way, b, IN, &route.in, error)) {
        return false;
    }
    g_array_append_val(routes, route);
    return true;
}

static bool connect_chip(const Wiring *self, guint a, GError **error)
{
    ArchFabric *fabric = arch_chip_fabric(self->chips[a].chip);
    g_autoptr(GArray) routes = g_array_new(FALSE, FALSE, sizeof(ArchFabricRoute));

    if (fabric == NULL) {
        return true;
    }
    for (guint b = 0; b < self->chip_count; b++) {
        if (!add_route(self, a, b, routes, error)) {
            return false;
        }
    }
    if (!arch_fabric_connect(fabric, a, (const ArchFabricRoute *) routes->data,
                             routes->len, error)) {
        g_prefix_error(error, "%s: %s: ", sim_platform_path(self->platform),
                       self->chips[a].host);
        return false;
    }
    arch_fabric_set_system(fabric, sim_platform_path(self->platform), self->chip_count);
    return true;
}

bool wl_connect(const SimPlatform *platform,
                const WlChip *chips,
                guint chip_count,
                GError **error)
{
    const gsize slots = (gsize) chip_count * DIRECTIONS * PORTS;
    g_autofree int *link_at = g_new(int, slots);
    const Wiring wiring = {platform, chips, chip_count, link_at};

    for (gsize i = 0; i < slots; i++) {
        link_at[i] = -1;
    }
    for (guint a = 0; chip_count > 1 && a < chip_count; a++) {
        if (!connect_chip(&wiring, a, error)) {
            return false;
        }
    }
    return true;
}
