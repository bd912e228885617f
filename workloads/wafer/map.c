/* pe:map: a function called for each element of descriptors. */

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/wafer/emit.h"
#include "workloads/wafer/function.h"
#include "workloads/wafer/operand.h"

enum {
    HALF = 16,
    OPERANDS = WAFER_ARGUMENTS + 1,
};

typedef enum {
    NUMBER, /* the same for each call */
    MEMORY,
    STREAM,
} WalkKind;

/* An operand of a map. */
typedef struct {
    WalkKind kind;
    ArchWseType type;      /* of an element */
    const WaferValue *dsd; /* of memory and streams */
    ArchWseOperand number; /* or the address of one that gets all results */
    ArchWseOperand length; /* in elements */
    ArchWseOperand step;   /* in bytes */
    guint address;         /* register: of the next element */
    guint counts[ARCH_WSE_RANK];
    guint word;   /* address at which a wavelet lands */
    guint stream; /* operand: the stream with length 1 */
    guint place;  /* operand: where a wavelet lands */
} Walk;

static ArchWseOperand compute(lua_State *L,
                              const WaferPe *self,
                              const char *name,
                              ArchWseType type,
                              ArchWseOperand a,
                              ArchWseOperand b)
{
    const guint to = wafer_variable_new(L, self, NULL, ARCH_WSE_U16, 0).number;

    wafer_emit(
        L, self,
        &(WaferOperation){.name = name, .type = type, .to = to, .operands = {a, b}});
    return wafer_in_register(to);
}

static void
add_to(lua_State *L, const WaferPe *self, guint variable, ArchWseOperand number)
{
    wafer_emit(L, self,
               &(WaferOperation){.name = "add",
                                 .type = ARCH_WSE_U16,
                                 .to = variable,
                                 .operands = {wafer_in_register(variable), number}});
}

static guint new_register(lua_State *L, const WaferPe *self, int value)
{
    return wafer_variable_new(L, self, NULL, ARCH_WSE_U16, value).number;
}

/* The upper half of one of a descriptor's registers. */
static ArchWseOperand
upper_half(lua_State *L, const WaferPe *self, guint variable, ArchWseType type)
{
    return compute(L, self, "shr", type, wafer_in_register(variable),
                   wafer_constant(HALF));
}

static void begin_memory(lua_State *L, const WaferPe *self, Walk *walk)
{
    const WaferValue *dsd = walk->dsd;
    const int bytes = sim_i32(arch_wse_type_bytes(walk->type));
    ArchWseOperand address = wafer_constant(sim_i32(dsd->address));

    walk->length = wafer_constant(sim_i32(dsd->count));
    walk->step = wafer_constant(dsd->stride * bytes);
    if (dsd->is_value) {
        address =
            compute(L, self, "and", ARCH_WSE_U32, wafer_in_register(dsd->increment),
                    wafer_constant(UINT16_MAX));
    }
    walk->address = new_register(L, self, 0);
    wafer_emit_move(L, self, ARCH_WSE_U16, walk->address, address);
    if (dsd->is_value) {
        walk->length = upper_half(L, self, dsd->increment, ARCH_WSE_U32);
        walk->step = compute(L, self, "mul", ARCH_WSE_I16,
                             upper_half(L, self, dsd->increment + 1, ARCH_WSE_I32),
                             wafer_constant(bytes));
        return;
    }
    for (guint i = 0; dsd->rank > 1 && i < dsd->rank; i++) {
        walk->counts[i] = new_register(L, self, 0);
        wafer_emit_move(L, self, ARCH_WSE_U16, walk->counts[i], wafer_constant(0));
    }
}

static guint descriptor_of(lua_State *L,
                           const WaferPe *self,
                           ArchWseRegisterKind kind,
                           guint variable)
{
    GError *error = NULL;
    guint dsd = 0;

    wafer_emit_check(
        L, arch_wse_program_register_dsd(self->program, kind, variable, &dsd, &error),
        &error);
    return dsd;
}

/* A number in memory for the wavelets of a stream. */
static guint new_word(lua_State *L, WaferPe *self, ArchWseType type)
{
    g_autofree char *name = g_strdup_printf("@map %u", self->map_count++);
    ArchWseSymbol symbol = {0};
    GError *error = NULL;
    guint array = 0;
    const bool is_made =
        arch_wse_program_array(self->program, name, type, 1, 0, &array, &error) &&
        arch_wse_program_find(self->program, name, &symbol);

    g_clear_pointer(&name, g_free); /* before it may raise */
    wafer_emit_check(L, is_made, &error);
    return symbol.address;
}

static void begin_stream(lua_State *L, WaferPe *self, Walk *walk)
{
    const WaferValue *dsd = walk->dsd;
    const guint pair = wafer_pair_new(L, self, 0);
    GError *error = NULL;

    walk->length = wafer_constant(sim_i32(dsd->count));
    if (dsd->is_value) {
        walk->length = upper_half(L, self, dsd->increment, ARCH_WSE_U32);
        for (guint i = 0; i < 2; i++) {
            wafer_emit_move(L, self, ARCH_WSE_U32, pair + i,
                            wafer_in_register(dsd->increment + i));
        }
    } else {
        wafer_emit_check(
            L, arch_wse_program_dsd_value(self->program, dsd->number, pair, &error),
            &error);
    }
    wafer_emit_check(L,
                     arch_wse_program_dsd_set(self->program, pair, ARCH_WSE_LENGTH,
                                              false, 1, &error),
                     &error);
    walk->stream = descriptor_of(L, self, ARCH_WSE_IN_DSD, pair);
    walk->word = new_word(L, self, walk->type);
    walk->place = descriptor_of(L, self, ARCH_WSE_IN_ADDRESS,
                                new_register(L, self, sim_i32(walk->word)));
}

/* The operand at `index`, whose elements are of the type. */
static Walk
begin(lua_State *L, WaferPe *self, int index, ArchWseType type, bool is_result)
{
    const WaferValue *value = wafer_value_test(L, index);
    Walk walk = {.kind = NUMBER, .type = type};

    if (is_result && value != NULL && value->kind == WAFER_ARRAY) {
        value = wafer_value_argument(L, self, index, WAFER_ARRAY);
        walk.number = wafer_constant(sim_i32(value->address));
        return walk;
    }
    if (!is_result && (value == NULL || value->kind != WAFER_DESCRIPTOR)) {
        walk.number = wafer_operand_check(L, self, index, type);
        return walk;
    }
    walk.dsd = wafer_value_argument(L, self, index, WAFER_DESCRIPTOR);
    walk.kind = walk.dsd->is_stream ? STREAM : MEMORY;
    if (walk.kind == MEMORY && (walk.dsd->rank == 0 || walk.dsd->type != type ||
                                (walk.dsd->is_value && walk.dsd->rank > 1))) {
        luaL_error(L,
                   "argument %d: expected a stream or a descriptor of numbers of %s in "
                   "memory%s",
                   index - 1, arch_wse_type_name(type),
                   walk.dsd->is_value ? ", of rank 1 if it is in variables" : "");
    }
    if (walk.kind == STREAM) {
        begin_stream(L, self, &walk);
    } else {
        begin_memory(L, self, &walk);
    }
    return walk;
}

/* Moves one element between the stream and memory or a register. */
static void move_wavelet(lua_State *L,
                         const WaferPe *self,
                         const Walk *walk,
                         guint source,
                         guint destination)
{
    const ArchWseVector vector = {
        .name = arch_wse_type_bytes(walk->type) == 4 ? "mov32" : "mov16",
        .destination = destination,
        .sources = {source, ARCH_WSE_NONE, ARCH_WSE_NONE},
        .activated = ARCH_WSE_NONE,
        .unblocked = ARCH_WSE_NONE,
        .control_task = ARCH_WSE_NONE,
    };
    GError *error = NULL;

    wafer_emit_check(L, arch_wse_program_vector(self->program, &vector, &error),
                     &error);
}

/* Where the next element lies. */
static ArchWseOperand element_of(const Walk *walk)
{
    return walk->kind == MEMORY ? wafer_in_register(walk->address)
                                : wafer_constant(sim_i32(walk->word));
}

static ArchWseOperand take_element(lua_State *L, const WaferPe *self, const Walk *walk)
{
    GError *error = NULL;

    if (walk->kind == NUMBER) {
        return walk->number;
    }
    if (walk->kind == STREAM) {
        move_wavelet(L, self, walk, walk->stream, walk->place);
    }
    const guint to = wafer_variable_new(L, self, NULL, walk->type, 0).number;

    wafer_emit_check(L,
                     arch_wse_program_load(self->program, walk->type, to,
                                           element_of(walk), 0, &error),
                     &error);
    return wafer_in_register(to);
}

static void
give_element(lua_State *L, const WaferPe *self, const Walk *walk, guint result)
{
    GError *error = NULL;

    if (walk->kind == STREAM) {
        move_wavelet(L, self, walk, descriptor_of(L, self, ARCH_WSE_IN_SCALAR, result),
                     walk->stream);
        return;
    }
    wafer_emit_check(
        L,
        arch_wse_program_store(self->program, walk->type, wafer_in_register(result),
                               walk->kind == MEMORY ? element_of(walk) : walk->number,
                               0, &error),
        &error);
}

/* To the next element of several dimensions: the last is the fastest. */
static void advance_shape(lua_State *L, WaferPe *self, const Walk *walk)
{
    const WaferValue *dsd = walk->dsd;
    const int bytes = sim_i32(arch_wse_type_bytes(walk->type));
    const guint done = wafer_emit_label(L, self);
    const guint is_more = wafer_scratch(L, self);

    for (guint i = dsd->rank; i-- > 0;) {
        add_to(L, self, walk->address, wafer_constant(dsd->strides[i] * bytes));
        if (i == 0) {
            break;
        }
        add_to(L, self, walk->counts[i], wafer_constant(1));
        wafer_emit(
            L, self,
            &(WaferOperation){.name = "lt",
                              .type = ARCH_WSE_U16,
                              .to = is_more,
                              .operands = {wafer_in_register(walk->counts[i]),
                                           wafer_constant(sim_i32(dsd->extents[i]))}});
        wafer_emit_jump_if(L, self, is_more, false, done);
        wafer_emit_move(L, self, ARCH_WSE_U16, walk->counts[i], wafer_constant(0));
        add_to(L, self, walk->address,
               wafer_constant(-dsd->strides[i] * sim_i32(dsd->extents[i]) * bytes));
    }
    wafer_emit_place(L, self, done);
}

static void advance(lua_State *L, WaferPe *self, const Walk *walk)
{
    if (walk->kind != MEMORY) {
        return;
    }
    if (walk->dsd->rank > 1) {
        advance_shape(L, self, walk);
    } else {
        add_to(L, self, walk->address, walk->step);
    }
}

/* The fewest elements of all descriptors. */
static ArchWseOperand
find_length(lua_State *L, const WaferPe *self, const Walk *walks, guint count)
{
    ArchWseOperand least = wafer_constant(-1);

    for (guint i = 0; i < count; i++) {
        const ArchWseOperand length = walks[i].length;

        if (walks[i].kind == NUMBER) {
            continue;
        }
        if (!least.is_variable && least.value < 0) {
            least = length;
        } else if (!least.is_variable && !length.is_variable) {
            least.value = MIN(least.value, length.value);
        } else {
            least = compute(L, self, "min", ARCH_WSE_U16, least, length);
        }
    }
    if (!least.is_variable && least.value < 0) {
        luaL_error(L, "map: expected a descriptor among its operands");
    }
    return least;
}

/* One call, with an element of each. */
static void emit_turn(lua_State *L,
                      WaferPe *self,
                      const WaferFunction *function,
                      const Walk *walks,
                      guint count)
{
    ArchWseOperand operands[WAFER_ARGUMENTS] = {0};

    for (guint i = 0; i < function->argument_count; i++) {
        operands[i] = take_element(L, self, &walks[i]);
    }
    wafer_function_call(L, self, function, operands);
    for (guint i = function->argument_count; i < count; i++) {
        give_element(L, self, &walks[i], function->result.number);
    }
    for (guint i = 0; i < count; i++) {
        advance(L, self, &walks[i]);
    }
}

/* pe:map(function, operand, ... [, result]) */
static int map(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const WaferFunction *function = wafer_function_check(L, self, 2);
    const guint arguments = function->argument_count;
    const guint count = sim_u32(lua_gettop(L)) - 2;
    Walk walks[OPERANDS] = {0};

    if (count != arguments && (count != arguments + 1 || !function->has_result)) {
        return luaL_error(L, "map: expected %d operands%s", sim_i32(arguments),
                          function->has_result ? ", and one for the results" : "");
    }
    for (guint i = 0; i < count; i++) {
        const bool is_result = i == arguments;

        walks[i] = begin(
            L, self, sim_i32(i) + 3,
            is_result ? function->result.type : function->arguments[i].type, is_result);
    }
    const ArchWseOperand length = find_length(L, self, walks, count);
    const guint left = new_register(L, self, 0);
    const guint again = wafer_emit_label(L, self);
    const guint end = wafer_emit_label(L, self);

    wafer_emit_move(L, self, ARCH_WSE_U16, left, length);
    wafer_emit_place(L, self, again);
    wafer_emit_jump_if(L, self, left, true, end);
    emit_turn(L, self, function, walks, count);
    wafer_emit(
        L, self,
        &(WaferOperation){.name = "sub",
                          .type = ARCH_WSE_U16,
                          .to = left,
                          .operands = {wafer_in_register(left), wafer_constant(1)}});
    wafer_emit_jump(L, self, again);
    wafer_emit_place(L, self, end);
    return 0;
}

const ApiCall wafer_map_methods[] = {
    {"map", map, "(f: gl.Function, ...: gl.Dsd|gl.Variable|gl.Array|number)"},
    {0},
};
