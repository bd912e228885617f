/* Commands of a host program: launches, copies, streams. */
#include <string.h>

#include "sim/narrow.h"
#include "workloads/csl/runtime/run.h"
#include "workloads/error.h"
#include "workloads/host/member.h"
#include "workloads/host/transfer.h"
#include "workloads/wafer/wafer.h"

enum {
    ARGUMENTS_MOST = 15,
    PLACE_MOST = 65535,
};

/* A rectangle of PEs, and how many numbers of each. */
typedef struct {
    ArchWseTiles tiles;
    guint width;
    guint height;
    guint count;
    guint bytes;       /* of a number in the PE: 2 or 4 */
    uint64_t wavelets; /* that move between host and wafer */
    bool is_write;     /* towards the PEs */
} Region;

static bool read_small(
    JsonObject *words, const char *name, uint64_t most, guint *value, GError **error)
{
    uint64_t wide = 0;
    const bool is_read = host_member_count(words, name, most, &wide, error);

    *value = is_read ? sim_u32(wide) : 0;
    return is_read;
}

static bool
read_region(const CslCall *call, JsonObject *words, Region *region, GError **error)
{
    const CslLayout *layout = call->run->build->program->layout;
    guint x = 0;
    guint y = 0;

    if (!read_small(words, "x", PLACE_MOST, &x, error) ||
        !read_small(words, "y", PLACE_MOST, &y, error) ||
        !read_small(words, "width", PLACE_MOST, &region->width, error) ||
        !read_small(words, "height", PLACE_MOST, &region->height, error) ||
        !read_small(words, "count", G_MAXINT32, &region->count, error) ||
        !read_small(words, "bytes", 4, &region->bytes, error) ||
        !host_member_count(words, "wavelets", G_MAXUINT32, &region->wavelets, error)) {
        return false;
    }
    if (region->count == 0) {
        return wl_refuse(error, "a copy of no numbers");
    }
    if (region->width == 0 || region->height == 0 ||
        x + region->width > layout->width || y + region->height > layout->height) {
        return wl_refuse(error, "%u x %u PEs from (%u, %u) on: the program has %u x %u",
                         region->width, region->height, x, y, layout->width,
                         layout->height);
    }
    region->tiles =
        (ArchWseTiles){x, y, x + region->width - 1, y + region->height - 1, 1, 1};
    return true;
}

/* Of a message: the data of each command begin at a multiple of 4. */
static gsize region_bytes(const Region *region)
{
    const gsize bytes =
        (gsize) region->width * region->height * region->count * region->bytes;

    return (bytes + 3) / 4 * 4;
}

/* The next bytes that came with the commands; NULL with an error if there are fewer. */
static guint8 *take_in(CslCall *call, gsize bytes, GError **error)
{
    guint8 *at = call->request->bytes + call->taken;

    if (bytes > call->request->count - call->taken) {
        wl_refuse(error, "the host program sent fewer numbers than it copies");
        return NULL;
    }
    call->taken += bytes;
    return at;
}

/* Room for as many bytes in the answer; valid until the next call. */
static guint8 *make_room(CslCall *call, gsize bytes, GError **error)
{
    const gsize before = call->out->len;

    if (bytes > G_MAXINT32 - before) {
        wl_refuse(error, "more numbers than one message takes: copy them in parts");
        return NULL;
    }
    g_byte_array_set_size(call->out, sim_u32(before + bytes));
    if (bytes > 0) {
        memset(call->out->data + before, 0, bytes);
    }
    return call->out->data + before;
}

/* Copies between PEs of one row, which have the array at the same address. */
static bool copy_bytes(const CslCall *call,
                       const ArchWsePart *part,
                       guint8 *bytes,
                       bool is_write,
                       GError **error)
{
    ArchWse *wse = wafer_wse(call->session);
    const gsize count = (gsize) (part->tiles.x1 - part->tiles.x0 + 1) * part->count;

    return is_write ? arch_wse_write(wse, part, bytes, count, error)
                    : arch_wse_read(wse, part, bytes, count, error);
}

/* PEs of a row that export the array at one address are copied together. */
static bool copy_row(const CslCall *call,
                     const Region *region,
                     guint row,
                     const uint16_t *addresses,
                     guint8 *bytes,
                     GError **error)
{
    const guint part_bytes = region->count * region->bytes;
    const guint y = region->tiles.y0 + row;
    guint end;

    for (guint x = 0; x < region->width; x = end) {
        for (end = x + 1; end < region->width && addresses[end] == addresses[x];
             end++) {
        }
        const ArchWsePart part = {
            .tiles = {region->tiles.x0 + x, y, region->tiles.x0 + end - 1, y, 1, 1},
            .first = addresses[x],
            .count = part_bytes};

        if (!copy_bytes(call, &part, bytes + (gsize) x * part_bytes, region->is_write,
                        error)) {
            return false;
        }
    }
    return true;
}

/* Where each PE of the region has the array that it exports under the name. */
static uint16_t *find_addresses(const CslCall *call,
                                const Region *region,
                                const char *name,
                                GError **error)
{
    g_autofree char *pointer = g_strconcat("@", name, NULL);
    const ArchWsePart part = {.tiles = region->tiles, .name = pointer, .count = 1};
    const gsize count = (gsize) region->width * region->height;
    g_autofree uint16_t *addresses = g_new0(uint16_t, count);

    if (!arch_wse_read(wafer_wse(call->session), &part, addresses,
                       count * sizeof *addresses, error)) {
        g_prefix_error(error, "%s is not exported by all of these PEs: ", name);
        return NULL;
    }
    return g_steal_pointer(&addresses);
}

static const CslSymbol *
find_symbol(const CslCall *call, JsonObject *words, GError **error)
{
    const GArray *symbols = call->run->build->image->symbols;
    uint32_t number = 0;

    if (!host_member_u32(words, "symbol", &number, error)) {
        return NULL;
    }
    if (number >= symbols->len ||
        g_array_index(symbols, CslSymbol, number).is_function) {
        wl_refuse(error, "%u is not the number of an exported array", number);
        return NULL;
    }
    return &g_array_index(symbols, CslSymbol, number);
}

static void name_command(CslCall *call, const char *what, const char *name)
{
    call->what = what;
    call->name = g_string_chunk_insert_const(call->names, name);
}

static bool copy(CslCall *call, JsonObject *words, bool is_write, GError **error)
{
    Region region = {.is_write = is_write};
    const CslSymbol *symbol = find_symbol(call, words, error);
    guint8 *bytes;

    if (symbol == NULL || !read_region(call, words, &region, error)) {
        return false;
    }
    bytes = is_write ? take_in(call, region_bytes(&region), error)
                     : make_room(call, region_bytes(&region), error);
    if (bytes == NULL) {
        return false;
    }
    if (!call->session->machine->is_timing_only) {
        g_autofree uint16_t *addresses =
            find_addresses(call, &region, symbol->name, error);
        const gsize row_bytes = (gsize) region.width * region.count * region.bytes;

        for (guint row = 0; row < region.height; row++) {
            if (addresses == NULL ||
                !copy_row(call, &region, row, addresses + (gsize) row * region.width,
                          bytes + row * row_bytes, error)) {
                return false;
            }
        }
    }
    name_command(call, is_write ? "copy to" : "copy from", symbol->name);
    call->wavelets = region.wavelets;
    return true;
}

static bool stream(CslCall *call, JsonObject *words, bool is_write, GError **error)
{
    ArchWse *wse = wafer_wse(call->session);
    Region region = {0};
    CslTake take = {.offset = call->out->len};
    ArchWseStream *config = &take.stream;
    guint8 *bytes;

    if (!read_region(call, words, &region, error) ||
        !read_small(words, "color", PLACE_MOST, &config->color, error)) {
        return false;
    }
    bytes = is_write ? take_in(call, region_bytes(&region), error)
                     : make_room(call, region_bytes(&region), error);
    if (bytes == NULL) {
        return false;
    }
    g_autofree char *name = g_strdup_printf("color %u", config->color);

    name_command(call, is_write ? "stream to" : "stream from", name);
    config->tiles = region.tiles;
    config->count = region.count;
    config->cycles_per_wavelet = csl_run_rate(call, is_write);
    if (is_write) {
        return arch_wse_send(wse, config, (uint32_t *) (void *) bytes, error);
    }
    g_array_append_val(call->takes, take);
    return arch_wse_expect(wse, config, error);
}

/* The values of arguments: a variable each, two for 64 bits. */
typedef struct {
    char *names[2 * ARGUMENTS_MOST];
    int32_t values[2 * ARGUMENTS_MOST];
    guint count;
} Arguments;

static void arguments_clear(Arguments *self)
{
    for (guint i = 0; i < self->count; i++) {
        g_free(self->names[i]);
    }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Arguments, arguments_clear)

/* `values` has two numbers for each argument: the lower 32 bits and the upper ones. */
static bool read_arguments(const CslSymbol *symbol,
                           JsonArray *values,
                           Arguments *arguments,
                           GError **error)
{
    if (values == NULL || json_array_get_length(values) != 2 * symbol->argument_count) {
        return wl_refuse(error, "%s takes %u arguments", symbol->name,
                         symbol->argument_count);
    }
    for (guint i = 0; i < 2 * symbol->argument_count; i++) {
        JsonNode *node = json_array_get_element(values, i);
        const gint64 value =
            JSON_NODE_HOLDS_VALUE(node) ? json_node_get_int(node) : G_MAXINT64;

        if (i % 2 == 1 && arch_wse_type_bytes(symbol->arguments[i / 2]) < 8) {
            continue;
        }
        if (value < G_MININT32 || value > G_MAXINT32) {
            return wl_refuse(error, "%s: argument %u has no 32 bits", symbol->name,
                             i / 2);
        }
        arguments->names[arguments->count] =
            g_strdup_printf("%s:%u%s", symbol->name, i / 2, i % 2 == 1 ? "+" : "");
        arguments->values[arguments->count++] = sim_i32(value);
    }
    return true;
}

static bool launch(CslCall *call, JsonObject *words, GError **error)
{
    const CslLayout *layout = call->run->build->program->layout;
    g_auto(Arguments) arguments = {0};
    JsonArray *values = NULL;
    const char *name = "";

    if (!host_member_text(words, "name", &name, error) ||
        !host_member_array(words, "arguments", &values, error)) {
        return false;
    }
    const CslSymbol *symbol = csl_image_find(call->run->build->image, name);

    if (symbol == NULL || !symbol->is_function) {
        return wl_refuse(error, "no function %s is exported", name);
    }
    if (!read_arguments(symbol, values, &arguments, error)) {
        return false;
    }
    const ArchWseLaunch config = {
        .tiles = {0, 0, layout->width - 1, layout->height - 1, 1, 1},
        .function = symbol->name,
        .names = (const char *const *) arguments.names,
        .values = arguments.values,
        .count = arguments.count,
    };

    name_command(call, "launch", symbol->name);
    return arch_wse_launch(wafer_wse(call->session), &config, error);
}

/* Reads and begins a command. Nothing is held when time passes, because that may raise
 * an error of Lua. */
static bool begin(CslCall *call, const char *what, JsonObject *words, GError **error)
{
    if (g_str_equal(what, "launch")) {
        return launch(call, words, error);
    }
    if (g_str_equal(what, "write") || g_str_equal(what, "read")) {
        return copy(call, words, *what == 'w', error);
    }
    if (g_str_equal(what, "send") || g_str_equal(what, "take")) {
        return stream(call, words, *what == 's', error);
    }
    return wl_refuse(error, "the host program asks for '%s', which is not there", what);
}

/* Keeps what PEs have sent. */
static bool take_streams(CslCall *call, GError **error)
{
    for (guint i = 0; i < call->takes->len; i++) {
        const CslTake *take = &g_array_index(call->takes, CslTake, i);

        if (!arch_wse_take(wafer_wse(call->session), &take->stream,
                           (uint32_t *) (void *) (call->out->data + take->offset),
                           error)) {
            return false;
        }
    }
    g_array_set_size(call->takes, 0);
    return true;
}

/* Lets its time pass. */
static bool finish(CslCall *call, const char *what, GError **error)
{
    if (g_str_equal(what, "launch")) {
        return csl_run_settle(call, HOST_DEVICE, error);
    }
    if (g_str_equal(what, "write") || g_str_equal(what, "read")) {
        csl_run_pass(call, *what == 'w', call->wavelets);
        return true;
    }
    return csl_run_settle(call, HOST_TRANSFER, error) && take_streams(call, error);
}

/* Does the command leave its time to the next one? Streams of layouts run together. */
static bool is_with_next(JsonArray *list, guint index)
{
    bool is_together = index + 1 < json_array_get_length(list);

    for (guint i = index; is_together && i <= index + 1; i++) {
        (void) host_member_flag(json_array_get_object_element(list, i), "together",
                                &is_together, NULL);
    }
    return is_together;
}

/* One transaction between host and wafer, however many commands it carries. */
static bool begin_transaction(CslCall *call, JsonArray *list, GError **error)
{
    const ArchParams *params = arch_chip_params(call->session->chip);
    bool has_launch = false;

    for (guint i = 0; i < json_array_get_length(list); i++) {
        JsonObject *words = host_item_object(list, i, "list", error);
        const char *what = "";

        if (words == NULL || !host_member_text(words, "do", &what, error)) {
            return false;
        }
        has_launch = has_launch || g_str_equal(what, "launch");
    }
    host_pass(call->lua, call->session, has_launch ? HOST_LAUNCH : HOST_TRANSFER,
              has_launch ? arch_chip_launch_seconds(call->session->chip)
                         : (double) arch_params_uint(params,
                                                     "host.host_to_device_latency_ns") /
                               1e9);
    (void) session_begin_launch(call->session);
    return true;
}

bool csl_run_commands(CslCall *call, GError **error)
{
    const SimEngine *engine = arch_chip_engine(call->session->chip);
    JsonArray *list = NULL;

    if (!host_member_array(call->request->words, "list", &list, error)) {
        return false;
    }
    if (list == NULL || json_array_get_length(list) == 0) {
        return true;
    }
    if (!begin_transaction(call, list, error)) {
        return false;
    }
    for (guint i = 0; i < json_array_get_length(list); i++) {
        JsonObject *words = json_array_get_object_element(list, i);
        const SimTime start = sim_engine_now(engine);
        const char *what = "";

        (void) host_member_text(words, "do", &what, NULL);
        if (!begin(call, what, words, error) ||
            (!is_with_next(list, i) && !finish(call, what, error))) {
            return false;
        }
        csl_tally_add(call->tally, call->what, call->name,
                      sim_engine_now(engine) - start);
    }
    return true;
}
