/* Works: a ring of them, in which a chore goes on. */
#include "arch/tensix/compute/works.h"

#include "sim/chore.h"

enum {
    WORKS = 256, /* that may be put off at a time, a power of two */
};

struct TensixWorks {
    TensixRegisters *registers;
    SimChore *chore; /* NULL: nothing is put off */
    TensixWork *ring;
};

static void carry_out(TensixRegisters *registers, const TensixWork *work)
{
    const ArchComputeCall *call = &work->call;

    switch (work->kind) {
    case TENSIX_WORK_UNPACK:
        tensix_registers_unpack(registers, work->slot, call, &work->a,
                                work->has_b ? &work->b : NULL);
        break;
    case TENSIX_WORK_UNPACK_DST:
        tensix_registers_unpack_dst(registers, work->half, call->dst, &work->a);
        break;
    case TENSIX_WORK_FPU:
        tensix_registers_fpu(registers, work->half, work->slot, call);
        break;
    case TENSIX_WORK_SFPU:
        tensix_registers_sfpu(registers, work->half, call);
        break;
    case TENSIX_WORK_VECTOR:
        tensix_registers_vector(registers, work->half, call);
        break;
    case TENSIX_WORK_TRANSPOSE:
        tensix_registers_transpose(registers, work->half, call->dst);
        break;
    case TENSIX_WORK_PACK:
        tensix_registers_pack(registers, work->half, call->dst, &work->packer, work->to,
                              work->format);
        break;
    case TENSIX_WORK_RELEASE:
        tensix_registers_release(registers, work->half);
        break;
    }
}

static void carry_out_piece(gpointer data, uint64_t piece)
{
    TensixWorks *self = data;

    carry_out(self->registers, &self->ring[piece % WORKS]);
}

TensixWorks *tensix_works_new(SimCrew *crew, TensixRegistersConfig config)
{
    TensixWorks *self = g_new0(TensixWorks, 1);

    self->registers = tensix_registers_new(config);
    if (crew != NULL && sim_crew_threads(crew) > 1) {
        self->chore = sim_chore_new(crew, carry_out_piece, self);
        self->ring = g_new(TensixWork, WORKS);
    }
    return self;
}

void tensix_works_free(TensixWorks *self)
{
    if (self != NULL) {
        sim_chore_free(self->chore);
        tensix_registers_free(self->registers);
        g_free(self->ring);
        g_free(self);
    }
}

uint64_t tensix_works_count(const TensixWorks *self)
{
    return self != NULL && self->chore != NULL ? sim_chore_pieces(self->chore) : 0;
}

void tensix_works_finish_first(TensixWorks *self, uint64_t count)
{
    if (self != NULL && self->chore != NULL) {
        sim_chore_finish(self->chore, count);
    }
}

void tensix_works_finish(TensixWorks *self)
{
    tensix_works_finish_first(self, tensix_works_count(self));
}

void tensix_works_do(TensixWorks *self, const TensixWork *work)
{
    if (self->chore == NULL || !sim_chore_is_put_off(self->chore)) {
        tensix_works_finish(self);
        carry_out(self->registers, work);
        return;
    }
    const uint64_t count = sim_chore_pieces(self->chore);

    if (count >= WORKS) {
        sim_chore_finish(self->chore, count - WORKS + 1);
    }
    self->ring[count % WORKS] = *work;
    sim_chore_add(self->chore);
}
