/* Explains the reasons for waiting. */
#include "traces/result/wait.h"

#include <glib.h>

static const struct {
    const char *reason;
    const char *words;
    const char *meaning;
} waits[] = {
    /* Tensix */
    {"circular_buffer", "circular buffers",
     "a kernel or unit waits for pages that nobody has pushed yet, or for space in a "
     "circular buffer"},
    {"noc", "the NoC",
     "a data mover waits for its transfers to end (a barrier), or for a place in the "
     "NoC's command queue"},
    {"dst", "Dst registers",
     "a unit waits for a free half of Dst, or for results in it"},
    {"src", "Src registers",
     "a unit waits for operands in SrcA and SrcB, or for a free bank of them"},
    {"semaphore", "semaphores", "a kernel waits until another core sets a semaphore"},
    {"unit", "units to end what they do",
     "a RISC-V waits for a unit to drain, or for a place in its instruction FIFO"},
    {"bank_conflict", "banks of L1",
     "an access waits because another one uses the same bank of L1"},
    {"issue", "instructions", "a unit has no instruction yet: the kernel sent none"},
    {"fabric", "ports to other chips",
     "a kernel waits for a slot of an Ethernet port, or until its messages have left"},
    {"unattributed", "unattributed time",
     "a measured cost that no public source explains, from a calibrated constant"},
    {"pcie_queue", "pcie queue",
     "a kernel waits for a place in the queue of the host's link"},
    {"pcie_barrier", "pcie barrier",
     "a kernel waits until its transfers over the host's link have ended"},
    /* Wafers */
    {"memory_idle", "banks of memory",
     "a PE's datapath waits because operands lie in the same bank of its memory"},
    {"other_idle", "data and tasks",
     "a PE has nothing to compute: it waits for wavelets, for space to send, or for a "
     "task"},
    /* NERO boards */
    {"control", NULL, "a part waits for the control unit to give it a window"},
    {"link", NULL, "a part waits for a window to come from the host, or to go there"},
    {"memory", NULL, "a part waits for bursts of memory that are under way"},
    {"buffer", NULL, "a part waits for space in the buffer behind it"},
    {"input", NULL, "a part waits for planes of its input"},
    {"recurrence", NULL, "a part waits for values that the plane before it leaves"},
    {"drain", NULL, "a part waits for its pipeline to run empty"},
    {"turnaround", NULL,
     "a memory channel turns from reading to writing, or from writing to reading"},
    /* All of them */
    {"busy", NULL, "work is done"},
    {"idle", NULL, "no program runs there, or it has ended"},
};

const char *trace_wait_words(const char *reason)
{
    for (gsize i = 0; i < G_N_ELEMENTS(waits); i++) {
        if (g_str_equal(reason, waits[i].reason)) {
            return waits[i].words;
        }
    }
    return NULL;
}

const char *trace_wait_meaning(const char *reason)
{
    for (gsize i = 0; i < G_N_ELEMENTS(waits); i++) {
        if (g_str_equal(reason, waits[i].reason)) {
            return waits[i].meaning;
        }
    }
    return NULL;
}
