/* Computes the numbers of vector operations, or lets them wait. */
#include "arch/wse/ce/move.h"

#include "arch/wse/data/backlog.h"
#include "arch/wse/data/diary.h"
#include "arch/wse/program/operation.h"
#include "sim/narrow.h"

enum {
    NO_QUEUE = 0xff,
};

/* Where a dynamic operation's operands in memory are, for the message. */
static char *places_of(const WseVisit *self, const WseInstruction *instruction)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; instruction->is_live && i < instruction->operand_count; i++) {
        const WseDsd *dsd = wse_visit_dsd(self, instruction, i);

        if (dsd->kind == WSE_MEMORY) {
            g_string_append_printf(text, ", operand %u at address %d", i, dsd->address);
        }
    }
    return g_string_free(text, FALSE);
}

/* The next elements of an operation, whose fabric sources are in no payload yet. */
static WseDeed deed_of(const WseThread *thread, uint32_t count)
{
    WseDeed deed = {
        .payloads = {WSE_NO_PAYLOAD, WSE_NO_PAYLOAD},
        .instruction = thread->instruction,
        .first = thread->done,
        .count = sim_u16(count),
    };

    for (guint i = 0; i < WSE_OPERANDS; i++) {
        deed.offsets[i] = thread->offsets[i];
    }
    return deed;
}

static void fail(WseVisit *self, const WseInstruction *instruction, const WseDeed *deed)
{
    const ArchWseProgram *program = self->kind->program;
    g_autofree char *places = places_of(self, instruction);
    g_autofree char *where =
        arch_place_text(g_array_index(program->places, ArchPlace, deed->instruction));

    wse_region_fail(self->region, self->number, "%s: %s%s reaches beyond the memory%s",
                    program->name, wse_operation_at(instruction->operation)->name,
                    where, places);
}

static void execute(WseVisit *self,
                    const WseInstruction *instruction,
                    const WseDeed *deed,
                    const WseStreams *streams)
{
    int32_t offsets[WSE_OPERANDS];

    wse_deed_offsets(deed, offsets);
    if (!wse_program_execute(
            self->kind->program, instruction, offsets, deed->first, deed->count,
            wse_backlog_memory_for(self->region, self->number, instruction, offsets),
            streams)) {
        fail(self, instruction, deed);
    }
}

/* A deed has the payload in front of a queue: the token's reference becomes its own,
 * unless some wavelets stay. */
static void keep_payload(WseVisit *self, WseToken *token, uint32_t wavelets)
{
    if (token->count == wavelets) {
        token->flags = sim_u16(token->flags & ~(guint) WSE_TOKEN_PAYLOAD);
        return;
    }
    wse_payloads_hold(wse_region_payloads(self->region, token->data), token->data, 1);
}

/* Finds the payloads in front of its queues. False if wavelets there have none. */
static bool
find_payloads(const WseVisit *self, const WseInstruction *instruction, WseDeed *deed)
{
    const uint8_t queues[] = {instruction->input, instruction->input2};

    for (guint i = 0; i < G_N_ELEMENTS(queues); i++) {
        if (queues[i] == NO_QUEUE) {
            continue;
        }
        const WseToken *token = wse_queue_front(self, queues[i]);

        if ((token->flags & WSE_TOKEN_PAYLOAD) == 0) {
            return false;
        }
        deed->payloads[i] = token->data;
        deed->lefts[i] = token->count;
    }
    return true;
}

/* The PE stands for others, too: they will do it. */
static void write_down(WseVisit *self,
                       const WseInstruction *instruction,
                       const WseMove *step,
                       WseDeed *deed,
                       WseToken *token)
{
    bool is_inside = find_payloads(self, instruction, deed);

    g_assert(is_inside);
    if (token == NULL) {
        is_inside = wse_diary_add(self->region, self->number, deed);
    } else {
        is_inside = wse_diary_send(self->region, self->number, deed, step->wavelets,
                                   &token->data);
        token->flags |= WSE_TOKEN_PAYLOAD;
    }
    if (!is_inside) {
        fail(self, instruction, deed);
    }
}

/* Lets a step that takes whole streams, if any, to memory wait. */
static bool put_off(WseVisit *self,
                    const WseInstruction *instruction,
                    const WseMove *step,
                    WseDeed *deed)
{
    const uint8_t queues[] = {instruction->input, instruction->input2};

    if (!find_payloads(self, instruction, deed) ||
        !wse_backlog_add(self->region, self->number, deed)) {
        return false;
    }
    for (guint i = 0; i < G_N_ELEMENTS(queues); i++) {
        if (queues[i] != NO_QUEUE) {
            keep_payload(self, wse_queue_front(self, queues[i]), step->wavelets);
        }
    }
    return true;
}

void wse_move_step(WseVisit *self,
                   const WseInstruction *instruction,
                   const WseThread *thread,
                   WseMove *step,
                   WseToken *token)
{
    uint32_t copies[2][WSE_QUEUE_STEP];
    WseStreams streams = {.out = step->words};
    WseDeed deed = deed_of(thread, step->elements);

    if (self->fabric->diary != NULL) {
        write_down(self, instruction, step, &deed, token);
        return;
    }
    if (token == NULL && put_off(self, instruction, step, &deed)) {
        return;
    }
    if (instruction->input != NO_QUEUE) {
        streams.in =
            wse_queue_words(self, instruction->input, step->wavelets, copies[0]);
    }
    if (instruction->input2 != NO_QUEUE) {
        streams.in2 =
            wse_queue_words(self, instruction->input2, step->wavelets, copies[1]);
    }
    if (token != NULL && step->wavelets > 1 && !step->is_single) {
        bool is_filled = false;

        token->data = wse_backlog_payload(self->region, self->number, &deed,
                                          step->wavelets, &is_filled);
        token->flags |= WSE_TOKEN_PAYLOAD;
        if (is_filled) {
            return;
        }
        streams.out = wse_payloads_words(self->region->payloads, token->data);
    }
    if (instruction->has_fifo) {
        streams.fifo_at = wse_fifo_at(self, instruction);
    }
    execute(self, instruction, &deed, &streams);
    if (token != NULL && step->wavelets == 1) {
        token->data = step->words[0];
    }
}

void wse_move_all(WseVisit *self,
                  const WseInstruction *instruction,
                  const WseThread *thread)
{
    WseDeed deed = deed_of(thread, thread->length);

    if (self->fabric->diary != NULL) {
        write_down(self, instruction, NULL, &deed, NULL);
    } else if (!wse_backlog_add(self->region, self->number, &deed)) {
        execute(self, instruction, &deed, &(WseStreams){0});
    }
}
