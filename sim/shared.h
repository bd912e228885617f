/* Arrays of bytes that several hold. Nobody changes one while others hold it, too: who
 * wants to makes a copy first. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    gatomicrefcount references;
    gsize count;
    guint8 *data;
} SimShared;

/* So many bytes, all 0, in the pages of sim/pages.h; NULL if there is no room. */
SimShared *sim_shared_new(gsize count);
SimShared *sim_shared_ref(SimShared *self);
void sim_shared_unref(SimShared *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimShared, sim_shared_unref)

/* Whether the caller is the only one who holds it. */
bool sim_shared_is_own(SimShared *self);

/* Makes `*self` one that nobody else holds, with the same bytes. Returns false if there
 * is no room. */
bool sim_shared_make_own(SimShared **self);
