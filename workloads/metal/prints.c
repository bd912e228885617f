/* Reads which cores print, and where to. */
#include "workloads/metal/prints.h"

#include <string.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/tensix/program.h"

static const char *const riscv_names[ARCH_RISCVS] = {"BR", "NC", "TR0", "TR1", "TR2"};

/* A text of an array; NULL: it is something else. */
static const char *text_of(JsonArray *array, guint index)
{
    JsonNode *node = json_array_get_element(array, index);

    return JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
}

/* The variable's value; NULL: it is not set. Borrowed. */
static const char *value_of(JsonObject *request, const char *name)
{
    JsonNode *node = json_object_get_member(request, "environment");
    JsonArray *all =
        node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

    for (guint i = 0; all != NULL && i < json_array_get_length(all); i++) {
        JsonNode *item = json_array_get_element(all, i);
        JsonArray *pair =
            JSON_NODE_HOLDS_ARRAY(item) ? json_node_get_array(item) : NULL;

        if (pair != NULL && json_array_get_length(pair) == 2 &&
            g_strcmp0(text_of(pair, 0), name) == 0) {
            return text_of(pair, 1);
        }
    }
    return NULL;
}

/* Reads "x,y" or "(x,y)"; NULL: it is something else. Else what follows. */
static const char *read_core(const char *text, guint *x, guint *y)
{
    guint64 numbers[2];
    char *end = NULL;

    text += strspn(text, " (");
    for (guint i = 0; i < 2; i++) {
        numbers[i] = g_ascii_strtoull(text, &end, 10);
        if (end == text || numbers[i] > G_MAXUINT16 || (i == 0 && *end != ',')) {
            return NULL;
        }
        text = i == 0 ? end + 1 : end;
    }
    *x = sim_u32(numbers[0]);
    *y = sim_u32(numbers[1]);
    return text + strspn(text, " )");
}

/* Reads "0,0", "(0,0),(0,1)", "(0,0)-(3,0)", "all". */
static bool read_cores(MetalPrints *self, const char *text, GError **error)
{
    const char *at = text;

    self->has_all = g_str_equal(text, "all") || g_str_equal(text, "worker");
    if (self->has_all || g_str_equal(text, "dispatch")) {
        return true;
    }
    do {
        CoreRange range = {0};

        at = read_core(at, &range.x0, &range.y0);
        range.x1 = range.x0;
        range.y1 = range.y0;
        if (at != NULL && *at == '-') {
            at = read_core(at + 1, &range.x1, &range.y1);
        }
        if (at == NULL || (*at != ',' && *at != '\0')) {
            return wl_refuse(
                error,
                "TT_METAL_DPRINT_CORES = '%s', expected x,y or (x,y)-(x,y) "
                "or several of them, or all",
                text);
        }
        g_array_append_val(self->cores, range);
        at += *at == ',';
    } while (*at != '\0');
    return true;
}

bool metal_prints_read(MetalPrints *self, JsonObject *request, GError **error)
{
    const char *cores = value_of(request, "TT_METAL_DPRINT_CORES");
    const char *riscvs = value_of(request, "TT_METAL_DPRINT_RISCVS");
    const char *path = value_of(request, "TT_METAL_DPRINT_FILE");

    metal_prints_clear(self);
    self->cores = g_array_new(FALSE, FALSE, sizeof(CoreRange));
    self->is_chosen = cores != NULL;
    self->is_bare =
        g_strcmp0(value_of(request, "TT_METAL_DPRINT_PREPEND_DEVICE_CORE_RISC"), "0") ==
        0;
    self->is_profiled =
        g_strcmp0(value_of(request, "TT_METAL_DEVICE_PROFILER"), "1") == 0;
    self->riscvs = riscvs == NULL ? NULL : g_strsplit_set(riscvs, ",+ ", -1);
    if (cores != NULL && !read_cores(self, cores, error)) {
        return false;
    }
    if (path != NULL) {
        self->file = fopen(path, "we");
    }
    return path == NULL || self->file != NULL ||
           wl_refuse(error, "TT_METAL_DPRINT_FILE = '%s': cannot be written", path);
}

void metal_prints_clear(MetalPrints *self)
{
    g_clear_pointer(&self->cores, g_array_unref);
    g_clear_pointer(&self->riscvs, g_strfreev);
    if (self->file != NULL) {
        (void) fclose(self->file);
    }
    *self = (MetalPrints){0};
}

static bool has_riscv(const MetalPrints *self, ArchRiscvIndex riscv)
{
    for (char **name = self->riscvs; name != NULL && *name != NULL; name++) {
        if (g_pattern_match_simple(*name, riscv_names[riscv])) {
            return true;
        }
    }
    return self->riscvs == NULL;
}

bool metal_prints_has(const MetalPrints *self, guint x, guint y, ArchRiscvIndex riscv)
{
    bool has_core = !self->is_chosen || self->has_all;

    for (guint i = 0; !has_core && i < self->cores->len; i++) {
        const CoreRange *range = &g_array_index(self->cores, CoreRange, i);

        has_core = x >= range->x0 && x <= range->x1 && y >= range->y0 && y <= range->y1;
    }
    return has_core && has_riscv(self, riscv);
}

char *metal_prints_head(
    const MetalPrints *self, guint chip, guint x, guint y, ArchRiscvIndex riscv)
{
    if (self->is_bare) {
        return g_strdup("");
    }
    return self->is_chosen
               ? g_strdup_printf("%u:(x=%u,y=%u):%s: ", chip, x, y, riscv_names[riscv])
               : NULL;
}
