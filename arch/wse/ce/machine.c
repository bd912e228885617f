/* Executes instructions of the scalar machine of a compute element. */
#include "arch/wse/ce/machine.h"

#include <string.h>

#include "arch/wse/program/number.h"
#include "arch/wse/router/config.h"

enum {
    HALF = 16, /* bits */
};

static uint32_t first(const WseMachine *self, const WseInstruction *at)
{
    return at->is_first_variable ? self->registers[at->first] : (uint32_t) at->first;
}

static uint32_t second(const WseMachine *self, const WseInstruction *at)
{
    return at->is_variable ? self->registers[at->value] : (uint32_t) at->value;
}

/* The same of 64 bits. */
static uint64_t wide(const WseMachine *self, bool is_variable, int32_t value)
{
    return is_variable
               ? self->registers[value] | (uint64_t) self->registers[value + 1] << 32
               : (uint64_t) value;
}

static void set_wide(const WseMachine *self, guint variable, uint64_t bits)
{
    self->registers[variable] = (uint32_t) bits;
    self->registers[variable + 1] = (uint32_t) (bits >> 32);
}

/* "program (file:line)"; the caller frees it. */
static char *where_it_is(const WseMachine *self)
{
    const ArchWseProgram *program = self->visit->kind->program;
    const ArchPlace place = g_array_index(program->places, ArchPlace, self->pc - 1);

    return place.file == NULL
               ? g_strdup(program->name)
               : g_strdup_printf("%s (%s:%u)", program->name, place.file, place.line);
}

static void fail(const WseMachine *self, const char *what, uint32_t number)
{
    g_autofree char *where = where_it_is(self);

    wse_region_fail(self->visit->region, self->visit->number, "%s: %s %u", where, what,
                    number);
}

static void stop(const WseMachine *self)
{
    g_autofree char *where = where_it_is(self);

    if (self->visit->fabric->is_functional) {
        wse_region_fail(self->visit->region, self->visit->number,
                        "%s: an assertion is false", where);
    }
}

/* Without data everything may be 0. */
static bool can_divide(const WseMachine *self, const WseInstruction *at, uint64_t by)
{
    if ((at->scalar == WSE_NUMBER_DIV || at->scalar == WSE_NUMBER_REM) && by == 0 &&
        self->visit->fabric->is_functional) {
        fail(self, "an integer is divided by", 0);
        return false;
    }
    return true;
}

static void compute_integer(const WseMachine *self, const WseInstruction *at)
{
    const uint32_t by = second(self, at);

    if (can_divide(self, at, by)) {
        self->registers[at->variable] =
            wse_number_integer((WseNumberCode) at->scalar, (ArchWseType) at->relation,
                               first(self, at), by);
    }
}

static void compute_wide(const WseMachine *self, const WseInstruction *at)
{
    const uint64_t by = wide(self, at->is_variable, at->value);

    if (can_divide(self, at, by)) {
        set_wide(self, at->variable,
                 wse_number_wide((WseNumberCode) at->scalar, (ArchWseType) at->relation,
                                 wide(self, at->is_first_variable, at->first), by));
    }
}

static void convert(const WseMachine *self, const WseInstruction *at)
{
    const ArchWseType from = (ArchWseType) at->scalar;
    const ArchWseType to = (ArchWseType) at->relation;
    uint64_t bits = 0;

    if (wse_type_is_wide(from)) {
        bits = wide(self, at->is_first_variable, at->first);
    } else if (wse_type_is_signed(from)) {
        bits = (uint64_t) (int32_t) first(self, at);
    } else {
        bits = first(self, at);
    }
    bits = wse_number_convert(from, to, bits);
    if (wse_type_is_wide(to)) {
        set_wide(self, at->variable, bits);
    } else {
        self->registers[at->variable] = (uint32_t) bits;
    }
}

/* Where a load or store goes; NULL beyond the memory, and where there is none. */
static uint8_t *place_of(const WseMachine *self, const WseInstruction *at)
{
    const uint32_t address = (first(self, at) + at->destination) & UINT16_MAX;

    if (!self->visit->fabric->is_functional) {
        return NULL;
    }
    if (address + arch_wse_type_bytes((ArchWseType) at->relation) >
        self->memory_bytes) {
        fail(self,
             at->code == WSE_LOAD ? "a load from beyond the memory, address"
                                  : "a store beyond the memory, address",
             address);
        return NULL;
    }
    return self->memory + address;
}

/* Whether a load or store of 16 bits means a register of the router, which lie behind
 * the memory: `address` is the register's. */
static bool
reaches_config(const WseMachine *self, const WseInstruction *at, uint32_t *address)
{
    *address = ((first(self, at) + at->destination) & UINT16_MAX) / 2;
    return self->visit->kind->program->has_own_routes &&
           *address >= WSE_CONFIG_ROUTES &&
           arch_wse_type_bytes((ArchWseType) at->relation) == sizeof(uint16_t);
}

/* The counter of cycles, three words and its switch, is never stopped nor reset. */
static bool is_counter(uint32_t address)
{
    return address >= WSE_CONFIG_COUNTER && address < WSE_CONFIG_COUNTER + 4;
}

static uint32_t counter_at(const WseMachine *self, uint32_t address)
{
    const uint64_t cycles = (uint64_t) self->visit->now + self->work;

    return (uint32_t) (cycles >> HALF * (address - WSE_CONFIG_COUNTER)) & UINT16_MAX;
}

static void load(const WseMachine *self, const WseInstruction *at)
{
    const ArchWseType type = (ArchWseType) at->relation;
    uint32_t address = 0;

    if (reaches_config(self, at, &address)) {
        const uint32_t word = is_counter(address)
                                  ? counter_at(self, address)
                                  : wse_config_get(self->visit, address);

        self->registers[at->variable] = wse_number_fit(type, word);
        return;
    }
    const uint8_t *from = place_of(self, at);
    uint64_t bits = 0;

    if (from != NULL) {
        memcpy(&bits, from, arch_wse_type_bytes(type));
    }
    if (wse_type_is_wide(type)) {
        set_wide(self, at->variable, bits);
    } else {
        self->registers[at->variable] = wse_number_fit(type, (uint32_t) bits);
    }
}

static void store(const WseMachine *self, const WseInstruction *at)
{
    const ArchWseType type = (ArchWseType) at->relation;
    uint32_t address = 0;

    if (reaches_config(self, at, &address)) {
        if (!is_counter(address)) {
            wse_config_set(self->visit, address, second(self, at) & UINT16_MAX);
        }
        return;
    }
    uint8_t *to = place_of(self, at);
    const uint64_t bits = wse_type_is_wide(type)
                              ? wide(self, at->is_variable, at->value)
                              : second(self, at);

    if (to != NULL) {
        memcpy(to, &bits, arch_wse_type_bytes(type));
    }
}

static void sense(const WseMachine *self, const WseInstruction *at)
{
    const WseVisit *visit = self->visit;

    switch ((ArchWseSense) at->scalar) {
    case ARCH_WSE_COLUMN:
        self->registers[at->variable] = wse_region_x(visit->region, visit->number);
        break;
    case ARCH_WSE_ROW:
        self->registers[at->variable] = wse_region_y(visit->region, visit->number);
        break;
    case ARCH_WSE_CLOCK:
        set_wide(self, at->variable, (uint64_t) visit->now + self->work);
        break;
    case ARCH_WSE_RANDOM:
        self->registers[at->value] = wse_number_random(self->registers[at->value]);
        self->registers[at->variable] = self->registers[at->value] & UINT16_MAX;
        break;
    }
}

static void give_value(const WseMachine *self, const WseInstruction *at)
{
    static const WseDsd plain = {.kind = WSE_MEMORY, .rank = 1, .strides = {1}};
    const WseDsd *dsd =
        at->target == ARCH_WSE_NONE ? &plain : &self->visit->kind->dsds[at->target];

    const uint32_t length = dsd->kind == WSE_FIFO ? 0 : dsd->length;

    self->registers[at->variable] =
        ((uint32_t) dsd->address & UINT16_MAX) | length << HALF;
    self->registers[at->variable + 1] =
        at->target | (uint32_t) (uint16_t) dsd->strides[0] << HALF;
}

static void set_field(const WseMachine *self, const WseInstruction *at)
{
    uint32_t *low = &self->registers[at->variable];
    uint32_t *high = &self->registers[at->variable + 1];
    const uint32_t value = second(self, at) & UINT16_MAX;

    switch ((ArchWseDsdField) at->scalar) {
    case ARCH_WSE_ADDRESS:
        *low = (*low & ~(uint32_t) UINT16_MAX) | value;
        break;
    case ARCH_WSE_OFFSET:
        *low = (*low & ~(uint32_t) UINT16_MAX) | ((*low + value) & UINT16_MAX);
        break;
    case ARCH_WSE_LENGTH:
        *low = (*low & UINT16_MAX) | value << HALF;
        break;
    case ARCH_WSE_STRIDE:
        *high = (*high & UINT16_MAX) | value << HALF;
        break;
    case ARCH_WSE_COLOR:
        *high = (*high & UINT16_MAX) | (MIN(value, WSE_COLORS) + 1) << HALF;
        break;
    }
}

static void call(WseMachine *self, uint32_t start, uint32_t variable)
{
    if (self->registers[variable] != 0) {
        fail(self, "a function is called while it runs, from instruction",
             self->registers[variable]);
        return;
    }
    self->registers[variable] = self->pc;
    self->pc = start;
}

/* The function returns to where the one that ends would. */
static void call_last(WseMachine *self, const WseInstruction *at)
{
    const uint32_t back = self->registers[at->first];

    self->registers[at->first] = 0;
    self->pc = back;
    call(self, at->target, at->variable);
}

static void call_pointer(WseMachine *self, uint32_t pointer)
{
    const GArray *functions = self->visit->kind->program->functions;
    const WseFunction *function =
        pointer > 0 && pointer <= functions->len
            ? &g_array_index(functions, WseFunction, pointer - 1)
            : NULL;

    if (function == NULL || function->start == ARCH_WSE_NONE) {
        fail(self, "a call through a pointer to no function,", pointer);
        return;
    }
    call(self, function->start, function->variable);
}

/* `pc` is already that of the next. Returns what it takes. */
static uint32_t step(WseMachine *self, const WseInstruction *at)
{
    switch (at->code) {
    case WSE_JUMP:
        self->pc = at->target;
        return at->cycles;
    case WSE_JUMP_IF_ZERO:
    case WSE_JUMP_IF_NOT_ZERO:
        if ((self->registers[at->variable] == 0) == (at->code == WSE_JUMP_IF_ZERO)) {
            self->pc = at->target;
            return at->cycles_taken;
        }
        return at->cycles;
    case WSE_INTEGER:
        compute_integer(self, at);
        break;
    case WSE_FLOAT:
        self->registers[at->variable] =
            wse_number_float((WseNumberCode) at->scalar, (ArchWseType) at->relation,
                             first(self, at), second(self, at));
        break;
    case WSE_INTEGER64:
        compute_wide(self, at);
        break;
    case WSE_CONVERT:
        convert(self, at);
        break;
    case WSE_LOAD:
        load(self, at);
        break;
    case WSE_STORE:
        store(self, at);
        break;
    case WSE_SENSE:
        sense(self, at);
        break;
    case WSE_DSD_VALUE:
        give_value(self, at);
        break;
    case WSE_DSD_SET:
        set_field(self, at);
        break;
    case WSE_CALL:
        call(self, at->target, at->variable);
        break;
    case WSE_CALL_LAST:
        call_last(self, at);
        break;
    case WSE_CALL_POINTER:
        call_pointer(self, self->registers[at->variable]);
        break;
    case WSE_RETURN:
        self->pc = self->registers[at->variable];
        self->registers[at->variable] = 0;
        break;
    case WSE_STOP:
        stop(self);
        break;
    case WSE_SET_CONFIG:
        wse_config_set(self->visit, first(self, at) & UINT16_MAX, second(self, at));
        break;
    case WSE_GET_CONFIG:
        self->registers[at->variable] =
            wse_config_get(self->visit, first(self, at) & UINT16_MAX);
        break;
    default:
        g_assert_not_reached();
    }
    return at->cycles;
}

/* Whether it takes effect after the work before it. */
static bool is_ordered(const WseMachine *self, const WseInstruction *at)
{
    uint32_t address = 0;

    return at->code >= WSE_ORDERED ||
           ((at->code == WSE_LOAD || at->code == WSE_STORE) &&
            reaches_config(self, at, &address) && !is_counter(address));
}

bool wse_machine_step(WseMachine *self)
{
    const WseInstruction *at = &self->visit->kind->code[self->pc];

    if (at->code < WSE_MACHINE || (self->work != 0 && is_ordered(self, at))) {
        return false;
    }
    self->pc++;
    self->work += step(self, at);
    return true;
}
