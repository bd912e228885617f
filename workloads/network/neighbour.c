/* A neighbour of a node, as routing files name it. */
#include "workloads/network/neighbour.h"

#include <string.h>

#include "arch/error.h"
#include "arch/number/nan.h"
#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/quote.h"

#define ANSWERS "x, y or one of " NEIGHBOUR_DIRECTIONS

typedef struct {
    const char *name;
    int dx;
    int dy;
} Direction;

static const Direction directions[] = {
    {.name = "east", .dx = 1},
    {.name = "west", .dx = -1},
    {.name = "south", .dy = 1},
    {.name = "north", .dy = -1},
};

static const char *const topology_names[] = {
    [ARCH_NOC_MESH] = "mesh",
    [ARCH_NOC_TORUS] = "torus",
    [ARCH_NOC_WORMHOLE0] = "wormhole0",
    [ARCH_NOC_WORMHOLE1] = "wormhole1",
};

static bool has_direction(ArchNocTopology topology, const Direction *direction)
{
    bool is_up = direction->dx + direction->dy > 0;

    switch (topology) {
    case ARCH_NOC_MESH:
    case ARCH_NOC_TORUS:
        return true;
    case ARCH_NOC_WORMHOLE0:
        return is_up;
    case ARCH_NOC_WORMHOLE1:
        return !is_up;
    }
    g_assert_not_reached();
}

static const Direction *find_direction(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(directions); i++) {
        if (strcmp(directions[i].name, name) == 0) {
            return &directions[i];
        }
    }
    return NULL;
}

bool neighbour_read_direction(const NeighbourGrid *self,
                              uint32_t node,
                              const char *name,
                              const char *expected,
                              uint32_t *next,
                              GError **error)
{
    const Direction *direction = find_direction(name);
    if (direction == NULL) {
        g_autofree char *shown = quote_word(name);
        return sim_fail(error, WL_ERROR, WL_ERROR_RUNTIME, "returns '%s', expected %s",
                        shown, expected);
    }
    int width = sim_i32(self->width);
    int height = sim_i32(self->height);
    int x = sim_i32(node % self->width) + direction->dx;
    int y = sim_i32(node / self->width) + direction->dy;
    bool is_inside = x >= 0 && x < width && y >= 0 && y < height;
    if (!has_direction(self->topology, direction) ||
        (self->topology == ARCH_NOC_MESH && !is_inside)) {
        return arch_refuse(error, "returns %s, but no link leads %s from there",
                           direction->name, direction->name);
    }
    *next = sim_u32((x + width) % width + width * ((y + height) % height));
    return true;
}

bool neighbour_read_position(const NeighbourGrid *self,
                             lua_State *L,
                             uint32_t *next,
                             GError **error)
{
    int is_whole_x = 0;
    int is_whole_y = 0;
    lua_Integer x = lua_tointegerx(L, -2, &is_whole_x);
    lua_Integer y = lua_tointegerx(L, -1, &is_whole_y);
    if (is_whole_x == 0 || is_whole_y == 0) {
        g_set_error(
            error, WL_ERROR, WL_ERROR_RUNTIME, "returns %g, %g, expected whole numbers",
            arch_nan_plain(lua_tonumber(L, -2)), arch_nan_plain(lua_tonumber(L, -1)));
        return false;
    }
    if (x < 0 || x >= self->width || y < 0 || y >= self->height) {
        return arch_refuse(error,
                           "returns %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                           ", which is off the grid of %ux%u",
                           (gint64) x, (gint64) y, self->width, self->height);
    }
    *next = sim_u32(x + y * self->width);
    return true;
}

bool neighbour_read(const NeighbourGrid *self,
                    lua_State *L,
                    uint32_t node,
                    uint32_t *next,
                    GError **error)
{
    int first = lua_type(L, -2);
    int second = lua_type(L, -1);
    if (first == LUA_TSTRING && second == LUA_TNIL) {
        return neighbour_read_direction(self, node, lua_tostring(L, -2), ANSWERS, next,
                                        error);
    }
    if (first == LUA_TNUMBER && second == LUA_TNUMBER) {
        return neighbour_read_position(self, L, next, error);
    }
    if (first == LUA_TNIL && second == LUA_TNIL) {
        g_set_error(error, WL_ERROR, WL_ERROR_RUNTIME, "returns nothing, expected %s",
                    ANSWERS);
    } else {
        g_set_error(error, WL_ERROR, WL_ERROR_RUNTIME,
                    "returns a %s and a %s, expected %s", lua_typename(L, first),
                    lua_typename(L, second), ANSWERS);
    }
    return false;
}

int neighbour_push_grid(lua_State *L)
{
    const NeighbourGrid *self = lua_touserdata(L, 1);

    lua_createtable(L, 0, 3);
    answer_count(L, "width", self->width);
    answer_count(L, "height", self->height);
    answer_text(L, "topology", topology_names[self->topology]);
    return 1;
}
