/* Counts who holds an array. */
#include "sim/shared.h"

#include <string.h>

#include "sim/pages.h"

SimShared *sim_shared_new(gsize count)
{
    guint8 *data = sim_pages_new(count);

    if (data == NULL && count > 0) {
        return NULL;
    }
    SimShared *self = g_new0(SimShared, 1);

    g_atomic_ref_count_init(&self->references);
    self->count = count;
    self->data = data;
    return self;
}

SimShared *sim_shared_ref(SimShared *self)
{
    g_atomic_ref_count_inc(&self->references);
    return self;
}

void sim_shared_unref(SimShared *self)
{
    if (g_atomic_ref_count_dec(&self->references)) {
        sim_pages_free(self->data, self->count);
        g_free(self);
    }
}

bool sim_shared_is_own(SimShared *self)
{
    return g_atomic_ref_count_compare(&self->references, 1);
}

bool sim_shared_make_own(SimShared **self)
{
    if (sim_shared_is_own(*self)) {
        return true;
    }
    SimShared *own = sim_shared_new((*self)->count);

    if (own == NULL) {
        return false;
    }
    if (own->count > 0) {
        memcpy(own->data, (*self)->data, own->count);
    }
    sim_shared_unref(*self);
    *self = own;
    return true;
}
