/* Cores on an engine, and kernels that make a list of calls. */
#include "tests/arch/tensix/rig.h"

#include "arch/family.h"
#include "tests/arch/noc/chip.h"

static const char *const rig_numbers[] = {
    "circular_buffer.counter_visible_cycles=6",
    "circular_buffer.mover_wait_front_cycles=19",
    "circular_buffer.mover_pop_front_cycles=21",
    "circular_buffer.mover_reserve_back_cycles=23",
    "circular_buffer.mover_push_back_cycles=25",
    "riscv.poll_cycles=11",
    "riscv.l1_load_cycles=8",
    "riscv.l1_store_cycles=5.17",
    "riscv.float_add_cycles=114",
    "riscv.float_multiply_cycles=106",
    "riscv.branch_taken_cycles=3.03",
    "l1.reserved_bytes=32768",
};

void rig_open(Rig *self, guint thread_count)
{
    SimEngineConfig config = sim_engine_config_default();

    self->params = load_params();
    for (gsize i = 0; i < G_N_ELEMENTS(rig_numbers); i++) {
        if (!arch_params_override(self->params, rig_numbers[i], NULL)) {
            fail_msg("%s", rig_numbers[i]);
        }
    }
    config.thread_count = thread_count;
    config.region_count = arch_family_tensix.region_count(self->params, 1);
    config.window_cycles = arch_family_tensix.window_cycles(self->params);
    self->engine = sim_engine_new(config);
    self->dram = arch_dram_new(arch_params_uint(self->params, "dram.channel_count") *
                               arch_params_uint(self->params, "dram.channel_bytes"));
    self->tensix = arch_tensix_new(self->engine, self->params, self->dram, NULL);
    self->kernels = g_ptr_array_new_with_free_func(g_free);
}

void rig_close(Rig *self)
{
    arch_tensix_free(self->tensix);
    arch_dram_free(self->dram);
    sim_engine_free(self->engine);
    arch_params_free(self->params);
    g_ptr_array_unref(self->kernels);
}

ArchTensixCore *rig_core(const Rig *self, guint x, guint y)
{
    ArchTensixCore *core = arch_tensix_core(self->tensix, x, y, NULL);

    assert_non_null(core);
    return core;
}

uint32_t rig_memory(const Rig *self, guint x, guint y, guint bytes)
{
    uint32_t address = 0;

    assert_true(
        arch_tensix_allocate(rig_core(self, x, y), "memory", bytes, &address, NULL));
    return address;
}

uint32_t rig_semaphore(const Rig *self, guint x, guint y, uint32_t value)
{
    uint32_t address = 0;

    assert_true(arch_tensix_add_semaphore(rig_core(self, x, y), "semaphore 0", value,
                                          &address, NULL));
    return address;
}

void rig_buffer(const Rig *self, guint x, guint y, guint index, guint pages)
{
    ArchCircularBufferConfig config = {
        .index = index, .page_count = pages, .page_bytes = 64};

    assert_true(arch_tensix_add_circular_buffer(rig_core(self, x, y), &config, NULL));
}

uint32_t rig_word(const Rig *self, guint x, guint y, uint32_t address)
{
    uint32_t word = 0;

    assert_true(
        arch_tensix_read(rig_core(self, x, y), address, &word, sizeof word, NULL));
    return word;
}

static guint8 pattern(guint8 seed, guint i)
{
    return (guint8) (seed + i * 7);
}

void rig_fill(
    const Rig *self, guint x, guint y, uint32_t address, guint bytes, guint8 seed)
{
    for (guint i = 0; i < bytes; i++) {
        const guint8 byte = pattern(seed, i);

        assert_true(
            arch_tensix_write(rig_core(self, x, y), address + i, &byte, 1, NULL));
    }
}

void rig_assert_filled(
    const Rig *self, guint x, guint y, uint32_t address, guint bytes, guint8 seed)
{
    for (guint i = 0; i < bytes; i++) {
        guint8 byte = 0;

        assert_true(
            arch_tensix_read(rig_core(self, x, y), address + i, &byte, 1, NULL));
        if (byte != pattern(seed, i)) {
            fail_msg("core[%u,%u]: byte %u is %u", x, y, i, byte);
        }
    }
}

static ArchMoverResult perform(Kernel *self, const Call *call, GError **error)
{
    uint32_t words[RIG_CALLS];

    switch (call->kind) {
    case CALL_CB:
        return arch_mover_cb(self->mover, (ArchMoverCbOp) call->op, call->cb,
                             call->pages, error);
    case CALL_TRANSFER:
        return arch_mover_transfer(self->mover, &call->transfer, error);
    case CALL_SEND:
        return arch_mover_send(self->mover, &call->message, error);
    case CALL_BARRIER:
        return arch_mover_barrier(self->mover, (ArchBarrier) call->op, error);
    case CALL_SEMAPHORE:
        return arch_mover_semaphore_wait(self->mover, call->address, call->value,
                                         call->is_minimum, error);
    case CALL_LOAD:
        return arch_mover_load(self->mover, call->address, &self->loaded, error);
    case CALL_STORE:
        for (guint i = 0; i < call->count; i++) {
            words[i] = call->value;
        }
        return arch_mover_store(self->mover, "store_words", call->address, words,
                                call->count, error);
    case CALL_GATHER:
        return arch_mover_gather(self->mover, &call->gather, call->address, error);
    case CALL_GATHER_DOT:
        return arch_mover_gather_dot(self->mover, &call->gather, call->address,
                                     &self->sum, error);
    case CALL_SPEND:
        return arch_mover_spend(self->mover, "spend", call->cycles);
    case CALL_ZONE_BEGIN:
        arch_mover_zone_begin(self->mover, call->name);
        return ARCH_MOVER_DONE;
    case CALL_ZONE_END:
        return arch_mover_zone_end(self->mover, error) ? ARCH_MOVER_DONE
                                                       : ARCH_MOVER_FAILED;
    }
    return ARCH_MOVER_FAILED;
}

static SimProcessStatus resume(gpointer data)
{
    Kernel *self = data;

    self->resumed++;
    while (self->next < self->call_count) {
        GError *error = NULL;
        const Call *call = &self->calls[self->next];

        if (self->starts[self->next] == SIM_TIME_NEVER) {
            self->starts[self->next] = arch_mover_now(self->mover);
        }
        ArchMoverResult result = perform(self, call, &error);

        assert_true((result == ARCH_MOVER_FAILED) == (error != NULL));
        if (result == ARCH_MOVER_AGAIN) {
            return SIM_PROCESS_BLOCKED;
        }
        if (result == ARCH_MOVER_FAILED) {
            sim_region_fail(self->region, error);
            return SIM_PROCESS_FINISHED;
        }
        assert_true(arch_mover_now(self->mover) >= sim_region_now(self->region));
        self->ends[self->next++] = arch_mover_now(self->mover);
    }
    return SIM_PROCESS_FINISHED;
}

Kernel *
rig_kernel(Rig *self, guint x, guint y, ArchMoverIndex index, guint noc, SimTime delay)
{
    Kernel *kernel = g_new0(Kernel, 1);
    ArchMoverConfig config = {
        .name = "kernel", .index = index, .noc = noc, .resume = resume, .data = kernel};

    for (guint i = 0; i < RIG_CALLS; i++) {
        kernel->starts[i] = SIM_TIME_NEVER;
    }
    kernel->region = sim_engine_region(self->engine, 0);
    kernel->mover = arch_mover_start(rig_core(self, x, y), &config, delay);
    g_ptr_array_add(self->kernels, kernel);
    return kernel;
}

static void add(Kernel *self, Call call)
{
    assert_true(self->call_count < RIG_CALLS);
    self->calls[self->call_count++] = call;
}

void call_cb(Kernel *self, ArchMoverCbOp op, guint cb, guint pages)
{
    add(self, (Call){.kind = CALL_CB, .op = op, .cb = cb, .pages = pages});
}

void call_transfer(Kernel *self, ArchMoverTransfer transfer)
{
    add(self, (Call){.kind = CALL_TRANSFER, .transfer = transfer});
}

void call_send(Kernel *self, ArchMoverMessage message)
{
    add(self, (Call){.kind = CALL_SEND, .message = message});
}

void call_barrier(Kernel *self, ArchBarrier barrier)
{
    add(self, (Call){.kind = CALL_BARRIER, .op = barrier});
}

void call_semaphore(Kernel *self, uint32_t address, uint32_t value, bool is_minimum)
{
    add(self, (Call){.kind = CALL_SEMAPHORE,
                     .address = address,
                     .value = value,
                     .is_minimum = is_minimum});
}

void call_load(Kernel *self, uint32_t address)
{
    add(self, (Call){.kind = CALL_LOAD, .address = address});
}

void call_store(Kernel *self, uint32_t address, uint32_t value, guint count)
{
    add(self,
        (Call){.kind = CALL_STORE, .address = address, .value = value, .count = count});
}

void call_gather(Kernel *self, ArchGather gather, uint32_t to)
{
    add(self, (Call){.kind = CALL_GATHER, .gather = gather, .address = to});
}

void call_gather_dot(Kernel *self, ArchGather gather, uint32_t values)
{
    add(self, (Call){.kind = CALL_GATHER_DOT, .gather = gather, .address = values});
}

void call_spend(Kernel *self, SimTime cycles)
{
    add(self, (Call){.kind = CALL_SPEND, .cycles = cycles});
}

void call_zone(Kernel *self, const char *name)
{
    add(self,
        (Call){.kind = name != NULL ? CALL_ZONE_BEGIN : CALL_ZONE_END, .name = name});
}

ArchMoverTransfer
to_core(ArchMoverOp op, guint x, guint y, uint32_t there, uint32_t here, uint64_t bytes)
{
    return (ArchMoverTransfer){.op = op,
                               .remote = {.x = x, .y = y, .offset = there},
                               .local = here,
                               .bytes = bytes};
}

ArchMoverTransfer
to_dram(ArchMoverOp op, guint bank, uint64_t there, uint32_t here, uint64_t bytes)
{
    return (ArchMoverTransfer){.op = op,
                               .remote = {.is_dram = true, .x = bank, .offset = there},
                               .local = here,
                               .bytes = bytes};
}

void rig_run(Rig *self)
{
    run_to_end(self->engine);
    for (guint i = 0; i < self->kernels->len; i++) {
        const Kernel *kernel = g_ptr_array_index(self->kernels, i);

        assert_int_equal(kernel->next, kernel->call_count);
    }
}

char *rig_fail(Rig *self, GQuark domain, int code)
{
    g_autoptr(GError) error = NULL;

    assert_false(sim_engine_run(self->engine, SIM_TIME_NEVER, &error));
    assert_error(error, domain, code);
    return g_strdup(error->message);
}

SimTime kernel_cycles(const Kernel *self)
{
    return self->ends[self->call_count - 1] - self->starts[0];
}

uint64_t
rig_use(const Rig *self, guint x, guint y, const char *lane, const char *reason)
{
    g_autoptr(GArray) uses = arch_tensix_uses(self->tensix, rig_core(self, x, y));
    uint64_t cycles = 0;

    for (guint i = 0; i < uses->len; i++) {
        const ArchTensixUse *use = &g_array_index(uses, ArchTensixUse, i);

        if (g_str_equal(use->name, lane) &&
            (reason == NULL || g_str_equal(use->reason, reason))) {
            cycles += use->cycles;
        }
    }
    return cycles;
}
