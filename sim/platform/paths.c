/* Finds the shortest ways from each host over the routes of the file. */
#include "sim/platform/paths.h"

#include <stdbool.h>

typedef struct {
    const SimPlatform *platform;
    GPtrArray *hops;  /* by host, GArray of guint: the file's routes from there */
    guint *arrival;   /* by host: the route that leads to it */
    guint *distance;  /* by host: links on the way to it; G_MAXUINT: none known */
    GQueue *improved; /* hosts, from which to look on */
} Search;

static const SimPlatformRoute *route_at(const SimPlatform *platform, guint index)
{
    return &g_array_index(platform->routes, SimPlatformRoute, index);
}

static bool is_reserved(const SimPlatform *platform, const SimPlatformRoute *route)
{
    for (guint i = 0; i < route->links->len; i++) {
        const guint link = g_array_index(route->links, guint, i);
        if (sim_platform_link(platform, link)->is_reserved) {
            return true;
        }
    }
    return false;
}

static void free_hops(gpointer data)
{
    g_array_unref(data);
}

static GPtrArray *hops_of(const SimPlatform *platform)
{
    GPtrArray *hops = g_ptr_array_new_with_free_func(free_hops);
    for (guint host = 0; host < platform->hosts->len; host++) {
        g_ptr_array_add(hops, g_array_new(false, false, sizeof(guint)));
    }
    for (guint index = 0; index < platform->routes->len; index++) {
        const SimPlatformRoute *route = route_at(platform, index);
        if (!is_reserved(platform, route)) {
            GArray *from = g_ptr_array_index(hops, route->from);
            g_array_append_val(from, index);
        }
    }
    return hops;
}

static void look_around(Search *self, guint host)
{
    const GArray *hops = g_ptr_array_index(self->hops, host);
    for (guint i = 0; i < hops->len; i++) {
        const guint index = g_array_index(hops, guint, i);
        const SimPlatformRoute *route = route_at(self->platform, index);
        const guint distance = self->distance[host] + route->links->len;
        if (distance < self->distance[route->to]) {
            self->distance[route->to] = distance;
            self->arrival[route->to] = index;
            g_queue_push_tail(self->improved, GUINT_TO_POINTER(route->to));
        }
    }
}

static void search_from(Search *self, guint source)
{
    for (guint host = 0; host < self->platform->hosts->len; host++) {
        self->distance[host] = G_MAXUINT;
    }
    self->distance[source] = 0;
    look_around(self, source);
    while (!g_queue_is_empty(self->improved)) {
        const guint host = GPOINTER_TO_UINT(g_queue_pop_head(self->improved));
        /* A plain host passes nothing on. */
        if (sim_platform_host(self->platform, host)->chip != NULL) {
            look_around(self, host);
        }
    }
}

static GArray *links_to(const Search *self, guint source, guint target)
{
    GArray *links = g_array_new(false, false, sizeof(guint));
    for (guint host = target; host != source;) {
        const SimPlatformRoute *hop = route_at(self->platform, self->arrival[host]);
        g_array_prepend_vals(links, hop->links->data, hop->links->len);
        host = hop->from;
    }
    return links;
}

/* Adds those from `source` to hosts that have none in the file. */
static void add_routes(const Search *self, SimPlatform *platform, guint source)
{
    const char *from = sim_platform_host(platform, source)->name;
    for (guint target = 0; target < platform->hosts->len; target++) {
        const char *to = sim_platform_host(platform, target)->name;
        if (target == source || self->distance[target] == G_MAXUINT ||
            sim_platform_has_route(platform, from, to)) {
            continue;
        }
        guint *index = g_new(guint, 1);
        SimPlatformRoute route = {
            .from = source,
            .to = target,
            .links = links_to(self, source, target),
        };
        *index = platform->routes->len;
        g_array_append_val(platform->routes, route);
        g_hash_table_insert(platform->route_by_ends, g_strdup_printf("%s %s", from, to),
                            index);
    }
}

void sim_platform_complete(SimPlatform *platform)
{
    const guint count = platform->hosts->len;
    g_autoptr(GPtrArray) hops = hops_of(platform);
    g_autofree guint *arrival = g_new0(guint, count);
    g_autofree guint *distance = g_new0(guint, count);
    g_autoptr(GQueue) improved = g_queue_new();
    Search search = {platform, hops, arrival, distance, improved};
    for (guint source = 0; source < count; source++) {
        search_from(&search, source);
        add_routes(&search, platform, source);
    }
}

char *sim_platform_text(const SimPlatform *platform)
{
    GString *text = g_string_new("<?xml version=\"1.0\"?>\n"
                                 "<!DOCTYPE platform SYSTEM "
                                 "\"https://simgrid.org/simgrid.dtd\">\n"
                                 "<platform version=\"4.1\">\n"
                                 "<zone id=\"system\" routing=\"Full\">\n");
    for (guint i = 0; i < platform->hosts->len; i++) {
        g_string_append_printf(text, "<host id=\"%s\" speed=\"1Gf\"/>\n",
                               sim_platform_host(platform, i)->name);
    }
    for (guint i = 0; i < platform->links->len; i++) {
        g_string_append_printf(
            text, "<link id=\"%s\" bandwidth=\"1GBps\" latency=\"1us\"/>\n",
            sim_platform_link(platform, i)->name);
    }
    for (guint i = 0; i < platform->routes->len; i++) {
        const SimPlatformRoute *route = route_at(platform, i);
        g_string_append_printf(text,
                               "<route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">\n",
                               sim_platform_host(platform, route->from)->name,
                               sim_platform_host(platform, route->to)->name);
        for (guint k = 0; k < route->links->len; k++) {
            const guint link = g_array_index(route->links, guint, k);
            g_string_append_printf(text, "<link_ctn id=\"%s\"/>\n",
                                   sim_platform_link(platform, link)->name);
        }
        g_string_append(text, "</route>\n");
    }
    g_string_append(text, "</zone>\n</platform>\n");
    return g_string_free(text, false);
}
