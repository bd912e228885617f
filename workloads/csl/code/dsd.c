/* Generates descriptors as values: two words, one of which names a template. */
#include "sim/narrow.h"
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/memory.h"
#include "workloads/csl/code/operation.h"
#include "workloads/csl/code/registers.h"

enum {
    HALF = 16,
};

guint *csl_made_once(CslGenerator *self, const char *text, bool *made)
{
    guint *number = g_hash_table_lookup(self->descriptors, text);

    *made = number != NULL;
    if (number == NULL) {
        number = g_new0(guint, 1);
        g_hash_table_insert(self->descriptors, g_strdup(text), number);
    }
    return number;
}

guint csl_constant_register(CslGenerator *self, int64_t bits, bool is_pair)
{
    g_autofree char *text =
        g_strdup_printf("%s %" G_GINT64_FORMAT, is_pair ? "pair" : "word", bits);
    bool is_made;
    guint *variable = csl_made_once(self, text, &is_made);

    if (!is_made) {
        *variable = csl_new_register(self, NULL, csl_low_word(bits));
        if (is_pair) {
            (void) csl_new_register(self, NULL, csl_high_word(bits));
        }
    }
    return *variable;
}

guint csl_register_descriptor(CslGenerator *self,
                              ArchWseRegisterKind kind,
                              guint variable)
{
    const guint number = kind;
    g_autofree char *text = g_strdup_printf("register %u %u", number, variable);
    g_autoptr(GError) error = NULL;
    bool is_made;
    guint *dsd = csl_made_once(self, text, &is_made);

    if (!is_made) {
        csl_check(
            self,
            arch_wse_program_register_dsd(self->program, kind, variable, dsd, &error),
            &error);
    }
    return *dsd;
}

const CslTyped *csl_item(const CslGenerator *self,
                         const CslTyped *typed,
                         const char *name,
                         const CslValue **known)
{
    *known = NULL;
    if (typed == NULL) {
        return NULL;
    }
    if (typed->kind == CSL_TYPED_CONSTANT) {
        *known =
            typed->type->kind == CSL_KIND_STRUCT
                ? csl_struct_find(typed->value.members, csl_name(self->source, name))
                : NULL;
        return NULL;
    }
    for (uint32_t i = 0; typed->kind == CSL_TYPED_STRUCT && i < typed->count; i++) {
        const CslNode *item = typed->node->children[i + 1];

        if (item->kind == CSL_ITEM && g_strcmp0(item->name, name) == 0) {
            const CslTyped *child = typed->children[i];

            if (child->kind == CSL_TYPED_CONSTANT) {
                *known = &child->value;
            }
            return child;
        }
    }
    return NULL;
}

/* Fields of a descriptor, some of which are only known at run time. */
typedef struct {
    const CslStruct *known; /* or NULL */
    const CslTyped *typed;  /* or NULL */
} Fields;

static const CslValue *
known_field(const CslGenerator *self, const Fields *fields, const char *name)
{
    const CslValue *known = NULL;

    if (fields->known != NULL) {
        return csl_struct_find(fields->known, csl_name(self->source, name));
    }
    (void) csl_item(self, fields->typed, name, &known);
    return known;
}

static bool flag(const CslGenerator *self, const Fields *fields, const char *name)
{
    const CslValue *value = known_field(self, fields, name);

    return csl_is_true(value);
}

/* Whether a member of a struct such as .{ .simd_32 = true } is set. */
static bool choice(const CslGenerator *self,
                   const Fields *fields,
                   const char *name,
                   const char *member)
{
    const CslValue *value = known_field(self, fields, name);
    const CslValue *chosen =
        value == NULL || value->type->kind != CSL_KIND_STRUCT
            ? NULL
            : csl_struct_find(value->members, csl_name(self->source, member));

    return csl_is_true(chosen);
}

/* The color of a stream: its own, or that of its queue. */
static guint color_of(CslGenerator *self, const Fields *fields, const CslValue *queue)
{
    const CslValue *color = known_field(self, fields, "fabric_color");

    if (color != NULL) {
        return csl_u32(color->integer);
    }
    for (guint i = 0; queue != NULL && i < self->pe->queues->len; i++) {
        const CslQueueBinding *binding =
            &g_array_index(self->pe->queues, CslQueueBinding, i);

        if (binding->queue == queue->integer && binding->color >= 0 &&
            binding->is_input == (queue->type == CSL_T(INPUT_QUEUE))) {
            return sim_u32(binding->color);
        }
    }
    if (fields->typed == NULL) {
        csl_code_fail(self, queue == NULL
                                ? "a stream needs .fabric_color"
                                : "a stream needs .fabric_color, or a queue that "
                                  "@initialize_queue gives a color");
    }
    return ARCH_WSE_NONE; /* run time tells */
}

/* The queue of a stream from the fabric: a color has one, the first that is named.
 * Roles that a PE does not play share colors that nothing comes on. */
static guint input_queue(CslGenerator *self, guint color, guint queue)
{
    g_autofree char *text = g_strdup_printf("queue of %u", color);
    bool is_made;
    guint *first = csl_made_once(self, text, &is_made);

    if (!is_made) {
        *first = queue;
    }
    return *first;
}

/* The source that a fabout clears, from 1 on, or 0. */
static guint zeroed_source(const CslGenerator *self, const Fields *fields)
{
    if (choice(self, fields, "zero", "first_source")) {
        return 1;
    }
    return choice(self, fields, "zero", "second_source") ? 2 : 0;
}

/* The template of a fabin or fabout. */
static guint
stream_template(CslGenerator *self, const CslType *kind, const Fields *fields)
{
    const bool is_input = kind == CSL_T(FABIN_DSD);
    const CslValue *queue =
        known_field(self, fields, is_input ? "input_queue" : "output_queue");
    const guint color = color_of(self, fields, queue);
    const guint named = queue == NULL ? 0 : csl_u32(queue->integer);
    const guint number =
        is_input && color != ARCH_WSE_NONE ? input_queue(self, color, named) : named;
    const bool is_wide = choice(self, fields, "simd_mode", "simd_64");
    const bool is_eager = choice(self, fields, "simd_mode", "simd_32_or_64");
    const bool is_pair = choice(self, fields, "simd_mode", "simd_32");
    const guint packed = is_wide || is_eager || is_pair ? 2 : 1;
    const ArchWseWidth width = is_wide    ? ARCH_WSE_WIDE
                               : is_eager ? ARCH_WSE_WIDE_IF_ANY
                                          : ARCH_WSE_NARROW;
    const guint zeroed = zeroed_source(self, fields);
    const bool is_control = flag(self, fields, "control");
    const bool is_advanced = flag(self, fields, "advance_switch");
    const bool is_indexed = flag(self, fields, "wavelet_index_offset");
    g_autofree char *text = g_strdup_printf(
        "stream %d %u %u %u %d %d %u %d %d %d", is_input, color, number, packed,
        is_wide, is_eager, zeroed, is_control, is_advanced, is_indexed);
    g_autoptr(GError) error = NULL;
    bool is_made;
    guint *dsd = csl_made_once(self, text, &is_made);

    if (is_made) {
        return *dsd;
    }
    if (is_input) {
        const ArchWseFabinDsd config = {color, number, packed, packed, width};

        self->queues |= 1U << (number & 31);
        if (color != ARCH_WSE_NONE) {
            self->inputs |= 1U << (color & 31);
        }
        csl_check(self, arch_wse_program_fabin_dsd(self->program, &config, dsd, &error),
                  &error);
    } else {
        const ArchWseFaboutDsd config = {
            .color = color,
            .queue = number,
            .extent = packed,
            .elements_per_wavelet = packed,
            .is_control = is_control,
            .is_switch_advanced = is_advanced,
            .zeroed = sim_u8(zeroed),
            .width = width,
        };

        csl_check(self,
                  arch_wse_program_fabout_dsd(self->program, &config, dsd, &error),
                  &error);
    }
    if (is_indexed) {
        csl_check(self, arch_wse_program_indexed(self->program, *dsd, &error), &error);
    }
    return *dsd;
}

/* The template of a shape in memory, or ARCH_WSE_NONE for the plain one of rank 1. */
static guint
memory_template(CslGenerator *self, const CslAccess *access, bool is_indexed)
{
    g_autoptr(GString) text = g_string_new("memory");
    ArchWseMemoryDsd config = {
        .array = ARCH_WSE_NONE, .rank = access->rank, .variable = ARCH_WSE_NONE};
    g_autoptr(GError) error = NULL;
    bool is_made;
    guint *dsd;

    if (access->rank == 1 && !is_indexed) {
        return ARCH_WSE_NONE;
    }
    for (uint32_t i = 0; i < access->rank; i++) {
        config.extents[i] = csl_u32(MAX(access->extents[i], 1));
        config.strides[i] = csl_i32(access->strides[i]);
        g_string_append_printf(text, " %u*%d", config.extents[i], config.strides[i]);
    }
    g_string_append(text, is_indexed ? " indexed" : "");
    dsd = csl_made_once(self, text->str, &is_made);
    if (!is_made) {
        csl_check(self,
                  arch_wse_program_memory_dsd(self->program, &config, dsd, &error),
                  &error);
        if (is_indexed) {
            csl_check(self, arch_wse_program_indexed(self->program, *dsd, &error),
                      &error);
        }
    }
    return *dsd;
}

/* The step from element to element where the machine has one dimension: it leaves out
 * those of one element. */
static int line_stride(const CslAccess *access)
{
    uint32_t last = MAX(access->rank, 1) - 1;

    while (last > 0 && access->extents[last] == 1) {
        last--;
    }
    return csl_i32(access->strides[last]);
}

static CslNumber words(guint address, guint length, guint template, int stride)
{
    const uint64_t low = (address & UINT16_MAX) | (uint64_t) (length & UINT16_MAX)
                                                      << HALF;
    const uint64_t high = (template & UINT16_MAX) | (uint64_t) (stride & UINT16_MAX)
                                                        << HALF;

    return csl_constant((int64_t) (low | high << 32));
}

CslNumber csl_dsd_constant(CslGenerator *self, const CslValue *value)
{
    const CslDsd *dsd = value->dsd;
    const CslAccess *access = &dsd->access;
    const Fields fields = {.known = dsd->fields};
    CslInteger address = dsd->offset_bytes;
    CslInteger length = 1;

    if ((value->type == CSL_T(FABIN_DSD) || value->type == CSL_T(FABOUT_DSD)) &&
        dsd->fields == NULL) {
        return words(0, 0, ARCH_WSE_NONE, 0); /* a variable that has no value yet */
    }
    if (value->type == CSL_T(FABIN_DSD) || value->type == CSL_T(FABOUT_DSD)) {
        return words(0, csl_u32(access->extents[0]),
                     stream_template(self, value->type, &fields), 0);
    }
    if (access->base != NULL) {
        address += csl_address_at(self, access->base, CSL_T(U16));
    }
    if (access->element != NULL) {
        address += access->offset * (CslInteger) csl_type_bytes(access->element);
    }
    for (uint32_t i = 0; i < access->rank; i++) {
        length *= access->extents[i];
    }
    /* Dimensions that follow each other without a gap are one to the machine. */
    return words(
        csl_u32(address & UINT16_MAX), csl_u32(length),
        memory_template(self, access, flag(self, &fields, "wavelet_index_offset")),
        line_stride(access));
}

static void
set_field(CslGenerator *self, guint dsd, ArchWseDsdField field, CslNumber number)
{
    g_autoptr(GError) error = NULL;

    csl_check(self,
              arch_wse_program_dsd_set(self->program, dsd, field, !number.is_constant,
                                       number.is_constant ? sim_i32(number.bits)
                                                          : sim_i32(number.variable),
                                       &error),
              &error);
}

/* Bytes of `count` elements. */
static CslNumber in_bytes(CslGenerator *self, CslNumber count, uint64_t bytes)
{
    if (count.is_constant) {
        return csl_constant(count.bits * (int64_t) bytes);
    }
    return bytes == 1 ? count
                      : csl_compute(self, "mul", ARCH_WSE_I16, count,
                                    csl_constant((int64_t) bytes));
}

static const CslType *pointed(const CslType *type)
{
    type = type->kind == CSL_KIND_POINTER ? type->element : type;
    return type->kind == CSL_KIND_ARRAY ? type->element : type;
}

/* An address: a pointer's value, or where an array lies. */
static CslNumber generate_address(CslGenerator *self, const CslTyped *typed)
{
    CslCodeSpot spot;

    if (typed->type->kind == CSL_KIND_POINTER) {
        return csl_generate(self, typed, CSL_ANYWHERE_ELSE);
    }
    spot = csl_locate_code(self, typed);
    return csl_address(self, &spot);
}

static void set_item(CslGenerator *self,
                     const CslTyped *fields,
                     const char *name,
                     guint to,
                     ArchWseDsdField field)
{
    const CslValue *known;
    const CslTyped *item = csl_item(self, fields, name, &known);

    if (item != NULL) {
        set_field(self, to, field, csl_generate(self, item, CSL_ANYWHERE_ELSE));
    }
}

/* FIFOs have a length for pops and one for pushes once the program sets them. */
static guint *fifo_value(CslGenerator *self, guint fifo, bool is_pushed, bool *is_made)
{
    g_autofree char *text = g_strdup_printf("fifo %u %d", fifo, is_pushed);

    return csl_made_once(self, text, is_made);
}

void csl_learn_fifo(CslGenerator *self, const CslTyped *typed)
{
    const guint fifo = csl_u32(typed->children[0]->value.integer);
    const CslNumber value = words(0, 0, g_array_index(self->fifos, guint, fifo), 0);
    bool is_made;
    guint *variable = fifo_value(
        self, fifo, g_str_equal(typed->name, "@set_fifo_write_length"), &is_made);

    if (!is_made) {
        *variable = csl_new_register(self, NULL, csl_low_word(value.bits));
        (void) csl_new_register(self, NULL, csl_high_word(value.bits));
    }
}

void csl_generate_fifo_length(CslGenerator *self, const CslTyped *typed)
{
    bool is_made;
    const guint *variable =
        fifo_value(self, csl_u32(typed->children[0]->value.integer),
                   g_str_equal(typed->name, "@set_fifo_write_length"), &is_made);

    set_field(self, *variable, ARCH_WSE_LENGTH,
              csl_generate(self, typed->children[1], CSL_ANYWHERE_ELSE));
}

guint csl_fifo_descriptor(CslGenerator *self, guint fifo, bool is_pushed)
{
    g_autofree char *text = g_strdup_printf("fifo %u %d", fifo, is_pushed);
    const guint *variable = g_hash_table_lookup(self->descriptors, text);

    return variable == NULL ? g_array_index(self->fifos, guint, fifo)
                            : csl_register_descriptor(self, ARCH_WSE_IN_DSD, *variable);
}

/* @get_dsd with fields that are only known at run time. */
static void get_dsd(CslGenerator *self, const CslTyped *typed, guint to)
{
    const CslType *kind = typed->children[0]->value.meant;
    const CslTyped *items = typed->children[1];
    const Fields fields = {.typed = items};
    const CslValue *known;
    const CslTyped *base = csl_item(self, items, "base_address", &known);
    const CslTyped *offset = csl_item(self, items, "offset", &known);
    g_autoptr(GError) error = NULL;
    guint template = ARCH_WSE_NONE;

    if (kind == CSL_T(FABIN_DSD) || kind == CSL_T(FABOUT_DSD)) {
        template = stream_template(self, kind, &fields);
    } else if (base == NULL) {
        csl_code_fail(self, "a descriptor of run time needs .base_address");
        return;
    } else {
        const CslAccess line = {.rank = 1, .extents = {1}, .strides = {1}};

        template =
            memory_template(self, &line, flag(self, &fields, "wavelet_index_offset"));
    }
    csl_check(self, arch_wse_program_dsd_value(self->program, template, to, &error),
              &error);
    if (base != NULL) {
        set_field(self, to, ARCH_WSE_ADDRESS, generate_address(self, base));
    }
    if (csl_item(self, items, "fabric_color", &known) != NULL && known == NULL) {
        set_item(self, items, "fabric_color", to, ARCH_WSE_COLOR);
    }
    set_item(self, items, "extent", to, ARCH_WSE_LENGTH);
    set_item(self, items, "stride", to, ARCH_WSE_STRIDE);
    if (base != NULL && offset != NULL) {
        set_field(self, to, ARCH_WSE_OFFSET,
                  in_bytes(self, csl_generate(self, offset, CSL_ANYWHERE_ELSE),
                           csl_type_bytes(pointed(base->type))));
    }
}

CslNumber csl_generate_dsd(CslGenerator *self, const CslTyped *typed, guint wanted)
{
    const guint to = csl_target(self, CSL_T(MEM1D_DSD), wanted);
    const char *name = typed->name + 1;
    CslNumber number;

    if (g_str_equal(name, "get_dsd")) {
        get_dsd(self, typed, to);
        return csl_in_register(to);
    }
    number = g_str_equal(name, "set_dsd_base_addr")
                 ? generate_address(self, typed->children[1])
                 : csl_generate(self, typed->children[1], CSL_ANYWHERE_ELSE);
    csl_move(self, typed->type, to,
             csl_generate(self, typed->children[0], CSL_ANYWHERE_ELSE));
    if (g_str_equal(name, "increment_dsd_offset")) {
        set_field(
            self, to, ARCH_WSE_OFFSET,
            in_bytes(self, number, csl_type_bytes(typed->children[2]->value.meant)));
    } else if (g_str_equal(name, "set_dsd_base_addr")) {
        set_field(self, to, ARCH_WSE_ADDRESS, number);
    } else {
        set_field(self, to,
                  g_str_equal(name, "set_dsd_length") ? ARCH_WSE_LENGTH
                                                      : ARCH_WSE_STRIDE,
                  number);
    }
    return csl_in_register(to);
}
