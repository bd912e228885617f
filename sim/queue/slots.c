/* Growth of the slot table; the hot paths are inline in the header. */
#include "sim/queue/slots.h"

void slots_init(Slots *self)
{
    *self = (Slots){.first_free = SLOT_NONE};
}

void slots_clear(Slots *self)
{
    g_clear_pointer(&self->slots, g_free);
}

void slots_grow(Slots *self)
{
    g_assert(self->capacity < UINT32_MAX / 2);
    self->capacity = self->capacity == 0 ? 256 : self->capacity * 2;
    self->slots = g_renew(Slot, self->slots, self->capacity);
}
