/* Serves the beats of a port in order. */
#include "arch/nero/port.h"

SimTime nero_port_cycles(const NeroPort *self, uint64_t bytes)
{
    return (bytes + self->beat_bytes - 1) / self->beat_bytes;
}

SimTime nero_port_pass(NeroPort *self, NeroSpan span, uint64_t bytes)
{
    SimTime begin = MAX(self->free_at, span.begin);

    self->free_at = MAX(begin + nero_port_cycles(self, bytes), span.end);
    return self->free_at;
}
