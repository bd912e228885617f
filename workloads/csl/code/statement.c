/* Generates the code of statements. */
#include "sim/narrow.h"
#include "workloads/csl/code/emit.h"
#include "workloads/csl/code/expression.h"
#include "workloads/csl/code/generator.h"
#include "workloads/csl/code/registers.h"

static void declare(CslGenerator *self, const CslTyped *typed)
{
    const CslCodeSpot *place = &self->frame->places[typed->local];
    const CslTyped *value = typed->count == 0 ? NULL : typed->children[0];

    if (value == NULL || typed->type->kind == CSL_KIND_VOID) {
        if (value != NULL) {
            (void) csl_generate(self, value, CSL_ANYWHERE_ELSE);
        }
        return;
    }
    if (!csl_is_number(typed->type)) {
        csl_store_whole(self, place, value);
    } else if (place->is_register) {
        csl_generate_into(self, value, place->variable);
    } else {
        csl_store(self, place, csl_generate(self, value, CSL_ANYWHERE_ELSE));
    }
}

static void assign(CslGenerator *self, const CslTyped *typed)
{
    const CslTyped *value = typed->children[1];
    CslCodeSpot spot;
    CslTyped sum;
    CslTyped *sides[2] = {typed->children[0], typed->children[1]};

    if (typed->token == CSL_TOKEN_ASSIGN) {
        if (typed->children[0]->kind == CSL_TYPED_LOCAL &&
            self->frame->places[typed->children[0]->local].is_register) {
            csl_generate_into(self, value,
                              self->frame->places[typed->children[0]->local].variable);
            return;
        }
        if (!csl_is_number(typed->children[0]->type)) {
            spot = csl_locate_code(self, typed->children[0]);
            csl_store_whole(self, &spot, value);
            return;
        }
        const CslNumber number = csl_generate(self, value, CSL_ANYWHERE_ELSE);

        spot = csl_locate_code(self, typed->children[0]);
        csl_store(self, &spot, number);
        return;
    }
    sum = *typed;
    sum.kind = CSL_TYPED_BINARY;
    sum.type = typed->children[0]->type;
    sum.children = sides;
    if (typed->children[0]->kind == CSL_TYPED_LOCAL) {
        const CslCodeSpot *place = &self->frame->places[typed->children[0]->local];

        if (place->is_register) {
            csl_generate_into(self, &sum, place->variable);
            return;
        }
    }
    const CslNumber number = csl_generate(self, &sum, CSL_ANYWHERE_ELSE);

    spot = csl_locate_code(self, typed->children[0]);
    csl_store(self, &spot, number);
}

static void generate_if(CslGenerator *self, const CslTyped *typed)
{
    const guint otherwise = csl_emit_label(self);

    csl_generate_unless(self, typed->children[0], otherwise);
    csl_generate_statement(self, typed->children[1]);
    if (typed->count == 3) {
        const guint end = csl_emit_label(self);

        csl_emit_jump(self, end);
        csl_emit_place(self, otherwise);
        csl_generate_statement(self, typed->children[2]);
        csl_emit_place(self, end);
    } else {
        csl_emit_place(self, otherwise);
    }
}

static void enter(CslGenerator *self, CslJumps *jumps, const char *name, bool is_loop)
{
    *jumps = (CslJumps){
        .name = name,
        .is_loop = is_loop,
        .end = csl_emit_label(self),
        .next = csl_emit_label(self),
        .outer = self->jumps,
    };
    self->jumps = jumps;
}

static void leave(CslGenerator *self)
{
    csl_emit_place(self, self->jumps->end);
    self->jumps = self->jumps->outer;
}

static void generate_while(CslGenerator *self, const CslTyped *typed)
{
    const guint again = csl_emit_label(self);
    CslJumps jumps;

    enter(self, &jumps, typed->name, true);
    csl_emit_place(self, again);
    csl_generate_unless(self, typed->children[0], jumps.end);
    csl_generate_statement(self, typed->children[1]);
    csl_emit_place(self, jumps.next);
    if (typed->count == 3) {
        csl_generate_statement(self, typed->children[2]);
    }
    csl_emit_jump(self, again);
    leave(self);
}

/* Start, stop and step of what a loop counts over. */
typedef struct {
    ArchWseType type;
    CslNumber start;
    CslNumber stop;
    CslNumber step;
} Counting;

/* A number that the body cannot change. */
static CslNumber keep(CslGenerator *self, const CslTyped *typed)
{
    const CslNumber number = csl_generate(self, typed, CSL_ANYWHERE_ELSE);
    guint to;

    if (number.is_constant) {
        return number;
    }
    to = csl_take(self, typed->type);
    csl_move(self, typed->type, to, number);
    return csl_in_register(to);
}

static Counting count_over(CslGenerator *self, const CslTyped *all)
{
    Counting counting = {.type = ARCH_WSE_U16, .step = csl_constant(1)};

    if (all->type->kind == CSL_KIND_ARRAY) {
        counting.start = csl_constant(0);
        counting.stop = csl_constant((int64_t) csl_type_element_count(all->type));
        return counting;
    }
    if (all->kind == CSL_TYPED_CONSTANT) {
        const CslRange *range = all->value.range;

        counting.type = csl_machine_type(self, range->type);
        counting.start = csl_constant((int64_t) range->start);
        counting.stop = csl_constant((int64_t) range->stop);
        counting.step = csl_constant((int64_t) range->step);
        return counting;
    }
    counting.type = csl_machine_type(self, all->children[0]->value.meant);
    counting.start = csl_constant(0);
    if (all->count == 2) {
        counting.stop = keep(self, all->children[1]);
        return counting;
    }
    counting.start = keep(self, all->children[1]);
    counting.stop = keep(self, all->children[2]);
    if (all->count == 4) {
        counting.step = keep(self, all->children[3]);
    }
    return counting;
}

static void load_element(CslGenerator *self, const CslTyped *typed, guint index)
{
    CslTyped local = {
        .kind = CSL_TYPED_LOCAL, .type = CSL_T(U16), .place = typed->place};
    CslTyped *children[2] = {typed->children[0], &local};
    CslTyped item = {
        .kind = CSL_TYPED_INDEX,
        .type = typed->children[0]->type->element,
        .place = typed->place,
        .count = 2,
        .children = children,
    };
    const CslCodeSpot *to = &self->frame->places[typed->local];
    const CslCodeSpot kept = self->frame->places[self->frame->instance->locals->len];

    /* The index as a local behind all others. */
    local.local = self->frame->instance->locals->len;
    self->frame->places[local.local] =
        (CslCodeSpot){.is_register = true, .variable = index, .type = CSL_T(U16)};
    if (csl_is_number(item.type)) {
        csl_store(self, to, csl_generate(self, &item, CSL_ANYWHERE_ELSE));
    } else {
        csl_store_whole(self, to, &item);
    }
    self->frame->places[local.local] = kept;
}

static void generate_for(CslGenerator *self, const CslTyped *typed)
{
    const bool is_array = typed->children[0]->type->kind == CSL_KIND_ARRAY;
    const CslCodeSpot *element = &self->frame->places[typed->local];
    const Counting counting = count_over(self, typed->children[0]);
    const guint is_more = csl_take_single(self);
    const guint at = is_array ? csl_take_single(self) : element->variable;
    const guint again = csl_emit_label(self);
    const bool is_down = counting.step.is_constant && counting.step.bits < 0;
    const CslType *type = is_array ? CSL_T(U16) : element->type;
    const CslCodeSpot *index = typed->index_local == CSL_NO_LOCAL
                                   ? NULL
                                   : &self->frame->places[typed->index_local];
    CslJumps jumps;

    csl_move(self, type, at, counting.start);
    if (index != NULL) {
        csl_store(self, index, csl_constant(0));
    }
    enter(self, &jumps, typed->name, true);
    csl_emit_place(self, again);
    csl_emit_operate(self, is_down ? "gt" : "lt", counting.type, is_more,
                     csl_in_register(at), counting.stop);
    csl_emit_jump_if(self, csl_in_register(is_more), true, jumps.end);
    if (is_array) {
        load_element(self, typed, at);
    }
    csl_generate_statement(self, typed->children[1]);
    csl_emit_place(self, jumps.next);
    csl_emit_operate(self, "add", counting.type, at, csl_in_register(at),
                     counting.step);
    if (index != NULL) {
        const CslNumber old = csl_load(self, index, CSL_ANYWHERE_ELSE);

        csl_store(self, index,
                  csl_compute(self, "add", ARCH_WSE_U16, old, csl_constant(1)));
    }
    csl_emit_jump(self, again);
    leave(self);
}

static void generate_switch(CslGenerator *self, const CslTyped *typed)
{
    const ArchWseType type = csl_machine_type(self, typed->children[0]->type);
    const CslNumber subject = keep(self, typed->children[0]);
    const guint is_same = csl_take_single(self);
    const guint end = csl_emit_label(self);
    const CslTyped *otherwise = NULL;

    for (uint32_t i = 1; i < typed->count; i++) {
        const CslTyped *arm = typed->children[i];
        const guint body = csl_emit_label(self);
        const guint next = csl_emit_label(self);

        if (arm->count == 1) {
            otherwise = arm;
            csl_emit_place(self, body);
            csl_emit_place(self, next);
            continue;
        }
        for (uint32_t j = 1; j < arm->count; j++) {
            csl_emit_operate(self, "eq", type, is_same, subject,
                             csl_generate(self, arm->children[j], CSL_ANYWHERE_ELSE));
            csl_emit_jump_if(self, csl_in_register(is_same), false, body);
        }
        csl_emit_jump(self, next);
        csl_emit_place(self, body);
        csl_generate_statement(self, arm->children[0]);
        csl_emit_jump(self, end);
        csl_emit_place(self, next);
    }
    if (otherwise != NULL) {
        csl_generate_statement(self, otherwise->children[0]);
    }
    csl_emit_place(self, end);
}

static void generate_block(CslGenerator *self, const CslTyped *typed)
{
    CslJumps jumps = {0};

    if (typed->name != NULL) {
        enter(self, &jumps, typed->name, false);
    }
    for (uint32_t i = 0; i < typed->count; i++) {
        csl_generate_statement(self, typed->children[i]);
    }
    if (typed->name != NULL) {
        csl_emit_place(self, jumps.next);
        leave(self);
    }
}

/* `break` and `continue`: out of the nearest loop, or what the label names. */
static void generate_jump(CslGenerator *self, const CslTyped *typed)
{
    const CslJumps *to = self->jumps;

    while (
        to != NULL &&
        (typed->name == NULL ? !to->is_loop : g_strcmp0(to->name, typed->name) != 0)) {
        to = to->outer;
    }
    if (to == NULL) {
        csl_code_fail(self, "there is nothing here to leave");
        return;
    }
    csl_emit_jump(self, typed->kind == CSL_TYPED_BREAK ? to->end : to->next);
}

static void generate_return(CslGenerator *self, const CslTyped *typed)
{
    g_autoptr(GError) error = NULL;

    if (typed->count == 1) {
        if (csl_is_number(typed->children[0]->type)) {
            csl_generate_into(self, typed->children[0], self->frame->result);
        } else if (typed->children[0]->type->kind != CSL_KIND_VOID) {
            csl_store_whole(self, &self->frame->whole, typed->children[0]);
        } else {
            (void) csl_generate(self, typed->children[0], CSL_ANYWHERE_ELSE);
        }
    }
    csl_check(self, arch_wse_program_return(self->program, &error), &error);
}

void csl_generate_statement(CslGenerator *self, const CslTyped *typed)
{
    const CslMark mark = csl_mark(self);

    csl_emit_at(self, typed->place);
    switch (+typed->kind) {
    case CSL_TYPED_DECLARE:
        declare(self, typed);
        break;
    case CSL_TYPED_ASSIGN:
        assign(self, typed);
        break;
    case CSL_TYPED_BLOCK:
        generate_block(self, typed);
        break;
    case CSL_TYPED_IF:
        generate_if(self, typed);
        break;
    case CSL_TYPED_WHILE:
        generate_while(self, typed);
        break;
    case CSL_TYPED_FOR:
        generate_for(self, typed);
        break;
    case CSL_TYPED_SWITCH:
        generate_switch(self, typed);
        break;
    case CSL_TYPED_RETURN:
        generate_return(self, typed);
        break;
    case CSL_TYPED_BREAK:
    case CSL_TYPED_CONTINUE:
        generate_jump(self, typed);
        break;
    case CSL_TYPED_CONSTANT:
        break;
    default:
        (void) csl_generate(self, typed, CSL_ANYWHERE_ELSE);
        break;
    }
    csl_release(self, mark);
}
