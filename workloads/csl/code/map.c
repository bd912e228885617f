/* Generates @map: a function called for each element of descriptors. */
#include "sim/narrow.h"
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/memory.h"
#include "workloads/csl/code/operation.h"
#include "workloads/csl/code/registers.h"

enum {
    ARGUMENTS_MOST = 16,
    HALF = 16,
};

/* An operand of @map. */
typedef struct {
    const CslTyped *typed;
    const CslType *element;
    const CslAccess *shape; /* of memory of several dimensions, or NULL */
    CslNumber length;
    CslNumber step; /* in bytes */
    guint address;  /* register: of the next element */
    guint counts[CSL_RANK_MOST];
    guint word;     /* where a wavelet lands */
    guint stream;   /* registers of the descriptor with length 1 */
    bool is_memory; /* a descriptor of memory */
    bool is_stream;
} Walk;

static CslNumber part(CslGenerator *self, CslNumber dsd, guint word, guint shift)
{
    const CslNumber half = csl_in_register(dsd.variable + word);

    if (dsd.is_constant) {
        return csl_constant(csl_half(dsd.bits, 32 * word + shift));
    }
    return shift == 0
               ? csl_compute(self, "and", ARCH_WSE_U32, half, csl_constant(UINT16_MAX))
               : csl_compute(self, "shr", word == 1 ? ARCH_WSE_I32 : ARCH_WSE_U32, half,
                             csl_constant(HALF));
}

static CslNumber
unsigned_part(CslGenerator *self, CslNumber dsd, guint word, guint shift)
{
    CslNumber number = part(self, dsd, word, shift);

    if (number.is_constant) {
        number.bits &= UINT16_MAX;
    }
    return number;
}

static CslNumber times(CslGenerator *self, CslNumber number, int64_t by)
{
    return number.is_constant
               ? csl_constant(number.bits * by)
               : csl_compute(self, "mul", ARCH_WSE_I16, number, csl_constant(by));
}

static void begin_memory(CslGenerator *self, Walk *walk, CslNumber dsd)
{
    const CslTyped *typed = walk->typed;

    walk->is_memory = true;
    walk->address = csl_take_single(self);
    csl_move(self, CSL_T(U16), walk->address, unsigned_part(self, dsd, 0, 0));
    walk->length = unsigned_part(self, dsd, 0, HALF);
    walk->step =
        times(self, part(self, dsd, 1, HALF), (int64_t) csl_type_bytes(walk->element));
    if (typed->type == CSL_T(MEM4D_DSD) && typed->kind != CSL_TYPED_CONSTANT) {
        csl_code_fail(self, "@map over a mem4d_dsd that only run time knows");
        return;
    }
    if (typed->kind == CSL_TYPED_CONSTANT && typed->value.dsd->access.rank > 1) {
        CslInteger length = 1;

        walk->shape = &typed->value.dsd->access;
        for (uint32_t i = 0; i < walk->shape->rank; i++) {
            length *= walk->shape->extents[i];
            walk->counts[i] = csl_take_single(self);
            csl_move(self, CSL_T(U16), walk->counts[i], csl_constant(0));
        }
        walk->length = csl_constant((int64_t) length);
    }
}

static void begin_stream(CslGenerator *self, Walk *walk, CslNumber dsd)
{
    const CslType *type = walk->element;
    g_autoptr(GError) error = NULL;

    walk->is_stream = true;
    walk->length = unsigned_part(self, dsd, 0, HALF);
    walk->stream = csl_take(self, CSL_T(MEM1D_DSD));
    walk->word = csl_new_memory(self, "@map", type);
    csl_move(self, CSL_T(MEM1D_DSD), walk->stream, dsd);
    csl_check(self,
              arch_wse_program_dsd_set(self->program, walk->stream, ARCH_WSE_LENGTH,
                                       false, 1, &error),
              &error);
}

static void
begin(CslGenerator *self, Walk *walk, const CslTyped *typed, const CslType *element)
{
    const CslType *type = typed->type;
    CslNumber dsd;

    *walk = (Walk){.typed = typed, .element = element};
    if (type->kind != CSL_KIND_DSD) {
        return;
    }
    dsd = csl_generate(self, typed, CSL_ANYWHERE_ELSE);
    if (type == CSL_T(FABIN_DSD) || type == CSL_T(FABOUT_DSD)) {
        begin_stream(self, walk, dsd);
    } else {
        begin_memory(self, walk, dsd);
    }
}

/* Moves one element between the stream and memory or a register. */
static void
move_wavelet(CslGenerator *self, const Walk *walk, guint source, guint destination)
{
    const ArchWseVector vector = {
        .name = csl_type_bytes(walk->element) == 4 ? "mov32" : "mov16",
        .destination = destination,
        .sources = {source, ARCH_WSE_NONE, ARCH_WSE_NONE},
        .activated = ARCH_WSE_NONE,
        .unblocked = ARCH_WSE_NONE,
        .control_task = ARCH_WSE_NONE,
    };
    g_autoptr(GError) error = NULL;

    csl_check(self, arch_wse_program_vector(self->program, &vector, &error), &error);
}

static CslCodeSpot element_of(const Walk *walk)
{
    return (CslCodeSpot){.base = walk->is_memory ? csl_in_register(walk->address)
                                                 : csl_constant(walk->word),
                         .type = walk->element};
}

/* The next argument. */
static CslNumber take_element(CslGenerator *self, const Walk *walk)
{
    const CslCodeSpot spot = element_of(walk);

    if (walk->is_stream) {
        move_wavelet(
            self, walk, csl_register_descriptor(self, ARCH_WSE_IN_DSD, walk->stream),
            csl_register_descriptor(self, ARCH_WSE_IN_ADDRESS,
                                    csl_constant_register(self, walk->word, false)));
    }
    if (walk->is_stream || walk->is_memory) {
        return csl_load(self, &spot, CSL_ANYWHERE_ELSE);
    }
    return csl_generate(self, walk->typed, CSL_ANYWHERE_ELSE);
}

static void give_element(CslGenerator *self, const Walk *walk, guint result)
{
    CslCodeSpot spot = element_of(walk);

    if (walk->is_stream) {
        move_wavelet(self, walk,
                     csl_register_descriptor(self, ARCH_WSE_IN_SCALAR, result),
                     csl_register_descriptor(self, ARCH_WSE_IN_DSD, walk->stream));
        return;
    }
    if (!walk->is_memory) {
        spot.base = csl_generate(self, walk->typed, CSL_ANYWHERE_ELSE);
    }
    csl_store(self, &spot, csl_in_register(result));
}

static void add_to(CslGenerator *self, guint variable, CslNumber number)
{
    csl_emit_operate(self, "add", ARCH_WSE_U16, variable, csl_in_register(variable),
                     number);
}

/* To the next element: the last dimension is the fastest. */
static void advance(CslGenerator *self, const Walk *walk)
{
    const CslAccess *shape = walk->shape;
    const int64_t bytes = (int64_t) csl_type_bytes(walk->element);
    guint done;
    guint is_more;

    if (!walk->is_memory) {
        return;
    }
    if (shape == NULL) {
        add_to(self, walk->address, walk->step);
        return;
    }
    done = csl_emit_label(self);
    is_more = csl_take_single(self);
    for (uint32_t i = shape->rank; i-- > 0;) {
        add_to(self, walk->address, csl_constant((int64_t) shape->strides[i] * bytes));
        if (i == 0) {
            break;
        }
        add_to(self, walk->counts[i], csl_constant(1));
        csl_emit_operate(self, "lt", ARCH_WSE_U16, is_more,
                         csl_in_register(walk->counts[i]),
                         csl_constant((int64_t) shape->extents[i]));
        csl_emit_jump_if(self, csl_in_register(is_more), false, done);
        csl_move(self, CSL_T(U16), walk->counts[i], csl_constant(0));
        add_to(
            self, walk->address,
            csl_constant(-(int64_t) (shape->strides[i] * shape->extents[i]) * bytes));
    }
    csl_emit_place(self, done);
}

/* The fewest elements of all descriptors. */
static CslNumber find_length(CslGenerator *self, const Walk *walks, uint32_t count)
{
    CslNumber least = csl_constant(-1);

    for (uint32_t i = 0; i < count; i++) {
        const CslNumber length = walks[i].length;

        if (!walks[i].is_memory && !walks[i].is_stream) {
            continue;
        }
        if (least.is_constant && least.bits < 0) {
            least = length;
        } else if (least.is_constant && length.is_constant) {
            least.bits = MIN(least.bits, length.bits);
        } else {
            least = csl_compute(self, "min", ARCH_WSE_U16, least, length);
        }
    }
    if (least.is_constant && least.bits < 0) {
        csl_code_fail(self, "@map needs a DSD among its operands");
        return csl_constant(0);
    }
    return least;
}

/* One call, with an element of each. */
static void generate_turn(CslGenerator *self,
                          const CslTyped *typed,
                          const Walk *walks,
                          uint32_t inputs)
{
    CslCodeFrame *frame = csl_frame_of(self, typed->instance);
    CslNumber numbers[ARGUMENTS_MOST];
    g_autoptr(GError) error = NULL;

    for (uint32_t i = 0; i < inputs; i++) {
        numbers[i] = take_element(self, &walks[i]);
    }
    for (uint32_t i = 0; i < inputs; i++) {
        csl_store(self, &frame->places[i], numbers[i]);
    }
    csl_check(
        self,
        arch_wse_program_call(self->program, csl_function_of(self, frame), &error),
        &error);
    for (uint32_t i = inputs; i + 1 < typed->count; i++) {
        give_element(self, &walks[i], frame->result);
    }
    for (uint32_t i = 0; i + 1 < typed->count; i++) {
        advance(self, &walks[i]);
    }
}

void csl_generate_map(CslGenerator *self, const CslTyped *typed)
{
    const CslInstance *instance = typed->instance;
    const uint32_t operands = typed->count - 1;
    Walk walks[ARGUMENTS_MOST];
    guint again;
    guint end;
    guint left;
    CslNumber length;

    if (instance == NULL || instance->body == NULL ||
        operands < instance->argument_count ||
        operands > instance->argument_count + 1) {
        csl_code_fail(self, "@map with %u operands for '%s'", operands,
                      instance == NULL ? "?" : csl_global_name(instance->function));
        return;
    }
    for (uint32_t i = 0; i < operands; i++) {
        begin(self, &walks[i], typed->children[i + 1],
              i < instance->argument_count ? instance->types[i] : instance->result);
    }
    length = find_length(self, walks, operands);
    left = csl_take_single(self);
    csl_move(self, CSL_T(U16), left, length);
    again = csl_emit_label(self);
    end = csl_emit_label(self);
    csl_emit_place(self, again);
    csl_emit_jump_if(self, csl_in_register(left), true, end);
    generate_turn(self, typed, walks, instance->argument_count);
    csl_emit_operate(self, "sub", ARCH_WSE_U16, left, csl_in_register(left),
                     csl_constant(1));
    csl_emit_jump(self, again);
    csl_emit_place(self, end);
}
