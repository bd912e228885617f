/* Makes the descriptors of programs. */
#include "arch/wse/program/build.h"
#include "arch/wse_dsd.h"
#include "sim/narrow.h"

enum {
    NO_COLOR = 0xff, /* before values of the descriptor have one */
};

static bool add(ArchWseProgram *self, const WseDsd *dsd, guint *number, GError **error)
{
    if (!wse_check_open(self, error)) {
        return false;
    }
    if (self->dsds->len >= ARCH_WSE_NONE) {
        return wse_refuse(self, error, "more than %d descriptors", ARCH_WSE_NONE);
    }
    *number = self->dsds->len;
    g_array_append_vals(self->dsds, dsd, 1);
    return true;
}

static bool check_length(const ArchWseProgram *self, uint64_t length, GError **error)
{
    const guint limit = wse_param(self, "dsd.length_limit_elements");

    return (length > 0 && length <= limit) ||
           wse_refuse(self, error,
                      "descriptor of %" G_GUINT64_FORMAT " elements, allowed are 1..%u",
                      length, limit);
}

static bool check_shape(const ArchWseProgram *self,
                        const ArchWseMemoryDsd *config,
                        uint32_t *length,
                        GError **error)
{
    uint64_t product = 1;

    if (config->rank < 1 || config->rank > ARCH_WSE_RANK) {
        return wse_refuse(self, error, "rank = %u, allowed are 1..%d", config->rank,
                          ARCH_WSE_RANK);
    }
    for (guint i = 0; i < config->rank; i++) {
        if (!check_length(self, config->extents[i], error)) {
            return false;
        }
        if (config->strides[i] < INT16_MIN || config->strides[i] > INT16_MAX) {
            return wse_refuse(self, error, "stride = %d, allowed are %d..%d",
                              config->strides[i], INT16_MIN, INT16_MAX);
        }
        product *= config->extents[i];
    }
    *length = sim_u32(product);
    return check_length(self, product, error);
}

/* The numbers from which to which it reaches, counted from that at `address`. */
typedef struct {
    int64_t low;
    int64_t high;
} Reach;

static Reach reach_of(const WseDsd *dsd, uint32_t address)
{
    Reach reach = {.low = (dsd->address - (int64_t) address) / dsd->bytes};

    reach.high = reach.low;
    for (guint i = 0; i < dsd->rank; i++) {
        const int64_t span = (int64_t) dsd->strides[i] * (dsd->extents[i] - 1);

        reach.low += MIN(span, 0);
        reach.high += MAX(span, 0);
    }
    return reach;
}

/* Where no variable moves it, all of it must lie in its array if it is used. */
static bool is_outside(const WseDsd *dsd, const WseArray *array)
{
    const Reach reach = reach_of(dsd, array->address);

    return dsd->variable == ARCH_WSE_NONE &&
           (reach.low < 0 || reach.high >= array->count);
}

bool wse_check_inside(const ArchWseProgram *self, const WseDsd *dsd, GError **error)
{
    if (dsd->kind != WSE_MEMORY || dsd->outside == 0) {
        return true;
    }
    const WseArray *array = wse_find_array(self, dsd->outside - 1U, error);

    if (array == NULL) {
        return false;
    }
    const Reach reach = reach_of(dsd, array->address);

    return wse_refuse(self, error,
                      "descriptor of numbers %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT
                      " of array %s, it has 0..%u",
                      reach.low, reach.high, array->name, array->count - 1);
}

/* An extent of 1 says nothing, and rows that follow each other are one. */
static void append_extent(WseDsd *dsd, guint extent, int stride)
{
    const guint last = dsd->rank - 1U;

    if (extent == 1) {
        return;
    }
    if (dsd->rank > 0 && dsd->strides[last] == (int64_t) stride * extent) {
        dsd->extents[last] = sim_u16((uint64_t) dsd->extents[last] * extent);
        dsd->strides[last] = sim_i16(stride);
        return;
    }
    dsd->extents[dsd->rank] = sim_u16(extent);
    dsd->strides[dsd->rank] = sim_i16(stride);
    dsd->rank++;
}

bool arch_wse_program_memory_dsd(ArchWseProgram *self,
                                 const ArchWseMemoryDsd *config,
                                 guint *dsd,
                                 GError **error)
{
    static const WseArray none = {.type = ARCH_WSE_U16, .count = WSE_ADDRESSES};
    const WseArray *array = config->array == ARCH_WSE_NONE
                                ? &none
                                : wse_find_array(self, config->array, error);
    WseDsd entry = {.kind = WSE_MEMORY, .variable = sim_u16(config->variable)};

    if (array == NULL || !check_shape(self, config, &entry.length, error) ||
        (config->variable != ARCH_WSE_NONE &&
         !wse_check_variable(self, config->variable, error))) {
        return false;
    }
    if (config->offset < -WSE_ADDRESSES || config->offset > WSE_ADDRESSES) {
        return wse_refuse(self, error, "offset = %d, allowed are %d..%d",
                          config->offset, -WSE_ADDRESSES, WSE_ADDRESSES);
    }
    entry.type = array->type;
    entry.bytes = sim_u8(arch_wse_type_bytes(array->type));
    entry.address = sim_i32(array->address) + config->offset * entry.bytes;
    for (guint i = 0; i < config->rank; i++) {
        append_extent(&entry, config->extents[i], config->strides[i]);
    }
    if (entry.rank == 0) {
        entry.rank = 1;
        entry.extents[0] = 1;
        entry.strides[0] = sim_i16(config->strides[config->rank - 1]);
    }
    if (config->array != ARCH_WSE_NONE && is_outside(&entry, array)) {
        entry.outside = sim_u16(config->array + 1);
    }
    return add(self, &entry, dsd, error);
}

static bool check_wavelets(const ArchWseProgram *self,
                           guint color,
                           guint extent,
                           guint elements_per_wavelet,
                           GError **error)
{
    if ((color != ARCH_WSE_NONE &&
         !wse_check_index(self, "color", color, wse_color_count(self), error)) ||
        (extent != ARCH_WSE_ENDLESS && !check_length(self, extent, error))) {
        return false;
    }
    return elements_per_wavelet == 1 || elements_per_wavelet == 2 ||
           wse_refuse(self, error, "elements_per_wavelet = %u, allowed are 1 and 2",
                      elements_per_wavelet);
}

bool arch_wse_program_fabin_dsd(ArchWseProgram *self,
                                const ArchWseFabinDsd *config,
                                guint *dsd,
                                GError **error)
{
    const WseDsd entry = {
        .kind = WSE_FABRIC_IN,
        .elements_per_wavelet = sim_u8(config->elements_per_wavelet),
        .is_wide = config->width != ARCH_WSE_NARROW,
        .is_patient = config->width == ARCH_WSE_WIDE,
        .color = sim_u8(config->color & NO_COLOR),
        .queue = sim_u8(config->queue),
        .variable = ARCH_WSE_NONE,
        .length = config->extent,
    };

    return check_wavelets(self, config->color, config->extent,
                          config->elements_per_wavelet, error) &&
           (config->color == ARCH_WSE_NONE
                ? wse_keep_input(self, config->queue, error)
                : wse_share_input(self, config->queue, config->color, error)) &&
           add(self, &entry, dsd, error);
}

bool arch_wse_program_fabout_dsd(ArchWseProgram *self,
                                 const ArchWseFaboutDsd *config,
                                 guint *dsd,
                                 GError **error)
{
    const WseDsd entry = {
        .kind = WSE_FABRIC_OUT,
        .elements_per_wavelet = sim_u8(config->elements_per_wavelet),
        .is_wide = config->width != ARCH_WSE_NARROW,
        .is_patient = config->width == ARCH_WSE_WIDE,
        .color = sim_u8(config->color & NO_COLOR),
        .queue = sim_u8(config->queue),
        .is_control = config->is_control,
        .is_switch_advanced = config->is_switch_advanced,
        .index = config->index,
        .zeroed = config->zeroed,
        .variable = ARCH_WSE_NONE,
        .length = config->extent,
    };

    if (!check_wavelets(self, config->color, config->extent,
                        config->elements_per_wavelet, error) ||
        !wse_check_index(self, "output queue", config->queue, wse_output_count(self),
                         error)) {
        return false;
    }
    if (config->is_control && config->elements_per_wavelet != 1) {
        return wse_refuse(self, error,
                          "elements_per_wavelet = 2, control wavelets have 1");
    }
    return add(self, &entry, dsd, error);
}

uint32_t wse_program_colors(const ArchWseProgram *self)
{
    uint32_t colors = 0;

    for (guint i = 0; i < WSE_COLORS; i++) {
        colors |= (self->color_inputs[i] != 0xff ? 1U : 0U) << i;
    }
    for (guint i = 0; i < self->dsds->len; i++) {
        const WseDsd *dsd = &g_array_index(self->dsds, WseDsd, i);

        if (dsd->kind == WSE_FABRIC_IN || dsd->kind == WSE_FABRIC_OUT) {
            colors |= dsd->color < WSE_COLORS ? 1U << dsd->color : UINT32_MAX;
        }
    }
    for (guint i = 0; i < self->instructions->len; i++) {
        const WseInstruction *at =
            &g_array_index(self->instructions, WseInstruction, i);

        if (at->code == WSE_ROUTE) {
            colors |= 1U << at->color;
        } else if (at->code == WSE_SET_CONFIG && !at->is_first_variable) {
            colors |= 1U << sim_u32(at->first) % WSE_CONFIG_SPACING;
        }
    }
    return colors;
}

bool arch_wse_program_indexed(ArchWseProgram *self, guint dsd, GError **error)
{
    if (!wse_check_open(self, error)) {
        return false;
    }
    if (dsd >= self->dsds->len) {
        return wse_refuse(self, error, "descriptor %u, there are %u", dsd,
                          self->dsds->len);
    }
    g_array_index(self->dsds, WseDsd, dsd).is_indexed = true;
    return true;
}

bool arch_wse_program_fifo(ArchWseProgram *self,
                           guint array,
                           guint *dsd,
                           GError **error)
{
    const WseArray *entry = wse_find_array(self, array, error);
    WseDsd fifo = {
        .kind = WSE_FIFO,
        .rank = 1,
        .variable = ARCH_WSE_NONE,
        .fifo = sim_u16(self->fifo_count),
        .strides = {1},
    };

    if (entry == NULL) {
        return false;
    }
    fifo.type = entry->type;
    fifo.bytes = sim_u8(arch_wse_type_bytes(entry->type));
    fifo.address = sim_i32(entry->address);
    fifo.length = entry->count;
    fifo.extents[0] = sim_u16(MIN(entry->count, UINT16_MAX));
    if (!add(self, &fifo, dsd, error)) {
        return false;
    }
    self->fifo_count++;
    return true;
}

bool arch_wse_program_immediate(
    ArchWseProgram *self, ArchWseType type, double value, guint *dsd, GError **error)
{
    WseDsd entry = {
        .kind = WSE_IMMEDIATE,
        .type = type,
        .bytes = sim_u8(arch_wse_type_bytes(type)),
        .variable = ARCH_WSE_NONE,
    };

    uint64_t bits = 0;

    if (!wse_encode(self, "", type, value, &bits, error)) {
        return false;
    }
    entry.bits = sim_u32(bits);
    return add(self, &entry, dsd, error);
}

bool arch_wse_program_word(ArchWseProgram *self,
                           uint32_t bits,
                           guint *dsd,
                           GError **error)
{
    const WseDsd entry = {
        .kind = WSE_IMMEDIATE,
        .type = ARCH_WSE_U32,
        .bytes = 4,
        .variable = ARCH_WSE_NONE,
        .bits = bits,
    };

    return add(self, &entry, dsd, error);
}

bool arch_wse_program_register_dsd(ArchWseProgram *self,
                                   ArchWseRegisterKind kind,
                                   guint variable,
                                   guint *dsd,
                                   GError **error)
{
    static const WseDsdKind kinds[] = {
        [ARCH_WSE_IN_DSD] = WSE_VALUE,
        [ARCH_WSE_IN_SCALAR] = WSE_REGISTER,
        [ARCH_WSE_IN_ADDRESS] = WSE_POINTER,
    };
    const WseDsd entry = {.kind = kinds[kind], .variable = sim_u16(variable)};

    return wse_check_variable(self, variable + (kind == ARCH_WSE_IN_DSD), error) &&
           add(self, &entry, dsd, error);
}

bool arch_wse_program_dsd_value(ArchWseProgram *self,
                                guint dsd,
                                guint variable,
                                GError **error)
{
    WseInstruction value = {
        .code = WSE_DSD_VALUE,
        .cycles =
            sim_u16((int64_t) WSE_VALUE_WORDS * wse_param(self, "pe.integer_cycles")),
        .target = sim_u16(dsd),
    };

    if (dsd >= self->dsds->len && dsd != ARCH_WSE_NONE) {
        return wse_refuse(self, error, "descriptor %u, there are %u", dsd,
                          self->dsds->len);
    }
    if (!wse_check_variable(self, variable + 1, error)) {
        return false;
    }
    value.variable = sim_u16(variable);
    return wse_emit(self, &value, error);
}

/* NOLINTNEXTLINE(readability-function-size) */
bool arch_wse_program_dsd_set(ArchWseProgram *self,
                              guint variable,
                              ArchWseDsdField field,
                              bool is_variable,
                              int32_t value,
                              GError **error)
{
    const WseInstruction set = {
        .code = WSE_DSD_SET,
        .scalar = sim_u8(field),
        .cycles = sim_u16(wse_param(self, "pe.integer_cycles")),
        .variable = sim_u16(variable),
        .is_variable = is_variable,
        .value = value,
    };

    return wse_check_variable(self, variable + 1, error) &&
           (!is_variable || wse_check_variable(self, sim_u32(value), error)) &&
           wse_emit(self, &set, error);
}

bool arch_wse_program_fifo_tasks(
    ArchWseProgram *self, guint fifo, guint pushed, guint popped, GError **error)
{
    const guint tasks[] = {pushed, popped};

    if (!wse_check_open(self, error)) {
        return false;
    }
    for (guint i = 0; i < G_N_ELEMENTS(tasks); i++) {
        if (tasks[i] == ARCH_WSE_NONE) {
            continue;
        }
        if (!wse_check_index(self, "task", tasks[i],
                             wse_task_count(self, ARCH_WSE_TASK_LOCAL), error)) {
            return false;
        }
        if (fifo >= self->dsds->len ||
            g_array_index(self->dsds, WseDsd, fifo).kind != WSE_FIFO) {
            return wse_refuse(self, error, "descriptor %u is no FIFO", fifo);
        }
        g_array_index(self->dsds, WseDsd, fifo).signals[i] = sim_u8(tasks[i] + 1);
    }
    return true;
}
