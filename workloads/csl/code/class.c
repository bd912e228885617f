/* Generates the program of one class of PEs: memory, functions, tasks, first state. */
#include "workloads/csl/code/class.h"

#include "sim/narrow.h"
#include "workloads/csl/code/call.h"
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/memory.h"
#include "workloads/csl/code/operation.h"
#include "workloads/csl/code/registers.h"

static void generator_clear(CslGenerator *self)
{
    g_hash_table_destroy(self->arrays);
    g_hash_table_destroy(self->registers);
    g_hash_table_destroy(self->frames);
    g_hash_table_destroy(self->descriptors);
    g_hash_table_destroy(self->dsrs);
    g_hash_table_destroy(self->names);
    g_hash_table_destroy(self->signatures);
    g_array_free(self->fifos, TRUE);
    g_array_free(self->file, TRUE);
    g_hash_table_destroy(self->begun);
    g_hash_table_destroy(self->tails);
    g_ptr_array_free(self->thunks, TRUE);
}

const char *csl_export_of(const CslGenerator *self, const CslInstance *instance)
{
    for (uint32_t i = 0; i < instance->argument_count; i++) {
        if (instance->arguments[i].type != NULL) {
            return NULL; /* a variant for some caller */
        }
    }
    for (guint i = 0; i < self->pe->exports->len; i++) {
        const CslExport *export = &g_array_index(self->pe->exports, CslExport, i);

        if (export->global == instance->function) {
            return export->name;
        }
    }
    return NULL;
}

/* Its data tasks have ids of queues, and @initialize_queue alone gives queues colors.
 */
static bool is_wse3(const CslGenerator *self)
{
    return g_strcmp0(self->source->options.arch, "wse3") == 0;
}

static void bind_queues(CslGenerator *self)
{
    for (guint i = 0; i < self->pe->queues->len; i++) {
        const CslQueueBinding *binding =
            &g_array_index(self->pe->queues, CslQueueBinding, i);
        g_autoptr(GError) error = NULL;

        self->place = binding->place;
        if (binding->is_input && binding->color >= 0) {
            self->queues |= 1U << binding->queue;
            self->inputs |= 1U << (binding->color & 31);
            csl_check(self,
                      arch_wse_program_input_queue(self->program, binding->queue,
                                                   sim_u32(binding->color), &error),
                      &error);
        }
    }
}

/* The task that a field of a FIFO names, or ARCH_WSE_NONE. */
static guint fifo_task(CslGenerator *self, const CslStruct *fields, const char *name)
{
    const CslValue *value =
        fields == NULL ? NULL : csl_struct_find(fields, csl_name(self->source, name));
    guint task = ARCH_WSE_NONE;

    if (value != NULL && !csl_task_number(self, value, &task)) {
        csl_code_fail(self, "expected a task that is bound for .%s", name);
    }
    return task;
}

static void make_fifos(CslGenerator *self)
{
    for (guint i = 0; i < self->pe->fifos->len; i++) {
        const CslFifo *fifo = &g_array_index(self->pe->fifos, CslFifo, i);
        g_autoptr(GError) error = NULL;
        guint dsd = 0;

        self->place = fifo->place;
        csl_check(self,
                  arch_wse_program_fifo(self->program,
                                        csl_array_of(self, fifo->buffer)->array, &dsd,
                                        &error),
                  &error);
        csl_check(self,
                  arch_wse_program_fifo_tasks(
                      self->program, dsd,
                      fifo_task(self, fifo->fields, "activate_push"),
                      fifo_task(self, fifo->fields, "activate_pop"), &error),
                  &error);
        g_array_append_val(self->fifos, dsd);
    }
}

/* Pointers that the host reads, under names of their own. */
static void make_exports(CslGenerator *self)
{
    for (guint i = 0; i < self->pe->exports->len; i++) {
        const CslExport *export = &g_array_index(self->pe->exports, CslExport, i);
        g_autofree char *name = g_strdup_printf("@%s", export->name);
        g_autoptr(GError) error = NULL;
        guint view = 0;

        self->place = export->place;
        if (export->global->node->kind == CSL_VARIABLE &&
            export->global->type->kind == CSL_KIND_POINTER) {
            const ArchWseView config = {
                .name = name,
                .array = csl_array_of(self, export->global)->array,
                .type = ARCH_WSE_U16,
                .count = 1,
            };

            if (g_hash_table_contains(self->names, name)) {
                continue; /* `export var p` beside @export_symbol(p) */
            }
            g_hash_table_add(self->names, g_strdup(name));
            csl_check(self,
                      arch_wse_program_view(self->program, &config, &view, &error),
                      &error);
        }
    }
}

static void make_entries(CslGenerator *self)
{
    for (guint i = 0; i < self->pe->instances->len; i++) {
        const CslInstance *instance = self->pe->instances->pdata[i];
        g_autoptr(GError) error = NULL;

        if (instance->body != NULL && csl_export_of(self, instance) != NULL) {
            CslCodeFrame *frame = csl_frame_of(self, instance);

            self->place = csl_global_place(instance->function);
            csl_check(self,
                      arch_wse_program_entry(self->program,
                                             csl_function_of(self, frame), &error),
                      &error);
        }
    }
}

static void generate_function(CslGenerator *self, const CslInstance *instance);

/* Generates what a body calls, first; the highest register of it all. */
static guint generate_callees(CslGenerator *self, const CslTyped *typed)
{
    guint top = 0;

    if (typed == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < typed->count; i++) {
        top = MAX(top, generate_callees(self, typed->children[i]));
    }
    if (typed->instance != NULL && typed->instance->body != NULL) {
        const CslCodeFrame *frame;

        generate_function(self, typed->instance);
        frame = g_hash_table_lookup(self->frames, typed->instance);
        top = MAX(top, frame == NULL ? 0 : frame->top);
    }
    return top;
}

static void generate_function(CslGenerator *self, const CslInstance *instance)
{
    g_autoptr(GError) error = NULL;
    CslCodeFrame *frame;
    guint function;

    if (g_hash_table_contains(self->begun, instance)) {
        return;
    }
    g_hash_table_add(self->begun, (gpointer) instance);
    self->base = generate_callees(self, instance->body);
    frame = csl_frame_of(self, instance);
    function = csl_function_of(self, frame);
    self->frame = frame;
    self->jumps = NULL;
    csl_emit_at(self, csl_global_place(instance->function));
    csl_check(self, arch_wse_program_begin_function(self->program, function, &error),
              &error);
    csl_generate_statement(self, instance->body);
    csl_check(self, arch_wse_program_end_function(self->program, &error), &error);
}

/* Functions that pointers or the host lead to. */
static void generate_functions(CslGenerator *self)
{
    for (guint i = 0; i < self->pe->instances->len; i++) {
        const CslInstance *instance = self->pe->instances->pdata[i];
        const CslCodeFrame *frame = g_hash_table_lookup(self->frames, instance);

        if (instance->body != NULL && !g_hash_table_contains(self->begun, instance) &&
            ((frame != NULL && frame->function != ARCH_WSE_NONE) ||
             csl_export_of(self, instance) != NULL)) {
            generate_function(self, instance);
            i = UINT_MAX; /* it may lead to others: from the first on again */
        }
    }
}

static void set_teardown_handlers(CslGenerator *self)
{
    for (guint i = 0; i < self->pe->teardowns->len; i++) {
        const CslTeardown *teardown =
            &g_array_index(self->pe->teardowns, CslTeardown, i);
        g_autoptr(GError) error = NULL;

        const CslInstance *handler = csl_plain_instance(self, teardown->handler);

        if (handler != NULL && handler->body != NULL) {
            generate_function(self, handler);
        }
        self->place = teardown->place;
        csl_check(self,
                  arch_wse_program_teardown_handler(
                      self->program,
                      sim_u32(csl_function_number(self, teardown->handler)) - 1,
                      teardown->color, &error),
                  &error);
    }
}

/* Whether functions may share registers: with pointers it is not known who calls whom.
 */
static bool calls_pointers(const CslTyped *typed)
{
    if (typed == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < typed->count; i++) {
        if (calls_pointers(typed->children[i])) {
            return true;
        }
    }
    return typed->kind == CSL_TYPED_CALL_POINTER;
}

static bool can_share(const CslPeClass *pe)
{
    for (guint i = 0; i < pe->instances->len; i++) {
        if (calls_pointers(((const CslInstance *) pe->instances->pdata[i])->body)) {
            return false;
        }
    }
    return true;
}

static ArchWseTaskKind kind_of(const CslTaskBinding *binding)
{
    if (binding->kind == CSL_T(DATA_TASK_ID)) {
        return ARCH_WSE_TASK_DATA;
    }
    return binding->kind == CSL_T(CONTROL_TASK_ID) ? ARCH_WSE_TASK_CONTROL
                                                   : ARCH_WSE_TASK_LOCAL;
}

static void take_arguments(CslGenerator *self, const CslInstance *instance)
{
    ArchWseType types[2] = {ARCH_WSE_U16, ARCH_WSE_U16};
    g_autoptr(GError) error = NULL;

    if (instance->argument_count == 0) {
        return;
    }
    for (uint32_t i = 0; i < MIN(instance->argument_count, 2); i++) {
        types[i] = csl_machine_type(self, instance->types[i]);
    }
    csl_check(self,
              arch_wse_program_arguments(self->program, types, instance->argument_count,
                                         self->frame->places[0].variable, &error),
              &error);
}

static void generate_task(CslGenerator *self, const CslTaskBinding *binding)
{
    const CslInstance *instance = NULL;
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < self->pe->instances->len && instance == NULL; i++) {
        const CslInstance *one = self->pe->instances->pdata[i];

        instance = one->function == binding->task && one->body != NULL ? one : NULL;
    }
    if (instance == NULL) {
        return;
    }
    self->base = generate_callees(self, instance->body);
    self->frame = csl_frame_of(self, instance);
    self->jumps = NULL;
    csl_emit_at(self, csl_global_place(instance->function));
    csl_check(self,
              arch_wse_program_begin_task(self->program, kind_of(binding), binding->id,
                                          csl_global_name(binding->task), ARCH_WSE_NONE,
                                          &error),
              &error);
    take_arguments(self, instance);
    csl_generate_statement(self, instance->body);
    csl_check(self, arch_wse_program_end_task(self->program, &error), &error);
}

/* Ids of data without a task are blocked at the start, unless told otherwise, so that
 * control wavelets stay for those who take them. */
static void block_inputs(CslGenerator *self, uint32_t kept)
{
    for (guint i = 0; i < self->pe->tasks->len; i++) {
        const CslTaskBinding *binding =
            &g_array_index(self->pe->tasks, CslTaskBinding, i);

        if (binding->kind != CSL_T(CONTROL_TASK_ID)) {
            kept |= binding->id < 32 ? 1U << binding->id : 0;
        }
    }
    const uint32_t ids = is_wse3(self) ? self->queues : self->inputs;

    for (guint id = 0; id < 32; id++) {
        g_autoptr(GError) error = NULL;

        if ((ids & ~kept & 1U << id) != 0) {
            csl_check(self, arch_wse_program_block(self->program, id, &error), &error);
        }
    }
}

/* Colors that lead to the PE, as it sets them for itself. */
static uint32_t own_inputs(const CslPeClass *pe)
{
    uint32_t colors = 0;

    for (guint i = 0; i < pe->colors->len; i++) {
        const CslLocalColor *local = &g_array_index(pe->colors, CslLocalColor, i);

        if ((local->config.tx & 1U << CSL_RAMP) != 0) {
            colors |= 1U << (local->color & 31);
        }
    }
    return colors;
}

static bool has_control_tasks(const CslPeClass *pe)
{
    for (guint i = 0; i < pe->tasks->len; i++) {
        if (g_array_index(pe->tasks, CslTaskBinding, i).kind ==
            CSL_T(CONTROL_TASK_ID)) {
            return true;
        }
    }
    return false;
}

/* A color that only control wavelets come on needs a queue, too. Data tasks get one
 * from the machine. */
static void bind_control_colors(CslGenerator *self, uint32_t colors)
{
    if (!has_control_tasks(self->pe) || is_wse3(self)) {
        return;
    }
    colors |= own_inputs(self->pe);
    for (guint i = 0; i < self->pe->tasks->len; i++) {
        const CslTaskBinding *binding =
            &g_array_index(self->pe->tasks, CslTaskBinding, i);

        if (binding->kind == CSL_T(DATA_TASK_ID)) {
            colors &= ~(1U << (binding->id & 31));
        }
    }
    for (guint color = 0; color < 32; color++) {
        g_autoptr(GError) error = NULL;
        guint queue = 7;

        if ((colors & ~self->inputs & 1U << color) == 0) {
            continue;
        }
        while (queue > 0 && (self->queues & 1U << queue) != 0) {
            queue--;
        }
        self->queues |= 1U << queue;
        csl_check(self,
                  arch_wse_program_input_queue(self->program, queue, color, &error),
                  &error);
    }
}

static void set_first_state(CslGenerator *self)
{
    typedef bool Act(ArchWseProgram *, guint, GError **);
    static Act *const acts[] = {
        [CSL_ACTION_ACTIVATE] = arch_wse_program_activate,
        [CSL_ACTION_BLOCK] = arch_wse_program_block,
        [CSL_ACTION_UNBLOCK] = arch_wse_program_unblock,
    };
    uint32_t unblocked = 0;

    for (guint i = 0; i < self->pe->actions->len; i++) {
        const CslAction *action = &g_array_index(self->pe->actions, CslAction, i);
        g_autoptr(GError) error = NULL;
        guint number = 0;

        self->place = action->place;
        if (!csl_task_number(self, &action->id, &number)) {
            csl_code_fail(self, "expected a task that is bound");
            continue;
        }
        if (action->kind == CSL_ACTION_UNBLOCK) {
            unblocked |= number < 32 ? 1U << number : 0;
        }
        csl_check(self, acts[action->kind](self->program, number, &error), &error);
    }
    block_inputs(self, unblocked);
    bind_control_colors(self, unblocked);
}

static void generator_init(CslGenerator *self, CslProgram *source, CslPeClass *pe)
{
    *self = (CslGenerator){
        .source = source,
        .pe = pe,
        .arrays = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .registers = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .frames =
            g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify) csl_frame_free),
        .descriptors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
        .dsrs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
        .names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .signatures = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .fifos = g_array_new(FALSE, FALSE, sizeof(guint)),
        .file = g_array_new(FALSE, FALSE, sizeof(guint)),
        .begun = g_hash_table_new(NULL, NULL),
        .tails = csl_find_tails(pe),
        .thunks = g_ptr_array_new(),
    };
    self->is_shared = can_share(pe) && g_hash_table_size(self->tails) == 0;
}

ArchWseProgram *
csl_generate_class(CslProgram *source, CslPeClass *pe, const ArchParams *params)
{
    g_autofree char *name = g_path_get_basename(pe->root->file->path);
    CslGenerator self;
    ArchWseProgram *program;

    generator_init(&self, source, pe);
    self.program = arch_wse_program_new(params, name);
    self.place = (CslPlace){pe->root->file->source, 0};
    if (is_wse3(&self)) {
        arch_wse_program_name_by_queue(self.program);
    }
    bind_queues(&self);
    csl_lay_out(&self);
    make_fifos(&self);
    make_exports(&self);
    csl_learn_dsrs(&self);
    set_teardown_handlers(&self);
    generate_functions(&self);
    make_entries(&self);
    for (guint i = 0; i < pe->tasks->len; i++) {
        generate_task(&self, &g_array_index(pe->tasks, CslTaskBinding, i));
    }
    generate_functions(&self);
    csl_generate_thunks(&self);
    generate_functions(&self);
    set_first_state(&self);
    program = self.program;
    if (self.has_failed) {
        arch_wse_program_free(program);
        program = NULL;
    }
    generator_clear(&self);
    return program;
}
