/* Finds the ports of a chip and where they lead. */
#include "arch/tensix/fabric.h"

#include "arch/error.h"
#include "arch/tensix/core.h"

struct ArchFabric {
    ArchTensix *tensix;
    char *system; /* NULL: nobody has said */
    guint chip;
    guint chip_count; /* 0: nobody has said */
    ArchFabricRoute *routes;
    guint route_count;
    GHashTable *ports; /* index of a port -> Port, made on first use */
    ArchFabricSendFunc send;
    gpointer send_data;
};

void arch_message_free(ArchMessage *self)
{
    if (self != NULL) {
        g_free(self->data);
        g_free(self);
    }
}

ArchFabric *tensix_fabric_new(ArchTensix *tensix)
{
    ArchFabric *self = g_new0(ArchFabric, 1);

    self->tensix = tensix;
    self->ports =
        g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify) tensix_port_free);
    return self;
}

void tensix_fabric_free(ArchFabric *self)
{
    g_hash_table_unref(self->ports);
    g_free(self->routes);
    g_free(self->system);
    g_free(self);
}

ArchFabric *arch_tensix_fabric(const ArchTensix *self)
{
    return self->fabric;
}

ArchFabric *arch_tensix_core_fabric(const ArchTensixCore *core)
{
    return core->owner->fabric;
}

static TensixPort *port_of(const ArchFabric *self, ArchPort which)
{
    enum {
        KINDS = 2,
    };
    const gpointer key = GUINT_TO_POINTER(which.channel * KINDS + which.kind);
    TensixPort *port = g_hash_table_lookup(self->ports, key);

    if (port == NULL) {
        port = tensix_port_new(self->tensix, which);
        g_hash_table_insert(self->ports, key, port);
    }
    return port;
}

bool arch_fabric_check_port(const ArchFabric *self, ArchPort port, GError **error)
{
    return tensix_port_check(self->tensix->params, port, error);
}

static bool check_routes(const ArchFabric *self,
                         const ArchFabricRoute *routes,
                         guint count,
                         GError **error)
{
    g_autoptr(GHashTable) chips = g_hash_table_new(NULL, NULL);

    for (guint i = 0; i < count; i++) {
        if (!g_hash_table_add(chips, GUINT_TO_POINTER(routes[i].chip))) {
            return arch_refuse(error, "two ways lead to chip %u, one is allowed",
                               routes[i].chip);
        }
        if (!tensix_port_check(self->tensix->params, routes[i].out, error)) {
            return false;
        }
    }
    return true;
}

bool arch_fabric_connect(ArchFabric *self,
                         guint chip,
                         const ArchFabricRoute *routes,
                         guint route_count,
                         GError **error)
{
    g_return_val_if_fail(self->routes == NULL, false);

    if (!check_routes(self, routes, route_count, error)) {
        return false;
    }
    self->chip = chip;
    self->routes = g_new(ArchFabricRoute, route_count);
    self->route_count = route_count;
    for (guint i = 0; i < route_count; i++) {
        self->routes[i] = routes[i];
        (void) port_of(self, routes[i].out);
    }
    return true;
}

void arch_fabric_set_send(ArchFabric *self, ArchFabricSendFunc func, gpointer data)
{
    self->send = func;
    self->send_data = data;
}

void arch_fabric_set_system(ArchFabric *self, const char *name, guint chip_count)
{
    g_free(self->system);
    self->system = g_strdup(name);
    self->chip_count = chip_count;
}

guint arch_fabric_chip(const ArchFabric *self)
{
    return self->chip;
}

guint arch_fabric_chip_count(const ArchFabric *self)
{
    return self->chip_count;
}

bool arch_fabric_is_connected(const ArchFabric *self)
{
    return self->route_count > 0;
}

static void refuse(const ArchFabric *self, guint chip, GError **error)
{
    g_autofree char *system = self->system == NULL
                                  ? g_strdup("the system")
                                  : g_strdup_printf("system %s", self->system);

    if (chip == self->chip) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "chip %u is the kernel's own, noc_async_write reaches its cores",
                    chip);
    } else if (self->chip_count > 0 && chip >= self->chip_count) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID, "chip %u, %s has 0..%u",
                    chip, system, self->chip_count - 1);
    } else {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "no path from chip %u to chip %u in %s", self->chip, chip, system);
    }
}

static const ArchFabricRoute *
find_route(const ArchFabric *self, guint chip, GError **error)
{
    for (guint i = 0; i < self->route_count; i++) {
        if (self->routes[i].chip == chip) {
            return &self->routes[i];
        }
    }
    refuse(self, chip, error);
    return NULL;
}

bool arch_fabric_check_route(const ArchFabric *self, guint chip, GError **error)
{
    return find_route(self, chip, error) != NULL;
}

const ArchFabricRoute *tensix_fabric_route(const ArchFabric *self,
                                           guint chip,
                                           TensixPort **port,
                                           GError **error)
{
    const ArchFabricRoute *route = find_route(self, chip, error);

    if (route != NULL) {
        *port = port_of(self, route->out);
    }
    return route;
}

void tensix_fabric_send(const ArchFabric *self, ArchMessage *message)
{
    g_assert(self->send != NULL);
    self->send(self->send_data, message);
}

void arch_fabric_left(ArchFabric *self, ArchPort out, SimTime when)
{
    tensix_port_left(port_of(self, out), when);
}

void arch_fabric_deliver(ArchFabric *self, ArchMessage *message, SimTime when)
{
    g_return_if_fail(tensix_port_check(self->tensix->params, message->in, NULL));
    g_return_if_fail(arch_tensix_core(self->tensix, message->x, message->y, NULL) !=
                     NULL);

    tensix_port_deliver(port_of(self, message->in), message, when);
}
