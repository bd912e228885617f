/* Lays out the memory of programs: arrays one after another, then variables. */
#include <math.h>
#include <string.h>

#include "arch/number/half.h"
#include "arch/number/nan.h"
#include "arch/wse/program/build.h"
#include "arch/wse_memory.h"
#include "sim/narrow.h"

enum {
    ARRAY_LIMIT = 1 << 24,
    ALIGN_LIMIT = 4096,
    VARIABLE_BYTES = 4
};

#define EXACT 9007199254740992.0 /* whole numbers up to here have a double */

static const struct {
    const char *name;
    guint bytes;
    double low; /* whole numbers only */
    double high;
} types[] = {
    [ARCH_WSE_F16] = {"f16", 2, 0, 0},
    [ARCH_WSE_F32] = {"f32", 4, 0, 0},
    [ARCH_WSE_I16] = {"i16", 2, INT16_MIN, INT16_MAX},
    [ARCH_WSE_U16] = {"u16", 2, 0, UINT16_MAX},
    [ARCH_WSE_I32] = {"i32", 4, INT32_MIN, INT32_MAX},
    [ARCH_WSE_U32] = {"u32", 4, 0, UINT32_MAX},
    [ARCH_WSE_I8] = {"i8", 1, INT8_MIN, INT8_MAX},
    [ARCH_WSE_U8] = {"u8", 1, 0, UINT8_MAX},
    [ARCH_WSE_I64] = {"i64", 8, -EXACT, EXACT},
    [ARCH_WSE_U64] = {"u64", 8, 0, EXACT},
};

guint arch_wse_type_bytes(ArchWseType type)
{
    return types[type].bytes;
}

const char *arch_wse_type_name(ArchWseType type)
{
    return types[type].name;
}

bool wse_encode(const ArchWseProgram *self,
                const char *where,
                ArchWseType type,
                double value,
                uint64_t *bits,
                GError **error)
{
    const float rounded = arch_nan_same((float) value);

    value = arch_nan_plain(value);
    if (type == ARCH_WSE_F16) {
        *bits = arch_half_from_double(value);
        return true;
    }
    if (type == ARCH_WSE_F32) {
        *bits = 0;
        memcpy(bits, &rounded, sizeof rounded);
        return true;
    }
    if (!(value >= types[type].low && value <= types[type].high) ||
        floor(value) != value) {
        return wse_refuse(
            self, error, "%svalue = %g, of %s allowed are the whole numbers %.0f..%.0f",
            where, value, types[type].name, types[type].low, types[type].high);
    }
    *bits = (uint64_t) (int64_t) value;
    *bits &= UINT64_MAX >> (64 - 8 * types[type].bytes);
    return true;
}

bool arch_wse_program_find_variable(const ArchWseProgram *self,
                                    const char *name,
                                    guint *variable)
{
    const GPtrArray *names = self->build->variable_names;

    for (guint i = 0; i < names->len; i++) {
        if (g_strcmp0(g_ptr_array_index(names, i), name) == 0) {
            *variable = i;
            return true;
        }
    }
    return false;
}

static bool has_name(const ArchWseProgram *self, const char *name)
{
    ArchWseSymbol symbol;
    guint variable = 0;

    return arch_wse_program_find(self, name, &symbol) ||
           arch_wse_program_find_variable(self, name, &variable);
}

static bool check_array(const ArchWseProgram *self,
                        const char *name,
                        guint count,
                        guint align,
                        GError **error)
{
    if (!wse_check_open(self, error)) {
        return false;
    }
    if (has_name(self, name)) {
        return wse_refuse(self, error, "%s is there already, names are given once",
                          name);
    }
    if (count == 0 || count > ARRAY_LIMIT) {
        return wse_refuse(self, error, "array %s: count = %u, allowed are 1..%d", name,
                          count, ARRAY_LIMIT);
    }
    return (align <= ALIGN_LIMIT && (align & (align - 1)) == 0) ||
           wse_refuse(self, error,
                      "array %s: align = %u, allowed are powers of 2 up to %d", name,
                      align, ALIGN_LIMIT);
}

static void append_array(ArchWseProgram *self, const WseArray *entry, guint *array)
{
    GArray *arrays = self->build->arrays;

    *array = arrays->len;
    g_array_append_vals(arrays, entry, 1);
    g_array_index(arrays, WseArray, *array).name = g_strdup(entry->name);
}

/* NOLINTNEXTLINE(readability-function-size) */
bool arch_wse_program_array(ArchWseProgram *self,
                            const char *name,
                            ArchWseType type,
                            guint count,
                            guint align,
                            guint *array,
                            GError **error)
{
    const guint multiple = MAX(align, types[type].bytes);
    WseArray entry = {.name = (char *) name, .type = type, .count = count};

    if (!check_array(self, name, count, align, error)) {
        return false;
    }
    if (self->memory_bytes > INT32_MAX / 2) {
        return wse_refuse(self, error, "array %s: %u bytes of arrays before it", name,
                          self->memory_bytes);
    }
    entry.address = (self->memory_bytes + multiple - 1) / multiple * multiple;
    append_array(self, &entry, array);
    self->memory_bytes = entry.address + count * types[type].bytes;
    return true;
}

WseArray *wse_find_array(const ArchWseProgram *self, guint array, GError **error)
{
    const GArray *arrays = self->build->arrays;

    if (array >= arrays->len) {
        (void) wse_refuse(self, error, "array number %u, there are %u", array,
                          arrays->len);
        return NULL;
    }
    return &g_array_index(arrays, WseArray, array);
}

bool arch_wse_program_view(ArchWseProgram *self,
                           const ArchWseView *config,
                           guint *view,
                           GError **error)
{
    const WseArray *array = wse_find_array(self, config->array, error);
    const guint bytes = types[config->type].bytes;
    WseArray entry = {.name = (char *) config->name,
                      .type = config->type,
                      .count = config->count,
                      .is_view = true};
    guint room = 0;

    if (array == NULL || !check_array(self, config->name, config->count, 0, error)) {
        return false;
    }
    if (config->first >= array->count) {
        return wse_refuse(self, error, "view %s: first = %u, array %s has 0..%u",
                          config->name, config->first, array->name, array->count - 1);
    }
    entry.address = array->address + config->first * types[array->type].bytes;
    room = (array->count - config->first) * types[array->type].bytes / bytes;
    if (entry.address % bytes != 0) {
        return wse_refuse(
            self, error, "view %s: first = %u is at byte %u, %s are at multiples of %u",
            config->name, config->first, entry.address, types[config->type].name,
            bytes);
    }
    if (config->count > room) {
        return wse_refuse(self, error,
                          "view %s: count = %u, of array %s allowed are 1..%u",
                          config->name, config->count, array->name, room);
    }
    append_array(self, &entry, view);
    return true;
}

bool arch_wse_program_set(ArchWseProgram *self,
                          guint array,
                          guint first,
                          const double *values,
                          guint count,
                          GError **error)
{
    WseArray *entry = wse_find_array(self, array, error);
    g_autofree uint8_t *encoded = NULL;
    g_autofree char *where = NULL;
    gsize bytes = 0;

    if (entry == NULL || !wse_check_open(self, error)) {
        return false;
    }
    if (first > entry->count || count > entry->count - first) {
        return wse_refuse(self, error, "array %s: numbers %u..%u, it has 0..%u",
                          entry->name, first, first + count - 1, entry->count - 1);
    }
    bytes = types[entry->type].bytes;
    where = g_strdup_printf("array %s: ", entry->name);
    encoded = g_malloc(MAX(count * bytes, 1));
    for (guint i = 0; i < count; i++) {
        uint64_t bits = 0;

        if (!wse_encode(self, where, entry->type, values[i], &bits, error)) {
            return false;
        }
        memcpy(encoded + i * bytes, &bits, bytes);
    }
    if (entry->values == NULL) {
        entry->values = g_malloc0(entry->count * bytes);
    }
    memcpy(entry->values + first * bytes, encoded, count * bytes);
    return true;
}

bool arch_wse_program_variable(ArchWseProgram *self,
                               const char *name,
                               int32_t value,
                               guint *variable,
                               GError **error)
{
    if (!wse_check_open(self, error)) {
        return false;
    }
    if (name != NULL && has_name(self, name)) {
        return wse_refuse(self, error, "%s is there already, names are given once",
                          name);
    }
    if (self->variables->len >= ARCH_WSE_NONE) {
        return wse_refuse(self, error, "variable %s: allowed are %d",
                          name == NULL ? "without a name" : name, ARCH_WSE_NONE);
    }
    *variable = self->variables->len;
    g_array_append_val(self->variables, value);
    g_ptr_array_add(self->build->variable_names, g_strdup(name));
    return true;
}

bool arch_wse_program_set_variable(ArchWseProgram *self,
                                   guint variable,
                                   int32_t value,
                                   GError **error)
{
    if (!wse_check_open(self, error) || !wse_check_variable(self, variable, error)) {
        return false;
    }
    g_array_index(self->variables, int32_t, variable) = value;
    return true;
}

bool wse_check_variable(const ArchWseProgram *self, guint variable, GError **error)
{
    return variable < self->variables->len ||
           wse_refuse(self, error, "variable number %u, there are %u", variable,
                      self->variables->len);
}

bool arch_wse_program_find(const ArchWseProgram *self,
                           const char *name,
                           ArchWseSymbol *symbol)
{
    const GArray *arrays = self->build->arrays;

    for (guint i = 0; i < arrays->len; i++) {
        const WseArray *array = &g_array_index(arrays, WseArray, i);

        if (g_str_equal(array->name, name)) {
            *symbol = (ArchWseSymbol){array->type, array->address, array->count};
            return true;
        }
    }
    return false;
}

static void
append_line(GString *map, guint address, guint bytes, const char *what, const char *end)
{
    g_string_append_printf(map, "  0x%04x %7u bytes  %s%s", address, bytes, what, end);
}

char *arch_wse_program_map(const ArchWseProgram *self)
{
    const GArray *arrays = self->build->arrays;
    const guint variables = self->variables->len * VARIABLE_BYTES;
    const guint code = wse_param(self, "memory.code_reserved_bytes");
    GString *map = g_string_new(NULL);

    for (guint i = 0; i < arrays->len; i++) {
        const WseArray *array = &g_array_index(arrays, WseArray, i);
        g_autofree char *what = g_strdup_printf("%s, %u %s", array->name, array->count,
                                                arch_wse_type_name(array->type));

        if (!array->is_view) {
            append_line(map, array->address, array->count * types[array->type].bytes,
                        what, "\n");
        }
    }
    if (variables > 0) {
        append_line(map, self->memory_bytes, variables, "variables", "\n");
    }
    append_line(map, wse_param(self, "memory.capacity_bytes") - code, code, "code", "");
    return g_string_free(map, FALSE);
}

const char *
wse_program_array_at(const ArchWseProgram *self, guint address, guint *number)
{
    const GArray *arrays = self->build->arrays;

    for (guint i = 0; i < arrays->len; i++) {
        const WseArray *array = &g_array_index(arrays, WseArray, i);
        const guint bytes = arch_wse_type_bytes(array->type);

        if (address >= array->address &&
            address < array->address + array->count * bytes) {
            *number = (address - array->address) / bytes;
            return g_intern_string(array->name);
        }
    }
    *number = address;
    return NULL;
}
