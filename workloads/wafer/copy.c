/* Copies between host memory and arrays of PEs. */
#include "workloads/wafer/copy.h"

#include "workloads/buffer/bytes.h"
#include "workloads/host/transfer.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/tiles.h"
#include "workloads/wafer/wafer.h"

/* { name =, buffer =, first =, count =, tiles = } */
typedef struct {
    ArchWsePart part; /* its name is on the stack */
    HostBytes *bytes;
} Copy;

/* Of the table at this index. What it refers to stays on the stack. */
static Copy check_copy(lua_State *L, int index, const Wafer *self)
{
    static const char *const known[] = {"name",  "buffer", "first",
                                        "count", "tiles",  NULL};
    Copy copy = {.part.tiles = {0, 0, self->columns - 1, self->rows - 1, 1, 1}};
    ArchWseTiles *tiles = &copy.part.tiles;

    arguments_check(L, index, known);
    copy.part.first = arguments_integer(L, index, "first", 0, G_MAXUINT16);
    copy.part.count = arguments_integer(L, index, "count", -1, G_MAXUINT16);
    if (field_push(L, index, "tiles") != LUA_TNIL) {
        *tiles = wafer_tiles_check(L, lua_gettop(L), "tiles");
    }
    if (tiles->x0 > tiles->x1) {
        luaL_error(L, "tiles: they are none");
    }
    if (tiles->x1 >= self->columns || tiles->y1 >= self->rows) {
        luaL_error(L, "tiles: pe[%d,%d] is outside of %d x %d PEs", (int) tiles->x1,
                   (int) tiles->y1, (int) self->columns, (int) self->rows);
    }
    if (field_push(L, index, "buffer") != LUA_TUSERDATA) {
        luaL_error(L, "buffer: expected one of host.buffer");
    }
    copy.bytes = host_bytes_check(L, lua_gettop(L));
    copy.part.name = arguments_text(L, index, "name");
    return copy;
}

static void copy_part(lua_State *L, ArchWse *wse, const Copy *copy, HostDirection to)
{
    const HostBytes *bytes = copy->bytes;
    GError *error = NULL;
    const bool is_done =
        to == HOST_TO_CHIP
            ? arch_wse_write(wse, &copy->part, bytes->data, bytes->count, &error)
            : arch_wse_read(wse, &copy->part, bytes->data, bytes->count, &error);

    if (!is_done) {
        sandbox_raise(L, error);
    }
}

/* One copy, or the list of those that go together. */
static int copy_all(lua_State *L, const Wafer *self, HostDirection to)
{
    ArchWse *wse = wafer_wse(self->session);
    uint64_t bytes = 0;

    luaL_checktype(L, 2, LUA_TTABLE);
    const lua_Unsigned count = lua_rawlen(L, 2);

    for (lua_Unsigned i = 0; i < MAX(count, 1); i++) {
        lua_settop(L, 2);
        if (count > 0 && lua_rawgeti(L, 2, (lua_Integer) i + 1) != LUA_TTABLE) {
            luaL_error(L, "expected one copy or a list of copies");
        }
        const Copy copy = check_copy(L, lua_gettop(L), self);

        copy_part(L, wse, &copy, to);
        bytes += copy.bytes->count;
    }
    return host_transfer(L, self->session, to, bytes);
}

int wafer_copy_to(lua_State *L)
{
    return copy_all(L, wafer_check(L, "wafer:copy_to"), HOST_TO_CHIP);
}

int wafer_copy_from(lua_State *L)
{
    return copy_all(L, wafer_check(L, "wafer:copy_from"), CHIP_TO_HOST);
}
