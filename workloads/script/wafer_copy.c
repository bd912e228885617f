/* Copies between host memory and arrays of PEs. */
#include "workloads/script/wafer_copy.h"

#include "workloads/script/bytes.h"
#include "workloads/script/field.h"
#include "workloads/script/host_transfer.h"
#include "workloads/script/record.h"
#include "workloads/script/wafer.h"
#include "workloads/script/wafer_tiles.h"

/* { name =, buffer =, first =, count =, tiles = } */
typedef struct {
    ArchWsePart part; /* its name is on the stack */
    HostBytes *bytes;
} Copy;

static Copy check_copy(lua_State *L, const Wafer *self)
{
    static const char *const known[] = {"name",  "buffer", "first",
                                        "count", "tiles",  NULL};
    Copy copy = {.part.tiles = {0, 0, self->columns - 1, self->rows - 1, 1, 1}};
    ArchWseTiles *tiles = &copy.part.tiles;

    record_check(L, 2, known);
    copy.part.first = record_integer(L, 2, "first", 0, G_MAXUINT16);
    copy.part.count = record_integer(L, 2, "count", -1, G_MAXUINT16);
    if (field_push(L, 2, "tiles") != LUA_TNIL) {
        *tiles = wafer_tiles_check(L, lua_gettop(L), "tiles");
    }
    if (tiles->x0 > tiles->x1) {
        luaL_error(L, "tiles: they are none");
    }
    if (tiles->x1 >= self->columns || tiles->y1 >= self->rows) {
        luaL_error(L, "tiles: pe[%d,%d] is outside of %d x %d PEs", (int) tiles->x1,
                   (int) tiles->y1, (int) self->columns, (int) self->rows);
    }
    if (field_push(L, 2, "buffer") != LUA_TUSERDATA) {
        luaL_error(L, "buffer: expected one of host.buffer");
    }
    copy.bytes = host_bytes_check(L, lua_gettop(L));
    copy.part.name = record_text(L, 2, "name");
    return copy;
}

int wafer_copy_to(lua_State *L)
{
    Session *session = session_check_on_host(L, "wafer:copy_to");
    Copy copy = check_copy(L, wafer_check(L, session));
    GError *error = NULL;

    if (!arch_wse_write(wafer_wse(session), &copy.part, copy.bytes->data,
                        copy.bytes->count, &error)) {
        return sandbox_raise(L, error);
    }
    return host_transfer(L, session, HOST_TO_CHIP, copy.bytes->count);
}

int wafer_copy_from(lua_State *L)
{
    Session *session = session_check_on_host(L, "wafer:copy_from");
    Copy copy = check_copy(L, wafer_check(L, session));
    GError *error = NULL;

    if (!arch_wse_read(wafer_wse(session), &copy.part, copy.bytes->data,
                       copy.bytes->count, &error)) {
        return sandbox_raise(L, error);
    }
    return host_transfer(L, session, CHIP_TO_HOST, copy.bytes->count);
}
