/* What the instructions of RV32IM do, and the cycles they take beyond their first. */
#include <string.h>

#include "arch/tensix/riscv/cpu.h"

#define RISCV(name, ...) RiscvExecute riscv_execute_##name;
#include "arch/tensix/riscv/operations.def"

static void stop(RiscvCpu *cpu, RiscvStop what)
{
    cpu->stop = what;
    cpu->until = 0;
}

static void fail(RiscvCpu *cpu, const char *why)
{
    stop(cpu, (RiscvStop){.state = RISCV_FAILS, .why = why});
}

/* `at` takes so much longer than a cycle. */
static inline void
spend(RiscvCpu *cpu, const RiscvInstruction *at, SimTime cycles, ArchRiscvReason reason)
{
    cpu->now += cycles;
    cpu->spent[(at - cpu->code->instructions) * ARCH_RISCV_REASONS + reason] += cycles;
}

void riscv_execute_illegal(RiscvCpu *cpu, const RiscvInstruction *self)
{
    (void) self;
    fail(cpu, "not an instruction of RV32IM");
}

#define REGISTER  cpu->x[self->rs2]
#define IMMEDIATE (uint32_t) self->value
#define RISCV_ARITHMETIC(name, second, expression)                                     \
    void riscv_execute_##name(RiscvCpu *cpu, const RiscvInstruction *self)             \
    {                                                                                  \
        const uint32_t a = cpu->x[self->rs1];                                          \
        const uint32_t b = second;                                                     \
                                                                                       \
        (void) a;                                                                      \
        cpu->x[self->rd] = (uint32_t) (expression);                                    \
    }
#include "arch/tensix/riscv/arithmetic.def"

static uint32_t address_of(const RiscvCpu *cpu, const RiscvInstruction *self)
{
    return cpu->code->address + 4 * (uint32_t) (self - cpu->code->instructions);
}

void riscv_execute_auipc(RiscvCpu *cpu, const RiscvInstruction *self)
{
    cpu->x[self->rd] = address_of(cpu, self) + (uint32_t) self->value;
}

void riscv_execute_fence(RiscvCpu *cpu, const RiscvInstruction *self)
{
    (void) cpu;
    (void) self;
}

void riscv_execute_ecall(RiscvCpu *cpu, const RiscvInstruction *self)
{
    (void) self;
    stop(cpu, (RiscvStop){.state = RISCV_CALLS});
}

/* What is part of the instruction before takes no time. */
void riscv_execute_vector(RiscvCpu *cpu, const RiscvInstruction *self)
{
    spend(cpu, self, 0 - (SimTime) ((uint32_t) self->value >> 8), ARCH_RISCV_RUNS);
    stop(cpu, (RiscvStop){.state = RISCV_VECTORS});
}

void riscv_execute_multiply_add(RiscvCpu *cpu, const RiscvInstruction *self)
{
    (void) self;
    stop(cpu, (RiscvStop){.state = RISCV_VECTORS});
}

/* The multiplier and the divider block the core. */
#define MULTIPLY(name, expression)                                                     \
    void riscv_execute_##name(RiscvCpu *cpu, const RiscvInstruction *self)             \
    {                                                                                  \
        const uint32_t a = cpu->x[self->rs1];                                          \
        const uint32_t b = cpu->x[self->rs2];                                          \
                                                                                       \
        spend(cpu, self, cpu->numbers->multiply_cycles - 1, ARCH_RISCV_RUNS);          \
        cpu->x[self->rd] = (uint32_t) (expression);                                    \
    }

MULTIPLY(mul, a *b)
MULTIPLY(mulh, (uint64_t) ((int64_t) (int32_t) a *(int32_t) b) >> 32)
MULTIPLY(mulhsu, (uint64_t) ((int64_t) (int32_t) a *(int64_t) b) >> 32)
MULTIPLY(mulhu, (uint64_t) a *b >> 32)

/* Longer dividends take longer; the easy cases are recognised. */
static void spend_division(RiscvCpu *cpu,
                           const RiscvInstruction *at,
                           uint32_t dividend,
                           uint32_t divisor)
{
    const RiscvNumbers *numbers = cpu->numbers;
    const bool is_easy = divisor <= 1;
    const guint cycles = g_bit_storage(dividend) + numbers->divide_start_cycles;

    spend(cpu, at,
          (is_easy ? numbers->multiply_cycles
                   : CLAMP(cycles, numbers->divide_least_cycles,
                           numbers->divide_most_cycles)) -
              1,
          ARCH_RISCV_RUNS);
}

static uint32_t magnitude(uint32_t a)
{
    return (int32_t) a < 0 ? 0 - a : a;
}

#define DIVIDE(name, size, by_zero, expression)                                        \
    void riscv_execute_##name(RiscvCpu *cpu, const RiscvInstruction *self)             \
    {                                                                                  \
        const uint32_t a = cpu->x[self->rs1];                                          \
        const uint32_t b = cpu->x[self->rs2];                                          \
                                                                                       \
        spend_division(cpu, self, size(a), size(b));                                   \
        cpu->x[self->rd] = b == 0 ? (by_zero) : (uint32_t) (expression);               \
    }

DIVIDE(div, magnitude, G_MAXUINT32, (int64_t) (int32_t) a / (int32_t) b)
DIVIDE(rem, magnitude, a, (int64_t) (int32_t) a % (int32_t) b)
DIVIDE(divu, , G_MAXUINT32, a / b)
DIVIDE(remu, , a, a % b)

/* Whether the line of the instruction cache in which `at` lies must be fetched. */
static inline bool is_missing(const RiscvCpu *cpu, const RiscvInstruction *at)
{
    const guint lines = cpu->numbers->cache_lines;

    return lines > 0 && cpu->lines[at->line & (lines - 1)] != at->line;
}

static void fetch_line(RiscvCpu *cpu, const RiscvInstruction *at)
{
    const RiscvNumbers *numbers = cpu->numbers;

    if (is_missing(cpu, at)) {
        cpu->lines[at->line & (numbers->cache_lines - 1)] = at->line;
        spend(cpu, at, sim_ratio_charge(numbers->miss_cycles, 1, &cpu->miss_remainder),
              ARCH_RISCV_FETCHES);
    }
}

static void go_to(RiscvCpu *cpu, uint32_t address)
{
    const uint32_t offset = address - cpu->code->address;

    if (offset % 4 != 0 || offset / 4 >= cpu->code->count) {
        fail(cpu, "jumps to where its program is not");
        cpu->stop.address = address;
        return;
    }
    cpu->visits[cpu->next - cpu->code->instructions]--;
    cpu->visits[offset / 4]++;
    cpu->next = &cpu->code->instructions[offset / 4];
    if (!cpu->next->begins_line) {
        fetch_line(cpu, cpu->next);
    }
}

/* A jump that was not foreseen: instructions behind it were fetched for nothing. */
static void miss_branch(RiscvCpu *cpu, const RiscvInstruction *at)
{
    spend(cpu, at,
          sim_ratio_charge(cpu->numbers->branch_cycles, 1, &cpu->branch_remainder) - 1,
          ARCH_RISCV_FETCHES);
}

void riscv_execute_jal(RiscvCpu *cpu, const RiscvInstruction *self)
{
    const uint32_t here = address_of(cpu, self);

    cpu->x[self->rd] = here + 4;
    miss_branch(cpu, self);
    go_to(cpu, here + (uint32_t) self->value);
}

void riscv_execute_jalr(RiscvCpu *cpu, const RiscvInstruction *self)
{
    const uint32_t target = (cpu->x[self->rs1] + (uint32_t) self->value) & ~1u;

    cpu->x[self->rd] = address_of(cpu, self) + 4;
    miss_branch(cpu, self);
    go_to(cpu, target);
}

/* Branches back are expected to do what they did last, others not to be taken: a poll
 * of a register that is ready costs one cycle at its branch, as on hardware, where a
 * read takes 19 cycles to issue and a write 22. */
static inline void branch(RiscvCpu *cpu, const RiscvInstruction *self, bool is_taken)
{
    guint8 *jumped = &cpu->jumped[self - cpu->code->instructions];

    if (is_taken != *jumped) {
        miss_branch(cpu, self);
    }
    *jumped = is_taken && self->value < 0;
    if (is_taken) {
        go_to(cpu, address_of(cpu, self) + (uint32_t) self->value);
    }
}

#define BRANCH(name, condition)                                                        \
    void riscv_execute_##name(RiscvCpu *cpu, const RiscvInstruction *self)             \
    {                                                                                  \
        const uint32_t a = cpu->x[self->rs1];                                          \
        const uint32_t b = cpu->x[self->rs2];                                          \
                                                                                       \
        branch(cpu, self, condition);                                                  \
    }

BRANCH(beq, a == b)
BRANCH(bne, a != b)
BRANCH(blt, (int32_t) a < (int32_t) b)
BRANCH(bge, (int32_t) a >= (int32_t) b)
BRANCH(bltu, a < b)
BRANCH(bgeu, a >= b)

static bool is_local(const RiscvCpu *cpu, uint32_t address, guint bytes)
{
    const uint32_t offset = address - cpu->numbers->local_address;

    return offset < cpu->numbers->local_bytes &&
           offset + bytes <= cpu->numbers->local_bytes;
}

static void expect(RiscvCpu *cpu, guint rd, SimTime when)
{
    cpu->ready[rd] = when;
    cpu->pending |= rd == RISCV_NOWHERE ? 0 : 1u << rd;
}

/* Its bytes, by the word that holds them. */
static uint32_t part_of(uint32_t word, uint32_t address, guint bytes, bool is_signed)
{
    const guint unused = 32 - 8 * bytes;
    const uint32_t bits = word >> (8 * (address % 4)) << unused;

    return is_signed ? (uint32_t) ((int32_t) bits >> unused) : bits >> unused;
}

static inline void
load(RiscvCpu *cpu, const RiscvInstruction *self, guint bytes, bool is_signed)
{
    const uint32_t address = cpu->x[self->rs1] + (uint32_t) self->value;
    uint32_t word = 0;

    if (address % bytes != 0) {
        fail(cpu, "loads from a misaligned address");
        cpu->stop.address = address;
        return;
    }
    if (!is_local(cpu, address, bytes)) {
        stop(cpu, (RiscvStop){.state = RISCV_LOADS,
                              .address = address,
                              .bytes = bytes,
                              .rd = self->rd,
                              .is_signed = is_signed});
        return;
    }
    memcpy(&word, cpu->local + ((address - cpu->numbers->local_address) & ~3u),
           sizeof word);
    cpu->x[self->rd] = part_of(word, address, bytes, is_signed);
    expect(cpu, self->rd, cpu->now - 1 + cpu->numbers->local_load_cycles);
}

#define LOAD(name, bytes, is_signed)                                                   \
    void riscv_execute_##name(RiscvCpu *cpu, const RiscvInstruction *self)             \
    {                                                                                  \
        load(cpu, self, bytes, is_signed);                                             \
    }

LOAD(lb, 1, true)
LOAD(lh, 2, true)
LOAD(lw, 4, false)
LOAD(lbu, 1, false)
LOAD(lhu, 2, false)

void riscv_cpu_load(RiscvCpu *self, uint32_t word, guint cycles)
{
    const RiscvStop *stopped = &self->stop;
    SimTime *slot = &self->slots[self->load_number++ % RISCV_LOAD_SLOTS];
    const SimTime begin = MAX(self->now - 1, *slot);

    riscv_cpu_spend(self, begin + 1 - self->now, ARCH_RISCV_WAITS_LOAD);
    *slot = begin + self->numbers->slot_cycles;
    self->x[stopped->rd] =
        part_of(word, stopped->address, stopped->bytes, stopped->is_signed);
    expect(self, stopped->rd, begin + cycles);
    self->retires = begin + cycles;
    self->retire_at = self->instructions + RISCV_RETIRE_PLACES;
}

static inline void store(RiscvCpu *cpu, const RiscvInstruction *self, guint bytes)
{
    const uint32_t address = cpu->x[self->rs1] + (uint32_t) self->value;
    const uint32_t value = cpu->x[self->rs2];

    if (address % bytes != 0) {
        fail(cpu, "stores to a misaligned address");
        cpu->stop.address = address;
    } else if (is_local(cpu, address, bytes)) {
        memcpy(cpu->local + (address - cpu->numbers->local_address), &value, bytes);
    } else {
        stop(cpu, (RiscvStop){.state = RISCV_STORES,
                              .address = address,
                              .value = value,
                              .bytes = bytes});
    }
}

#define STORE(name, bytes)                                                             \
    void riscv_execute_##name(RiscvCpu *cpu, const RiscvInstruction *self)             \
    {                                                                                  \
        store(cpu, self, bytes);                                                       \
    }

STORE(sb, 1)
STORE(sh, 2)
STORE(sw, 4)

static void wait_until(RiscvCpu *cpu, SimTime when)
{
    if (when > cpu->now) {
        riscv_cpu_spend(cpu, when - cpu->now, ARCH_RISCV_WAITS_LOAD);
    }
}

/* Waits for the registers in `uses` that are on their way. */
static void wait_for(RiscvCpu *cpu, uint32_t uses)
{
    uint32_t wanted = cpu->pending & uses;

    while (wanted != 0) {
        const guint i = (guint) __builtin_ctz(wanted);

        wait_until(cpu, cpu->ready[i]);
        wanted &= wanted - 1;
        cpu->pending &= ~(1u << i);
    }
}

void riscv_cpu_settle(RiscvCpu *self, guint rd)
{
    wait_for(self, 1u << rd);
}

static void wait_for_retirement(RiscvCpu *cpu)
{
    wait_until(cpu, cpu->retires);
    cpu->retire_at = G_MAXUINT64;
}

/* Whether the word at `address` is one of local memory. */
static inline bool is_local_word(const RiscvCpu *cpu, uint32_t address)
{
    return address % sizeof(uint32_t) == 0 && is_local(cpu, address, sizeof(uint32_t));
}

static inline bool
load_local_word(RiscvCpu *cpu, const RiscvInstruction *at, SimTime now)
{
    const uint32_t address = cpu->x[at->rs1] + (uint32_t) at->value;

    if (!is_local_word(cpu, address)) {
        return false;
    }
    memcpy(&cpu->x[at->rd], cpu->local + (address - cpu->numbers->local_address),
           sizeof(uint32_t));
    expect(cpu, at->rd, now + cpu->numbers->local_load_cycles);
    return true;
}

static inline bool store_local_word(RiscvCpu *cpu, const RiscvInstruction *at)
{
    const uint32_t address = cpu->x[at->rs1] + (uint32_t) at->value;

    if (!is_local_word(cpu, address)) {
        return false;
    }
    memcpy(cpu->local + (address - cpu->numbers->local_address), &cpu->x[at->rs2],
           sizeof(uint32_t));
    return true;
}

/* Carries out what takes one cycle and goes on behind it; false: it is not that. */
static inline bool run_short(RiscvCpu *cpu, const RiscvInstruction *self, SimTime now)
{
    switch (self->operation) {
#define RISCV_ARITHMETIC(name, second, expression)                                     \
    case RISCV_##name: {                                                               \
        const uint32_t a = cpu->x[self->rs1];                                          \
        const uint32_t b = second;                                                     \
                                                                                       \
        (void) a;                                                                      \
        cpu->x[self->rd] = (uint32_t) (expression);                                    \
        return true;                                                                   \
    }
#include "arch/tensix/riscv/arithmetic.def"
    case RISCV_lw:
        return load_local_word(cpu, self, now);
    case RISCV_sw:
        return store_local_word(cpu, self);
    case RISCV_beq: /* as foreseen, straight on */
        return self->value >= 0 && cpu->x[self->rs1] != cpu->x[self->rs2];
    case RISCV_bne:
        return self->value >= 0 && cpu->x[self->rs1] == cpu->x[self->rs2];
    default:
        return false;
    }
}

/* Runs short instructions as long as none has to wait. */
static void run_straight(RiscvCpu *cpu)
{
    const RiscvInstruction *at = cpu->next;
    const SimTime begin = cpu->now;
    const SimTime end =
        begin + MIN(cpu->until - begin, cpu->retire_at - cpu->instructions);
    SimTime now = begin;

    while (now < end && (cpu->pending & at->uses) == 0 &&
           !(at->begins_line && is_missing(cpu, at)) && run_short(cpu, at, now)) {
        at++;
        now++;
    }
    cpu->next = at;
    cpu->now = now;
    cpu->instructions += now - begin;
}

/* Runs one instruction, whatever it has to wait for. */
static void run_one(RiscvCpu *cpu)
{
    const RiscvInstruction *at = cpu->next++;

    if (at->begins_line) {
        fetch_line(cpu, at);
    }
    if ((cpu->pending & at->uses) != 0) {
        wait_for(cpu, at->uses);
    }
    if (cpu->instructions == cpu->retire_at) {
        wait_for_retirement(cpu);
    }
    cpu->instructions++;
    cpu->now++;
    at->execute(cpu, at);
}

void riscv_cpu_run(RiscvCpu *self, SimTime until)
{
    self->until = until;
    self->stop.state = RISCV_PAUSES;
    while (self->now < self->until) {
        run_straight(self);
        if (self->now < self->until) {
            run_one(self);
        }
    }
}
