/* A system description: hosts, links and the routes between them. */
#include "sim/platform.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

#include "sim/error.h"
#include "sim/platform/parts.h"
#include "sim/platform/paths.h"
#include "sim/platform/reader.h"

enum {
    FILE_BYTES_LIMIT = 1 << 20,
};

/* An error of the file as a whole stands at its first line. */
static void set_file_error(const char *path, GError **error, const char *what)
{
    g_set_error(error, SIM_ERROR, SIM_ERROR_PLATFORM, "%s:1: %s, %s", path, what,
                "a readable file with a SimGrid platform of up to 1 MiB is allowed");
}

static char *read_file(const char *path, GError **error)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) cause = NULL;
    gsize length = 0;
    GStatBuf status;
    if (g_stat(path, &status) != 0) {
        set_file_error(path, error, g_strerror(errno));
    } else if (S_ISDIR(status.st_mode)) {
        set_file_error(path, error, "a directory");
    } else if (!S_ISREG(status.st_mode)) {
        /* SimGrid reads it a second time, which a pipe does not survive. */
        set_file_error(path, error, "not a regular file");
    } else if (status.st_size > FILE_BYTES_LIMIT) {
        set_file_error(path, error, "too large");
    } else if (!g_file_get_contents(path, &text, &length, &cause)) {
        set_file_error(path, error, "cannot be read");
    } else if (length == 0) {
        set_file_error(path, error, "empty");
    } else if (strlen(text) != length) {
        set_file_error(path, error, "a zero byte");
    } else {
        return g_steal_pointer(&text);
    }
    return NULL;
}

static void clear_route(gpointer data)
{
    SimPlatformRoute *route = data;
    g_array_unref(route->links);
}

SimPlatform *sim_platform_load(const char *path, GError **error)
{
    g_return_val_if_fail(path != NULL, NULL);

    g_autofree char *text = read_file(path, error);
    if (text == NULL) {
        return NULL;
    }
    g_autoptr(SimPlatform) self = g_new0(SimPlatform, 1);
    self->path = g_strdup(path);
    self->names = g_string_chunk_new(1024);
    self->hosts = g_array_new(false, false, sizeof(SimPlatformHost));
    self->links = g_array_new(false, false, sizeof(SimPlatformLink));
    self->routes = g_array_new(false, false, sizeof(SimPlatformRoute));
    g_array_set_clear_func(self->routes, clear_route);
    self->route_by_ends =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return sim_platform_read(self, text, error) ? g_steal_pointer(&self) : NULL;
}

void sim_platform_free(SimPlatform *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->route_by_ends);
        g_array_unref(self->routes);
        g_array_unref(self->links);
        g_array_unref(self->hosts);
        g_string_chunk_free(self->names);
        g_free(self->path);
        g_free(self);
    }
}

const char *sim_platform_path(const SimPlatform *self)
{
    g_return_val_if_fail(self != NULL, NULL);
    return self->path;
}

char *sim_platform_expanded(const SimPlatform *self)
{
    g_return_val_if_fail(self != NULL, NULL);
    return self->is_completed ? sim_platform_text(self) : NULL;
}

guint sim_platform_host_count(const SimPlatform *self)
{
    g_return_val_if_fail(self != NULL, 0);
    return self->hosts->len;
}

const SimPlatformHost *sim_platform_host(const SimPlatform *self, guint index)
{
    g_return_val_if_fail(self != NULL && index < self->hosts->len, NULL);
    return &g_array_index(self->hosts, SimPlatformHost, index);
}

guint sim_platform_link_count(const SimPlatform *self)
{
    g_return_val_if_fail(self != NULL, 0);
    return self->links->len;
}

const SimPlatformLink *sim_platform_link(const SimPlatform *self, guint index)
{
    g_return_val_if_fail(self != NULL && index < self->links->len, NULL);
    return &g_array_index(self->links, SimPlatformLink, index);
}

const SimPlatformHost *sim_platform_main_host(const SimPlatform *self)
{
    g_return_val_if_fail(self != NULL, NULL);
    return sim_platform_host(self, self->main_host);
}

const SimPlatformHost *sim_platform_first_chip(const SimPlatform *self)
{
    g_return_val_if_fail(self != NULL, NULL);
    return sim_platform_host(self, self->first_chip);
}

bool sim_platform_has_route(const SimPlatform *self, const char *from, const char *to)
{
    return sim_platform_find_route(self, from, to) != NULL;
}

bool sim_platform_way(const SimPlatform *self,
                      const char *from,
                      const char *to,
                      SimPlatformWay *way)
{
    const SimPlatformRoute *route = sim_platform_find_route(self, from, to);

    if (route == NULL) {
        return false;
    }
    *way = (SimPlatformWay){(const guint *) (const void *) route->links->data,
                            route->links->len};
    return true;
}

bool sim_platform_find_host(const SimPlatform *self, const char *name, guint *index)
{
    for (guint host = 0; host < self->hosts->len; host++) {
        if (g_str_equal(sim_platform_host(self, host)->name, name)) {
            *index = host;
            return true;
        }
    }
    return false;
}

bool sim_platform_find_link(const SimPlatform *self, const char *name, guint *index)
{
    for (guint link = 0; link < self->links->len; link++) {
        if (g_str_equal(sim_platform_link(self, link)->name, name)) {
            *index = link;
            return true;
        }
    }
    return false;
}

const SimPlatformRoute *
sim_platform_find_route(const SimPlatform *self, const char *from, const char *to)
{
    g_return_val_if_fail(self != NULL && from != NULL && to != NULL, NULL);

    g_autofree char *ends = g_strdup_printf("%s %s", from, to);
    const guint *index = g_hash_table_lookup(self->route_by_ends, ends);
    return index == NULL ? NULL
                         : &g_array_index(self->routes, SimPlatformRoute, *index);
}
