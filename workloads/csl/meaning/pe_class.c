/* The life of classes of PEs. */
#include "workloads/csl/meaning/pe_class.h"

#include "workloads/csl/meaning/typed.h"

CslPeClass *csl_pe_class_new(void)
{
    CslPeClass *self = g_new0(CslPeClass, 1);

    self->modules = g_ptr_array_new();
    self->instances =
        g_ptr_array_new_with_free_func((GDestroyNotify) csl_instance_free);
    self->tasks = g_array_new(FALSE, TRUE, sizeof(CslTaskBinding));
    self->actions = g_array_new(FALSE, TRUE, sizeof(CslAction));
    self->queues = g_array_new(FALSE, TRUE, sizeof(CslQueueBinding));
    self->colors = g_array_new(FALSE, TRUE, sizeof(CslLocalColor));
    self->exports = g_array_new(FALSE, TRUE, sizeof(CslExport));
    self->fifos = g_array_new(FALSE, TRUE, sizeof(CslFifo));
    self->dsrs = g_array_new(FALSE, TRUE, sizeof(CslDsrUse));
    self->teardowns = g_array_new(FALSE, TRUE, sizeof(CslTeardown));
    self->effects = g_array_new(FALSE, TRUE, sizeof(CslEffect));
    self->reads = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    return self;
}

void csl_pe_class_free(CslPeClass *self)
{
    if (self == NULL) {
        return;
    }
    g_ptr_array_free(self->modules, TRUE);
    g_ptr_array_free(self->instances, TRUE);
    g_array_free(self->tasks, TRUE);
    g_array_free(self->actions, TRUE);
    g_array_free(self->queues, TRUE);
    g_array_free(self->colors, TRUE);
    g_array_free(self->exports, TRUE);
    g_array_free(self->fifos, TRUE);
    g_array_free(self->dsrs, TRUE);
    g_array_free(self->teardowns, TRUE);
    g_array_free(self->effects, TRUE);
    g_array_free(self->reads, TRUE);
    g_free(self);
}
