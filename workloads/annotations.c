/* Writes the tables of calls as annotations for the Lua language server. */
#include "workloads/annotations.h"

#include <string.h>

#include "sim/narrow.h"
#include "workloads/board/board.h"
#include "workloads/board/sweep.h"
#include "workloads/host/core.h"
#include "workloads/host/host.h"
#include "workloads/numbers/numbers.h"
#include "workloads/reference/methods.h"
#include "workloads/sandbox/api.h"
#include "workloads/sparse/matrix.h"
#include "workloads/tensix/kernel_api.h"
#include "workloads/tensix/program.h"
#include "workloads/wafer/layout.h"
#include "workloads/wafer/pe.h"
#include "workloads/wafer/wafer.h"

static const ApiClass *const classes[] = {
    &host_api,     &core_api,       &bytes_api,        &program_api,
    &kernel_calls, &wafer_api,      &wafer_layout_api, &wafer_pe_api,
    &board_api,    &board_body_api, &sparse_api,       &numbers_api,
};

/* Types that signatures name, and the tables that script files return. */
static const char types[] =
    "---@meta\n"
    "-- Gridloom's script API, for the Lua language server. Keep this file beside "
    "your\n"
    "-- scripts; nothing runs it. Made by: gridloom new annotations FILE.lua\n"
    "-- In your scripts:    ---@param host gl.Host    before    function(host, p)\n"
    "\n"
    "---@alias gl.Format "
    "\"bf16\"|\"fp16\"|\"fp32\"|\"int32\"|\"uint32\"|\"uint16\"\n"
    "---@alias gl.TileFormat "
    "\"bf16\"|\"fp32\"|\"bfp8\"|\"bfp4\"|\"uint32\"|\"int32\"|\"uint16\"|\"tf32\"\n"
    "---@alias gl.Cores integer[]|{ x: integer, y: integer }\n"
    "---@alias gl.NocAddress integer\n"
    "---@alias gl.Tiles table integers { x, y } or { x0, y0, x1, y1, dx =, dy = }, or "
    "a "
    "list of these\n"
    "---@alias gl.Type "
    "\"f16\"|\"f32\"|\"i16\"|\"u16\"|\"i32\"|\"u32\"|\"i8\"|\"u8\"|\"i64\"|\"u64\"\n"
    "---@alias gl.Relation \"==\"|\"~=\"|\"<\"|\"<=\"|\">\"|\">=\"\n"
    "---@alias gl.Port \"NORTH\"|\"EAST\"|\"SOUTH\"|\"WEST\"|\"RAMP\"\n"
    "---@alias gl.Ports gl.Port|gl.Port[]\n"
    "---@alias gl.Simd \"simd_32\"|\"simd_64\"|\"simd_32_or_64\"\n"
    "---@alias gl.Operand gl.Dsd|gl.Dsr|gl.Variable|number\n"
    "---@alias gl.Direction \"north\"|\"east\"|\"south\"|\"west\"\n"
    "---@alias gl.VectorOptions { async?: boolean, activate?: "
    "integer|gl.Variable, unblock?: integer|gl.Variable, priority?: "
    "\"low\"|\"medium\"|\"high\", on_control?: gl.OnControl, tried?: gl.Variable, "
    "index?: integer|gl.Variable, ut_id?: integer "
    "}\n"
    "---@alias gl.OnControl { terminate?: boolean, activate?: integer, unblock?: "
    "integer }\n"
    "---@alias gl.ColorConfig { routes?: { rx: gl.Ports, tx: gl.Ports, color_swap_x?: "
    "boolean, color_swap_y?: boolean }, switches?: "
    "table, filter?: table, teardown?: boolean, names?: string[], host?: "
    "\"sends\"|\"takes\" }\n"
    "---@alias gl.Copy { name: string, buffer: gl.Buffer, count: integer, first?: "
    "integer, tiles?: gl.Tiles }\n"
    "---@alias gl.Stream { color: integer, buffer: gl.Buffer, count: integer, tiles?: "
    "gl.Tiles, channels?: integer }\n"
    "---@alias gl.Series { name: string, style?: "
    "\"both\"|\"line\"|\"points\"|\"cells\", "
    "points: number[][] }\n"
    "---@alias gl.BoardSweep { name: string, direction: \"up\"|\"down\", results: "
    "string[], body: fun(d: gl.Body): gl.Value[] }\n"
    "\n"
    "---@class gl.DramBuffer\n"
    "---@class gl.Array\n"
    "---@class gl.Variable\n"
    "---@class gl.Dsd\n"
    "---@class gl.Function\n"
    "---@class gl.Dsr\n"
    "---@class gl.Value\n"
    "---@operator add(gl.Value|number): gl.Value\n"
    "---@operator sub(gl.Value|number): gl.Value\n"
    "---@operator mul(gl.Value|number): gl.Value\n"
    "---@operator div(gl.Value|number): gl.Value\n"
    "---@operator unm: gl.Value\n"
    "---@class gl.Numbers\n"
    "---@operator add(gl.Numbers|number): gl.Numbers\n"
    "---@operator sub(gl.Numbers|number): gl.Numbers\n"
    "---@operator mul(gl.Numbers|number): gl.Numbers\n"
    "---@operator div(gl.Numbers|number): gl.Numbers\n"
    "---@operator pow(gl.Numbers|number): gl.Numbers\n"
    "---@operator mod(gl.Numbers|number): gl.Numbers\n"
    "---@operator unm: gl.Numbers\n"
    "\n"
    "---@class gl.Workload what a script returns\n"
    "---@field summary string\n"
    "---@field chips (\"tensix\"|\"wse\"|\"nero\")[]\n"
    "---@field parameters { name: string, type: "
    "\"integer\"|\"number\"|\"choice\"|\"switch\"|\"text\", default: any, help: "
    "string, "
    "min?: any, max?: any, choices?: table, chips?: string[] }[]\n"
    "---@field kernels? table<string, fun(args: table)>\n"
    "---@field run fun(host: gl.Host, p: table)\n"
    "\n"
    "---@class gl.Routing what a routing file returns\n"
    "---@field summary string\n"
    "---@field allow_cycles? boolean\n"
    "---@field next? fun(x: integer, y: integer, tx: integer, ty: integer, grid: "
    "gl.Grid): gl.Direction|integer, integer?\n"
    "---@field outputs? fun(x: integer, y: integer, tx: integer, ty: integer, grid: "
    "gl.Grid): gl.Direction ...\n"
    "---@field choose? fun(x: integer, y: integer, tx: integer, ty: integer, free: "
    "table<gl.Direction, integer>, grid: gl.Grid): gl.Direction\n"
    "---@field children? fun(x: integer, y: integer, rx: integer, ry: integer, grid: "
    "gl.Grid): gl.Direction ...\n"
    "---@field parent? fun(x: integer, y: integer, rx: integer, ry: integer, grid: "
    "gl.Grid): gl.Direction|integer, integer?\n"
    "---@class gl.Grid\n"
    "---@field width integer\n"
    "---@field height integer\n"
    "---@field topology string\n";

/* How long the text is up to a top-level comma or closing bracket. */
static gsize part_length(const char *text)
{
    int depth = 0;

    for (const char *at = text; *at != '\0'; at++) {
        if (strchr("({<[", *at) != NULL) {
            depth++;
        } else if (depth == 0 && strchr("),", *at) != NULL) {
            return (gsize) (at - text);
        } else if (strchr(")}>]", *at) != NULL) {
            depth--;
        }
    }
    return strlen(text);
}

/* Writes one line for each parameter, and appends their names to `names`. Returns the
 * text after the closing bracket. */
static const char *write_parameters(GString *out, const char *text, GString *names)
{
    text++;
    while (*text != ')') {
        const gsize length = part_length(text);
        const char *colon = memchr(text, ':', length);

        g_assert(colon != NULL);
        const int count = sim_i32(colon - text);

        g_string_append_printf(out, "---@param %.*s%.*s\n", count, text,
                               sim_i32(length) - count - 1, colon + 1);
        g_string_append_printf(names, "%s%.*s", names->len > 0 ? ", " : "",
                               count - (colon[-1] == '?'), text);
        text += length;
        text += *text == ',' ? strspn(text, ", ") : 0;
    }
    return text + 1;
}

static void write_call(GString *out, const ApiClass *api, const ApiCall *call)
{
    g_autoptr(GString) names = g_string_new(NULL);

    g_string_append_c(out, '\n');
    const char *results = write_parameters(out, call->signature, names);

    if (*results == ':') {
        g_string_append_printf(out, "---@return %s\n", results + 2);
    }
    g_string_append_printf(out, "function %s%s%s(%s) end\n",
                           api->name != NULL ? api->name : "",
                           api->name == NULL ? ""
                           : api->is_object  ? ":"
                                             : ".",
                           call->name, names->str);
}

static void write_class(GString *out, const ApiClass *api)
{
    g_autoptr(GHashTable) written = g_hash_table_new(g_str_hash, g_str_equal);
    g_auto(GStrv) fields = g_strsplit(api->fields != NULL ? api->fields : "", "\n", -1);
    ApiCall call;

    g_string_append_printf(out, "\n-- %s\n", api->page);
    if (api->name != NULL) {
        g_string_append_printf(out, "---@class gl.%s\n", api->name);
        for (guint i = 0; fields[i] != NULL; i++) {
            g_string_append_printf(out, "---@field %s\n", fields[i]);
        }
        g_string_append_printf(out, "local %s = {}\n", api->name);
    }
    for (guint i = 0; api->calls[i] != NULL; i++) {
        for (const ApiCall *row = api->calls[i]; row->name != NULL; row++) {
            if (g_hash_table_add(written, (gpointer) row->name)) {
                write_call(out, api, row);
            }
        }
    }
    for (guint i = 0; api->more != NULL && api->more(i, &call); i++) {
        if (g_hash_table_add(written, (gpointer) call.name)) {
            write_call(out, api, &call);
        }
    }
}

char *wl_annotations(void)
{
    GString *out = g_string_new(types);

    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        write_class(out, classes[i]);
    }
    return g_string_free(out, FALSE);
}
