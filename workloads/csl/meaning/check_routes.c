/* Warns of colors that PEs send or receive on, and that nobody routes. */
#include <string.h>

#include "sim/narrow.h"
#include "workloads/csl/meaning/analyser.h"
#include "workloads/csl/meaning/check_class.h"

#define COLORS 24

typedef struct {
    CslProgram *program;
    const CslPeClass *pe;
    uint32_t used;           /* a bit for each color */
    CslPlace places[COLORS]; /* of the first use */
    bool is_sent[COLORS];
    GHashTable *seen; /* CslInstance, those that were looked at */
} Uses;

static void note(Uses *self, CslInteger color, bool is_sent, CslPlace place)
{
    const uint32_t bit =
        color >= 0 && color < COLORS ? 1U << sim_u32((int64_t) color) : 0;

    if ((bit & ~self->used) != 0) {
        self->used |= bit;
        self->places[color] = place;
        self->is_sent[color] = is_sent;
    }
}

static const CslValue *field(const Uses *self, const CslValue *value, const char *name)
{
    const CslStruct *fields = value->dsd->fields;

    return fields == NULL ? NULL
                          : csl_struct_find(fields, csl_name(self->program, name));
}

/* A queue that is bound to another color gets nothing of this one. */
static void check_queue(const Uses *self, const CslValue *value, CslPlace place)
{
    const CslValue *color = field(self, value, "fabric_color");
    const CslValue *queue = field(self, value, "input_queue");
    const GArray *queues = self->pe->queues;

    for (guint i = 0; color != NULL && queue != NULL && i < queues->len; i++) {
        const CslQueueBinding *bound = &g_array_index(queues, CslQueueBinding, i);

        if (bound->is_input && bound->queue == queue->integer && bound->color >= 0 &&
            bound->color != color->integer) {
            csl_report(self->program->to, CSL_WARNING, place,
                       "color %d is received from input_queue %u, which is bound to "
                       "color %d",
                       sim_i32((int64_t) color->integer), bound->queue, bound->color);
            csl_report(self->program->to, CSL_NOTE, bound->place, "here");
        }
    }
}

static void note_value(Uses *self, const CslValue *value, CslPlace place)
{
    const CslValue *color;

    if (value->type != CSL_T(FABIN_DSD) && value->type != CSL_T(FABOUT_DSD)) {
        return;
    }
    check_queue(self, value, place);
    color = field(self, value, "fabric_color");
    if (color != NULL) {
        note(self, color->integer, value->type == CSL_T(FABOUT_DSD), place);
    }
}

static void note_leaf(Uses *self, const CslTyped *typed)
{
    if (typed->kind == CSL_TYPED_CONSTANT) {
        note_value(self, &typed->value, typed->place);
    } else if (typed->kind == CSL_TYPED_GLOBAL) {
        note_value(self, &typed->global->value, typed->place);
    } else if (typed->kind == CSL_TYPED_BUILTIN &&
               g_strcmp0(typed->name, "@get_dsd") == 0) {
        const CslTyped *color =
            csl_typed_item(typed->children[1], csl_name(self->program, "fabric_color"));

        if (color != NULL && color->kind == CSL_TYPED_CONSTANT) {
            note(self, color->value.integer, typed->type == CSL_T(FABOUT_DSD),
                 typed->place);
        }
    }
}

/* How many children run whenever the whole does; PEs choose whether others run. */
static uint32_t sure_children(const CslTyped *typed)
{
    switch (+typed->kind) {
    case CSL_TYPED_IF:
    case CSL_TYPED_SELECT:
    case CSL_TYPED_SWITCH:
    case CSL_TYPED_WHILE:
        return 1;
    case CSL_TYPED_BINARY:
        return typed->token == CSL_TOKEN_AND || typed->token == CSL_TOKEN_OR ? 1 : 2;
    default:
        return typed->count;
    }
}

/* What runs for sure when a function runs, and the functions that it calls. */
static void note_typed(Uses *self, const CslTyped *typed)
{
    note_leaf(self, typed);
    if (typed->kind == CSL_TYPED_CALL && typed->instance->body != NULL &&
        g_hash_table_add(self->seen, typed->instance)) {
        note_typed(self, typed->instance->body);
    }
    for (uint32_t i = 0; i < sure_children(typed); i++) {
        if (typed->children[i] != NULL) {
            note_typed(self, typed->children[i]);
        }
    }
}

static void note_class(Uses *self, const CslPeClass *pe)
{
    for (guint i = 0; i < pe->tasks->len; i++) {
        const CslTaskBinding *binding = &g_array_index(pe->tasks, CslTaskBinding, i);

        for (guint j = 0; j < pe->instances->len; j++) {
            CslInstance *instance = pe->instances->pdata[j];

            if (instance->function == binding->task && instance->body != NULL) {
                note_typed(self, instance->body);
            }
        }
        if (binding->kind == CSL_T(DATA_TASK_ID) &&
            g_strcmp0(self->program->options.arch, "wse3") != 0) {
            note(self, binding->id, false, binding->place);
        }
    }
}

/* Colors that PEs get from elsewhere: by their own code, or of the host. */
static uint32_t own_colors(const CslPeClass *pe)
{
    uint32_t mask = 0;

    for (guint i = 0; i < pe->colors->len; i++) {
        mask |= 1U << (g_array_index(pe->colors, CslLocalColor, i).color & 31U);
    }
    for (guint i = 0; i < pe->effects->len; i++) {
        const CslEffect *effect = &g_array_index(pe->effects, CslEffect, i);

        if (g_strcmp0(effect->name, "@gridloom_host_color") == 0) {
            mask |= 1U << (sim_u32((int64_t) csl_struct_at(effect->arguments, 0)
                                       ->value.integer) &
                           31U);
        }
    }
    return mask;
}

/* Routers that a program changes while it runs cannot be known. */
static bool changes_routes(const CslPeClass *pe)
{
    for (guint i = 0; i < pe->modules->len; i++) {
        const CslModule *module = pe->modules->pdata[i];

        if (strstr(module->file->path, "tile_config") != NULL ||
            strstr(module->file->path, "color_config") != NULL) {
            return true;
        }
    }
    return false;
}

void csl_check_routes(CslProgram *program, uint32_t routed)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
    Uses uses = {.program = program, .seen = seen};

    for (guint i = 0; i < program->classes->len; i++) {
        const CslPeClass *pe = program->classes->pdata[i];

        if (changes_routes(pe) || !program->layout->is_given) {
            return;
        }
        uses.pe = pe;
        routed |= own_colors(pe);
        note_class(&uses, pe);
    }
    for (uint32_t color = 0; color < COLORS; color++) {
        if (((uses.used & ~routed) >> color & 1U) != 0) {
            csl_report(program->to, CSL_WARNING, uses.places[color],
                       "color %u is %s here, and no PE routes it", color,
                       uses.is_sent[color] ? "sent on" : "received on");
        }
    }
}
