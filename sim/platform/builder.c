/* Puts a platform together and refuses whatever SimGrid would abort on. */
#include "sim/platform/builder.h"

#include <string.h>

#include "sim/error.h"
#include "sim/narrow.h"
#include "sim/platform/paths.h"

enum {
    NAME_CHARACTERS_LIMIT = 64,
    NUMBER_DIGITS_LIMIT = 12,
    PORT_LIMIT = 255,
};

static const char name_first[] = G_CSET_A_2_Z G_CSET_a_2_z;
/* No dash: SimGrid's trace calls a program "name-number", and names must differ. */
static const char name_rest[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.";
static const char chip_rest[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.-";

static const char to_device[] = "host_to_device";
static const char from_device[] = "device_to_host";
static const char ethernet[] = "ethernet";
static const char *const kinds[] = {to_device, from_device, ethernet,
                                    SIM_PLATFORM_HOST_LINK, NULL};

/* What stands where SimGrid wants a number and the chip file has it, or nobody needs
 * it; any other would be read as one that counts. */
#define NO_SPEED     "1Gf"
#define NO_BANDWIDTH "1GBps"
#define NO_LATENCY   "1us"

static const char *const latency_units[] = {"s", "ms", "us", "ns", "ps", NULL};
static const char *const bandwidth_units[] = {"Bps", "kBps", "MBps", "GBps", "TBps",
                                              "bps", "kbps", "Mbps", "Gbps", NULL};

static SimPlatformHost *host_at(const SimPlatformBuilder *self, guint index)
{
    return &g_array_index(self->platform->hosts, SimPlatformHost, index);
}

static SimPlatformLink *link_at(const SimPlatformBuilder *self, guint index)
{
    return &g_array_index(self->platform->links, SimPlatformLink, index);
}

static SimPlatformRoute *last_route(const SimPlatformBuilder *self)
{
    const GArray *routes = self->platform->routes;
    return &g_array_index(routes, SimPlatformRoute, routes->len - 1);
}

static bool is_name(const char *text, const char *rest)
{
    size_t length = strlen(text);
    return length > 0 && length <= NAME_CHARACTERS_LIMIT &&
           strchr(name_first, text[0]) != NULL && strspn(text, rest) == length;
}

/* 0 if the id is free. */
static guint line_of(const SimPlatformBuilder *self, const char *id)
{
    const guint *line = g_hash_table_lookup(self->line_by_id, id);
    return line == NULL ? 0 : *line;
}

/* Takes the id for the element that is being read. */
static bool claim_id(SimPlatformBuilder *self, const char *id, GError **error)
{
    if (!is_name(id, name_rest)) {
        return sim_platform_builder_fail(
            self, error,
            "id = %s, a letter and then up to %d letters, digits, _ and . are allowed",
            id, NAME_CHARACTERS_LIMIT - 1);
    }
    if (line_of(self, id) != 0) {
        return sim_platform_builder_fail(
            self, error, "id = %s as in line %u, ids that differ are allowed", id,
            line_of(self, id));
    }
    guint *line = g_new(guint, 1);
    *line = self->line;
    g_hash_table_insert(self->line_by_id, g_strdup(id), line);
    return true;
}

/* Whole numbers only: SimGrid reads with the decimal point of the user's locale. */
static bool check_quantity(const SimPlatformBuilder *self,
                           const char *name,
                           const char *text,
                           const char *const *units,
                           GError **error)
{
    size_t digits = strspn(text, G_CSET_DIGITS);
    bool may_be_zero = units == latency_units;
    if (digits > 0 && digits <= NUMBER_DIGITS_LIMIT &&
        (may_be_zero || strspn(text, "0") < digits) &&
        g_strv_contains(units, text + digits)) {
        return true;
    }
    g_autofree char *list = g_strjoinv(" ", (char **) units);
    return sim_platform_builder_fail(
        self, error,
        "%s = %s, a whole number%s of up to %d digits with one of %s is allowed", name,
        text, may_be_zero ? "" : " above 0", NUMBER_DIGITS_LIMIT, list);
}

static bool check_word(const SimPlatformBuilder *self,
                       const char *name,
                       const char *text,
                       const char *allowed,
                       GError **error)
{
    return g_str_equal(text, allowed) ||
           sim_platform_builder_fail(self, error, "%s = %s, %s is allowed", name, text,
                                     allowed);
}

/* SimGrid's own grammar wants this order. */
static bool
check_before_routes(const SimPlatformBuilder *self, const char *what, GError **error)
{
    return self->platform->routes->len == 0 ||
           sim_platform_builder_fail(
               self, error,
               "%s after a route, hosts and links before routes are allowed", what);
}

static bool uses_link(const SimPlatformRoute *route, guint link)
{
    for (guint hop = 0; hop < route->links->len; hop++) {
        if (g_array_index(route->links, guint, hop) == link) {
            return true;
        }
    }
    return false;
}

/* PCIe numbers differ by direction: a link of the wrong kind would give wrong times. */
static bool fits_direction(const SimPlatformBuilder *self,
                           const SimPlatformRoute *route,
                           guint link)
{
    bool is_from_chip = host_at(self, route->from)->chip != NULL;
    bool is_to_chip = host_at(self, route->to)->chip != NULL;
    const char *wrong = is_to_chip ? from_device : to_device;
    return is_from_chip == is_to_chip || !g_str_equal(link_at(self, link)->kind, wrong);
}

static bool check_way(SimPlatformBuilder *self,
                      const SimPlatformHost *from,
                      const SimPlatformHost *to,
                      GError **error)
{
    if (sim_platform_find_route(self->platform, from->name, to->name) != NULL) {
        return true;
    }
    self->line = line_of(self, from->chip != NULL ? from->name : to->name);
    return sim_platform_builder_fail(
        self, error,
        "no route from %s to %s, routes between %s and every "
        "chip, there and back, are needed",
        from->name, to->name, (from->chip != NULL ? to : from)->name);
}

void sim_platform_builder_init(SimPlatformBuilder *self, SimPlatform *platform)
{
    *self = (SimPlatformBuilder){
        .platform = platform,
        .line_by_id = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
        .line = 1,
    };
}

void sim_platform_builder_clear(SimPlatformBuilder *self)
{
    g_hash_table_unref(self->line_by_id);
}

bool sim_platform_builder_fail(const SimPlatformBuilder *self,
                               GError **error,
                               const char *format,
                               ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    /* What a file holds must not break the line or command a terminal. */
    for (char *at = what; *at != '\0'; at++) {
        *at = g_ascii_iscntrl(*at) ? ' ' : *at;
    }
    return sim_fail(error, SIM_ERROR, SIM_ERROR_PLATFORM, "%s:%u: %s",
                    self->platform->path, self->line, what);
}

bool sim_platform_builder_platform(SimPlatformBuilder *self,
                                   const char *const *values,
                                   GError **error)
{
    return check_word(self, "version", values[0], "4.1", error);
}

bool sim_platform_builder_zone(SimPlatformBuilder *self,
                               const char *const *values,
                               GError **error)
{
    self->platform->is_completed = g_str_equal(values[1], "Floyd");
    if (!self->platform->is_completed && !g_str_equal(values[1], "Full")) {
        return sim_platform_builder_fail(
            self, error, "routing = %s, Full or Floyd is allowed", values[1]);
    }
    return claim_id(self, values[0], error);
}

bool sim_platform_builder_host(SimPlatformBuilder *self,
                               const char *const *values,
                               GError **error)
{
    if (!check_before_routes(self, "a host", error) ||
        !claim_id(self, values[0], error) ||
        !check_word(self, "speed", values[1], NO_SPEED, error)) {
        return false;
    }
    SimPlatformHost host = {g_string_chunk_insert(self->platform->names, values[0]),
                            NULL};
    g_array_append_val(self->platform->hosts, host);
    self->is_in_link = false;
    return true;
}

bool sim_platform_builder_link(SimPlatformBuilder *self,
                               const char *const *values,
                               GError **error)
{
    if (!check_before_routes(self, "a link", error) ||
        !claim_id(self, values[0], error) ||
        !check_quantity(self, "bandwidth", values[1], bandwidth_units, error) ||
        !check_quantity(self, "latency", values[2], latency_units, error)) {
        return false;
    }
    SimPlatformLink link = {
        .name = g_string_chunk_insert(self->platform->names, values[0]),
        .from_port = -1,
        .to_port = -1,
        .lanes = 1,
    };
    g_array_append_val(self->platform->links, link);
    self->is_in_link = true;
    self->lanes = -1;
    self->has_numbers =
        !g_str_equal(values[1], NO_BANDWIDTH) || !g_str_equal(values[2], NO_LATENCY);
    return true;
}

static bool set_number(SimPlatformBuilder *self,
                       const char *id,
                       const char *value,
                       int *slot,
                       GError **error)
{
    const bool is_lanes = g_str_equal(id, "lanes");
    const int least = is_lanes ? 1 : 0;
    guint64 number = 0;
    if (!g_ascii_string_to_unsigned(value, 10, (guint64) least, PORT_LIMIT, &number,
                                    NULL)) {
        return sim_platform_builder_fail(
            self, error, "%s = %s, a whole number of %d to %d is allowed", id, value,
            least, PORT_LIMIT);
    }
    if (*slot >= 0) {
        return sim_platform_builder_fail(self, error,
                                         "a second property %s, one is allowed", id);
    }
    *slot = sim_i32(number);
    return true;
}

static bool set_kind(SimPlatformBuilder *self, const char *value, GError **error)
{
    SimPlatformLink *link = link_at(self, self->platform->links->len - 1);
    if (link->kind != NULL) {
        return sim_platform_builder_fail(self, error,
                                         "a second property kind, one is allowed");
    }
    if (!g_strv_contains(kinds, value)) {
        g_autofree char *list = g_strjoinv(", ", (char **) kinds);
        return sim_platform_builder_fail(self, error, "kind = %s, one of %s is allowed",
                                         value, list);
    }
    link->kind = g_string_chunk_insert(self->platform->names, value);
    return true;
}

static bool set_link_prop(SimPlatformBuilder *self,
                          const char *id,
                          const char *value,
                          GError **error)
{
    SimPlatformLink *link = link_at(self, self->platform->links->len - 1);
    if (g_str_equal(id, "kind")) {
        return set_kind(self, value, error);
    }
    if (g_str_equal(id, "from_port")) {
        return set_number(self, id, value, &link->from_port, error);
    }
    if (g_str_equal(id, "to_port")) {
        return set_number(self, id, value, &link->to_port, error);
    }
    if (g_str_equal(id, "lanes")) {
        return set_number(self, id, value, &self->lanes, error);
    }
    if (g_str_equal(id, "reserved")) {
        link->is_reserved = true;
        return check_word(self, "reserved", value, "dispatch", error);
    }
    return sim_platform_builder_fail(
        self, error,
        "property = %s, one of kind, from_port, to_port, lanes, reserved is allowed",
        id);
}

bool sim_platform_builder_prop(SimPlatformBuilder *self,
                               const char *const *values,
                               GError **error)
{
    const char *id = values[0];
    const char *value = values[1];
    if (self->is_in_link) {
        return set_link_prop(self, id, value, error);
    }
    const char **slot = &host_at(self, self->platform->hosts->len - 1)->chip;
    if (!check_word(self, "property", id, "chip", error)) {
        return false;
    }
    if (*slot != NULL) {
        return sim_platform_builder_fail(self, error,
                                         "a second property %s, one is allowed", id);
    }
    if (!is_name(value, chip_rest)) {
        return sim_platform_builder_fail(
            self, error, "chip = %s, the name of a chip or any is allowed", value);
    }
    *slot = g_string_chunk_insert(self->platform->names, value);
    return true;
}

bool sim_platform_builder_route(SimPlatformBuilder *self,
                                const char *const *values,
                                GError **error)
{
    SimPlatform *platform = self->platform;
    SimPlatformRoute route = {.line = self->line};
    if (!sim_platform_find_host(platform, values[0], &route.from)) {
        return sim_platform_builder_fail(
            self, error, "src = %s, a host of this file is allowed", values[0]);
    }
    if (!sim_platform_find_host(platform, values[1], &route.to) ||
        route.from == route.to) {
        return sim_platform_builder_fail(
            self, error, "dst = %s, a host of this file other than src is allowed",
            values[1]);
    }
    if (!check_word(self, "symmetrical", values[2], "NO", error)) {
        return false;
    }
    const SimPlatformRoute *earlier =
        sim_platform_find_route(platform, values[0], values[1]);
    if (earlier != NULL) {
        return sim_platform_builder_fail(
            self, error, "a second route from %s to %s as in line %u, one is allowed",
            values[0], values[1], earlier->line);
    }
    guint *index = g_new(guint, 1);
    *index = platform->routes->len;
    g_array_append_val(platform->routes, route);
    last_route(self)->links = g_array_new(false, false, sizeof(guint));
    g_hash_table_insert(platform->route_by_ends,
                        g_strdup_printf("%s %s", values[0], values[1]), index);
    return true;
}

bool sim_platform_builder_link_ctn(SimPlatformBuilder *self,
                                   const char *const *values,
                                   GError **error)
{
    const char *name = values[0];
    SimPlatformRoute *route = last_route(self);
    const char *from = host_at(self, route->from)->name;
    const char *to = host_at(self, route->to)->name;
    guint link = 0;
    if (!sim_platform_find_link(self->platform, name, &link)) {
        return sim_platform_builder_fail(
            self, error, "link_ctn = %s, a link of this file is allowed", name);
    }
    if (uses_link(route, link)) {
        return sim_platform_builder_fail(
            self, error, "link %s twice in one route, once is allowed", name);
    }
    if (!fits_direction(self, route, link)) {
        return sim_platform_builder_fail(
            self, error,
            "link %s of kind %s from %s to %s, the kind of that direction is allowed",
            name, link_at(self, link)->kind, from, to);
    }
    const SimPlatformRoute *back = sim_platform_find_route(self->platform, to, from);
    if (back != NULL && uses_link(back, link)) {
        return sim_platform_builder_fail(
            self, error,
            "link %s from %s to %s and in line %u back, one direction is allowed", name,
            from, to, back->line);
    }
    g_array_append_val(route->links, link);
    return true;
}

bool sim_platform_builder_end_link(SimPlatformBuilder *self, GError **error)
{
    SimPlatformLink *link = link_at(self, self->platform->links->len - 1);
    link->lanes = self->lanes < 0 ? 1 : sim_u32(self->lanes);
    if (link->kind == NULL) {
        g_autofree char *list = g_strjoinv(", ", (char **) kinds);
        return sim_platform_builder_fail(
            self, error, "link %s without property kind, one of %s is allowed",
            link->name, list);
    }
    if (self->has_numbers && !g_str_equal(link->kind, SIM_PLATFORM_HOST_LINK)) {
        return sim_platform_builder_fail(
            self, error,
            "link %s of kind %s with numbers of its own, which the chip file has: "
            "bandwidth = " NO_BANDWIDTH ", latency = " NO_LATENCY " is allowed",
            link->name, link->kind);
    }
    const bool is_ethernet = g_str_equal(link->kind, ethernet);
    return is_ethernet || (link->from_port < 0 && link->to_port < 0) ||
           sim_platform_builder_fail(
               self, error,
               "link %s of kind %s with a port, those of kind %s have some", link->name,
               link->kind, ethernet);
}

bool sim_platform_builder_end_route(SimPlatformBuilder *self, GError **error)
{
    return last_route(self)->links->len > 0 ||
           sim_platform_builder_fail(
               self, error, "a route without link_ctn, one or more is allowed");
}

bool sim_platform_builder_end_zone(SimPlatformBuilder *self, GError **error)
{
    SimPlatform *platform = self->platform;
    guint host_count = platform->hosts->len;
    platform->main_host = host_count;
    platform->first_chip = host_count;
    for (guint host = host_count; host-- > 0;) {
        *(host_at(self, host)->chip != NULL ? &platform->first_chip
                                            : &platform->main_host) = host;
    }
    if (platform->main_host == host_count) {
        return sim_platform_builder_fail(
            self, error, "no host without property chip, one or more is allowed");
    }
    if (platform->first_chip == host_count) {
        return sim_platform_builder_fail(
            self, error, "no host with property chip, one or more is allowed");
    }
    if (platform->is_completed) {
        sim_platform_complete(platform);
    }
    const SimPlatformHost *main_host = host_at(self, platform->main_host);
    for (guint host = 0; host < host_count; host++) {
        const SimPlatformHost *chip = host_at(self, host);
        if (chip->chip != NULL && (!check_way(self, main_host, chip, error) ||
                                   !check_way(self, chip, main_host, error))) {
            return false;
        }
    }
    return true;
}
