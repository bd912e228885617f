/* Checks the operands of vector operations and looks their costs up. */
#include "arch/wse/program/build.h"
#include "arch/wse/program/operation.h"
#include "arch/wse_code.h"
#include "sim/narrow.h"

static const WseDsd *dsd_at(const ArchWseProgram *self, guint number)
{
    return &g_array_index(self->dsds, WseDsd, number);
}

static bool is_fabric(const WseDsd *dsd)
{
    return dsd->kind == WSE_FABRIC_IN || dsd->kind == WSE_FABRIC_OUT;
}

static bool is_integer(ArchWseType type)
{
    return type != ARCH_WSE_F16 && type != ARCH_WSE_F32;
}

static bool fits(const WseOperation *operation, ArchWseType wanted, ArchWseType type)
{
    return arch_wse_type_bytes(wanted) == arch_wse_type_bytes(type) &&
           (wanted == type || operation->is_untyped ||
            (is_integer(wanted) && is_integer(type)));
}

static ArchWseType type_of(const WseOperation *operation, guint operand)
{
    return operand == 0 ? operation->destination : operation->sources[operand - 1];
}

static bool check_type(const ArchWseProgram *self,
                       const WseOperation *operation,
                       guint operand,
                       const WseDsd *dsd,
                       GError **error)
{
    const ArchWseType wanted = type_of(operation, operand);
    const guint bytes = arch_wse_type_bytes(wanted);

    if (!is_fabric(dsd)) {
        return fits(operation, wanted, dsd->type) ||
               wse_refuse(self, error, "%s: operand %u is of %s, allowed is %s",
                          operation->name, operand, arch_wse_type_name(dsd->type),
                          arch_wse_type_name(wanted));
    }
    if (dsd->color >= WSE_COLORS) {
        return wse_refuse(self, error,
                          "%s: operand %u has no color, values of it in registers may "
                          "have one",
                          operation->name, operand);
    }
    if (dsd->elements_per_wavelet == 2 && bytes != 2) {
        return wse_refuse(
            self, error, "%s: operand %u has 2 elements in a wavelet, of %s there is 1",
            operation->name, operand, arch_wse_type_name(wanted));
    }
    return !dsd->is_control || bytes == 4 ||
           wse_refuse(self, error, "%s: control wavelets need an operation of 32 bits",
                      operation->name);
}

static bool check_kind(const ArchWseProgram *self,
                       const WseOperation *operation,
                       guint operand,
                       const WseDsd *dsd,
                       GError **error)
{
    if (operand == 0 && (dsd->kind == WSE_FABRIC_IN || dsd->kind == WSE_IMMEDIATE)) {
        return wse_refuse(self, error,
                          "%s: the destination is a %s, allowed are memory, fabout "
                          "and FIFO",
                          operation->name,
                          dsd->kind == WSE_IMMEDIATE ? "constant" : "fabin");
    }
    return operand == 0 || dsd->kind != WSE_FABRIC_OUT ||
           wse_refuse(self, error,
                      "%s: source %u is a fabout, allowed is one as the destination",
                      operation->name, operand - 1);
}

bool wse_vector_check_operand(const ArchWseProgram *self,
                              guint operation,
                              guint operand,
                              const WseDsd *dsd,
                              GError **error)
{
    const WseOperation *of = wse_operation_at(operation);

    return check_kind(self, of, operand, dsd, error) &&
           check_type(self, of, operand, dsd, error);
}

static bool is_in_register(const WseDsd *dsd)
{
    return dsd->kind == WSE_VALUE || dsd->kind == WSE_REGISTER ||
           dsd->kind == WSE_POINTER;
}

/* The operands' numbers, as many as the operation has. */
static bool take_operands(const ArchWseProgram *self,
                          const ArchWseVector *config,
                          const WseOperation *operation,
                          WseInstruction *vector,
                          GError **error)
{
    guint count = 0;

    while (count < G_N_ELEMENTS(config->sources) &&
           config->sources[count] != ARCH_WSE_NONE) {
        count++;
    }
    if (count != operation->source_count) {
        return wse_refuse(self, error, "%s: %u sources, it has %u", operation->name,
                          count, operation->source_count);
    }
    vector->operand_count = sim_u8(count + 1);
    for (guint i = 0; i < WSE_OPERANDS; i++) {
        const guint number = i == 0 ? config->destination : config->sources[i - 1];

        vector->operands[i] = ARCH_WSE_NONE;
        if (i > count) {
            continue;
        }
        if (number >= self->dsds->len) {
            return wse_refuse(self, error, "%s: descriptor %u, there are %u",
                              operation->name, number, self->dsds->len);
        }
        vector->operands[i] = sim_u16(number);
        if (is_in_register(dsd_at(self, number))) {
            vector->is_dynamic = true;
        } else if (!check_kind(self, operation, i, dsd_at(self, number), error) ||
                   !check_type(self, operation, i, dsd_at(self, number), error) ||
                   !wse_check_inside(self, dsd_at(self, number), error)) {
            return false;
        }
    }
    return true;
}

static bool has_length(const WseDsd *dsd)
{
    return dsd->kind == WSE_MEMORY || is_fabric(dsd);
}

static bool take_length(const ArchWseProgram *self,
                        const WseOperation *operation,
                        WseInstruction *vector,
                        GError **error)
{
    vector->length = 0;
    for (guint i = 0; i < vector->operand_count; i++) {
        /* Sources first. */
        const guint operand = (i + 1) % vector->operand_count;
        const WseDsd *dsd = dsd_at(self, vector->operands[operand]);

        if (!has_length(dsd)) {
            continue;
        }
        if (vector->length == 0) {
            vector->length = dsd->length;
        }
        if (dsd->length < vector->length) {
            return wse_refuse(self, error,
                              "%s: operand %u has %u elements, allowed are at least "
                              "%u, as in the first source",
                              operation->name, operand, dsd->length, vector->length);
        }
    }
    vector->is_endless = vector->length == ARCH_WSE_ENDLESS;
    return vector->length > 0 ||
           wse_refuse(self, error, "%s: no operand has a length", operation->name);
}

/* How wavelets of the streams hold elements, and how many a step takes. */
static bool take_packing(const ArchWseProgram *self,
                         const WseOperation *operation,
                         WseInstruction *vector,
                         const WseDsd *const dsds[WSE_OPERANDS],
                         GError **error)
{
    bool has_stream = false;

    vector->per_wavelet = 1;
    vector->is_wide = true;
    vector->is_patient = false;
    for (guint i = 0; i < vector->operand_count; i++) {
        const WseDsd *dsd = dsds[i];

        if (!is_fabric(dsd)) {
            continue;
        }
        if (has_stream && vector->per_wavelet != dsd->elements_per_wavelet) {
            return wse_refuse(self, error,
                              "%s: streams of 1 and of 2 elements in a wavelet",
                              operation->name);
        }
        has_stream = true;
        vector->is_wide = vector->is_wide && dsd->is_wide;
        vector->is_patient = vector->is_patient || dsd->is_patient;
        vector->per_wavelet = dsd->elements_per_wavelet;
    }
    return true;
}

static bool take_streams(const ArchWseProgram *self,
                         const WseOperation *operation,
                         WseInstruction *vector,
                         const WseDsd *const dsds[WSE_OPERANDS],
                         GError **error)
{
    guint fifo_count = 0;

    vector->input = 0xff;
    vector->input2 = 0xff;
    vector->output = 0xff;
    for (guint i = 0; i < vector->operand_count; i++) {
        const WseDsd *dsd = dsds[i];

        if (dsd->kind == WSE_FABRIC_OUT) {
            vector->output = dsd->queue;
        } else if (dsd->kind == WSE_FIFO) {
            fifo_count++;
        } else if (dsd->kind == WSE_FABRIC_IN && vector->input == 0xff) {
            vector->input = dsd->queue;
        } else if (dsd->kind == WSE_FABRIC_IN && vector->input2 == 0xff) {
            vector->input2 = dsd->queue;
        } else if (dsd->kind == WSE_FABRIC_IN) {
            return wse_refuse(self, error, "%s: three fabins, allowed are two",
                              operation->name);
        }
    }
    if (dsds[0]->zeroed >= vector->operand_count) {
        return wse_refuse(self, error, "%s: source %u is to be zeroed, it has %u",
                          operation->name, dsds[0]->zeroed - 1U,
                          vector->operand_count - 1U);
    }
    if (vector->input2 != 0xff && vector->input2 == vector->input) {
        return wse_refuse(self, error, "%s: two sources from input queue %u",
                          operation->name, vector->input);
    }
    if (fifo_count > 1) {
        return wse_refuse(self, error, "%s: %u FIFOs, allowed is one", operation->name,
                          fifo_count);
    }
    vector->has_fifo = fifo_count > 0;
    vector->has_fabric =
        vector->input != 0xff || vector->output != 0xff || fifo_count > 0;
    return true;
}

static bool take_completion(const ArchWseProgram *self,
                            const ArchWseVector *config,
                            WseInstruction *vector,
                            GError **error)
{
    const guint tasks[] = {config->activated, config->unblocked};
    uint8_t *const fields[] = {&vector->activated, &vector->unblocked};
    const bool are_registers[] = {config->is_activated_in_register,
                                  config->is_unblocked_in_register};

    for (guint i = 0; i < G_N_ELEMENTS(tasks); i++) {
        *fields[i] = 0xff;
        if (tasks[i] == ARCH_WSE_NONE) {
            continue;
        }
        if (!config->is_async) {
            return wse_refuse(self, error,
                              "%s: a task for its end, allowed if it is asynchronous",
                              config->name);
        }
        if (are_registers[i]) {
            if (!wse_check_variable(self, tasks[i], error)) {
                return false;
            }
            vector->signal[i] = sim_u16(tasks[i]);
            vector->is_dynamic = true;
            continue;
        }
        if (!wse_check_index(self, "task", tasks[i],
                             wse_task_count(self, ARCH_WSE_TASK_LOCAL), error)) {
            return false;
        }
        *fields[i] = sim_u8(tasks[i]);
    }
    return true;
}

static bool take_thread(const ArchWseProgram *self,
                        const WseOperation *operation,
                        WseInstruction *vector,
                        GError **error)
{
    if (!vector->is_async) {
        return true;
    }
    if (!vector->has_fabric && vector->is_loaded) {
        vector->is_async = false;
        vector->activated = 0xff;
        vector->unblocked = 0xff;
        return true;
    }
    if (!vector->has_fabric) {
        return wse_refuse(self, error,
                          "%s: asynchronous with operands in memory alone, it needs a "
                          "fabric or FIFO operand",
                          operation->name);
    }
    vector->thread = WSE_FIFO_THREAD;
    if (vector->own_thread > 0) {
        vector->thread = sim_u8(vector->own_thread - 1);
    } else if (vector->output != 0xff) {
        vector->thread = vector->output;
    } else if (vector->input != 0xff) {
        vector->thread = vector->input;
    }
    return wse_check_index(self, "microthread", vector->thread, self->microthreads,
                           error);
}

static int inner_stride(const WseDsd *dsd)
{
    return dsd->strides[dsd->rank - 1];
}

/* An endless operation moves streams alone, unless registers decide. */
static bool check_endless(const ArchWseProgram *self,
                          const WseOperation *operation,
                          WseInstruction *vector,
                          const WseDsd *const dsds[WSE_OPERANDS],
                          GError **error)
{
    for (guint i = 0; vector->is_endless && i < vector->operand_count; i++) {
        if (dsds[i]->kind == WSE_MEMORY && inner_stride(dsds[i]) != 0) {
            vector->is_moving = true;
        }
        if (vector->is_moving && !vector->is_live) {
            return wse_refuse(self, error,
                              "%s: it has no end, and operand %u moves "
                              "through memory",
                              operation->name, i);
        }
    }
    return true;
}

bool wse_vector_resolve(const ArchWseProgram *self,
                        WseInstruction *vector,
                        const WseDsd *const dsds[WSE_OPERANDS],
                        GError **error)
{
    const WseOperation *operation = wse_operation_at(vector->operation);

    if (!take_packing(self, operation, vector, dsds, error) ||
        !take_streams(self, operation, vector, dsds, error) ||
        !take_thread(self, operation, vector, error) ||
        !check_endless(self, operation, vector, dsds, error)) {
        return false;
    }
    wse_vector_costs(vector, dsds);
    return true;
}

/* Options that only dynamic operations have. */
static bool take_options(const ArchWseProgram *self,
                         const ArchWseVector *config,
                         WseInstruction *vector,
                         GError **error)
{
    const ArchWseOnControl on_control = config->on_control;

    vector->saved = config->saved;
    vector->on_control = sim_u8(on_control);
    vector->control_count = sim_u16(config->control_count);
    vector->is_tried = config->is_tried;
    vector->has_index = config->has_index;
    vector->is_dynamic = vector->is_dynamic || on_control != ARCH_WSE_CONTROL_WAITS ||
                         config->is_tried || config->has_index;
    if ((on_control == ARCH_WSE_CONTROL_ACTIVATES ||
         on_control == ARCH_WSE_CONTROL_UNBLOCKS) &&
        !wse_check_index(self, "task", config->control_task,
                         wse_task_count(self, ARCH_WSE_TASK_LOCAL), error)) {
        return false;
    }
    vector->control_task = sim_u8(config->control_task & UINT8_MAX);
    if (config->is_tried && !wse_check_variable(self, config->tried, error)) {
        return false;
    }
    vector->tried = sim_u16(config->is_tried ? config->tried : 0);
    vector->value = config->index.value;
    vector->is_variable = config->index.is_variable;
    return !vector->is_variable ||
           wse_check_variable(self, sim_u32(config->index.value), error);
}

/* Operands that do not change are known now, others when it starts. */
static bool resolve(ArchWseProgram *self, WseInstruction *vector, GError **error)
{
    const WseDsd *dsds[WSE_OPERANDS] = {NULL};

    if (vector->is_dynamic) {
        self->is_dynamic = true;
        return true;
    }
    if (!take_length(self, wse_operation_at(vector->operation), vector, error)) {
        return false;
    }
    for (guint i = 0; i < vector->operand_count; i++) {
        dsds[i] = dsd_at(self, vector->operands[i]);
    }
    return wse_vector_resolve(self, vector, dsds, error);
}

/* Sends commands that are not known before it runs. */
static bool is_control_of_data(const ArchWseProgram *self, const WseInstruction *vector)
{
    const WseDsdKind kind = dsd_at(self, vector->operands[1])->kind;

    return dsd_at(self, vector->operands[0])->is_control &&
           (vector->operand_count > 2 ||
            (kind != WSE_IMMEDIATE && kind != WSE_REGISTER));
}

bool arch_wse_program_vector(ArchWseProgram *self,
                             const ArchWseVector *config,
                             GError **error)
{
    WseInstruction vector = {.code = WSE_VECTOR, .priority = sim_u8(config->priority)};
    const WseOperation *operation = NULL;
    guint index = 0;

    if (!wse_check_task_open(self, error)) {
        return false;
    }
    if (!wse_operation_find(config->name, &index)) {
        g_autofree char *names = wse_operation_names();

        if (wse_operation_is_unknown(config->name)) {
            return wse_refuse(
                self, error,
                "%s: what it computes is not public, so it is not modelled",
                config->name);
        }

        return wse_refuse(self, error, "operation %s, there are %s", config->name,
                          names);
    }
    operation = wse_operation_at(index);
    vector.operation = sim_u8(index);
    vector.phase = sim_u8(self->build->phase);
    vector.is_async = config->is_async;
    vector.is_loaded = config->is_loaded;
    vector.own_thread = sim_u8(config->thread);
    vector.is_activated_in_register = config->is_activated_in_register;
    vector.is_unblocked_in_register = config->is_unblocked_in_register;
    vector.elements_per_step = sim_u8(wse_param(self, operation->rate));
    vector.cycles =
        sim_u16(config->is_loaded ? 0 : wse_param(self, "dsd.setup_busy_cycles"));
    if (!take_operands(self, config, operation, &vector, error) ||
        !take_completion(self, config, &vector, error) ||
        !take_options(self, config, &vector, error) || !resolve(self, &vector, error)) {
        return false;
    }
    self->needs_data = self->needs_data || is_control_of_data(self, &vector);
    return wse_emit(self, &vector, error);
}
