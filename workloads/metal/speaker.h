/* A RISC-V of a core that runs a kernel, as it is heard: what it prints, what it tells
 * the profiler, and where its time went. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/metal/record.h"
#include "workloads/tensix/print.h"

typedef struct {
    const MetalImage *image;
    ArchRiscvIndex riscv;
    KernelLines *lines; /* where what it prints goes; NULL: nowhere */
    GString *pending;   /* the line it has begun */
    char *who;          /* "core[0,0] BRISC" */
    char *head; /* what stands before a line instead; NULL: that, and the cycle */
    guint rank;
    MetalMarks marks;
    uint64_t *by_line; /* cycles on each line of the image, by ArchRiscvReason */
    ArchRiscvEnd end;
    uint32_t arguments; /* address of its runtime arguments */
    guint argument_count;
    uint32_t stray; /* the first that it read behind them; 0: none */
    SimTime ended;  /* when its kernel had, with all that it commands */
    bool is_over;   /* its kernel has ended; set in its region */
} MetalSpeaker;

/* All but `riscv`, `lines`, `who`, `head`, `rank` and arguments, which the caller sets.
 * Marks are kept if `is_profiled`. */
MetalSpeaker *metal_speaker_new(const MetalImage *image, bool is_profiled);
void metal_speaker_free(MetalSpeaker *self);

ArchRiscvListener metal_speaker_listener(MetalSpeaker *self);

/* What is worth a note: runtime arguments that nobody has set, transfers that it has
 * not waited for. The caller frees them; NULL: nothing. */
char *metal_speaker_stray_note(const MetalSpeaker *self, const char *kernel);
char *metal_speaker_transfer_note(const MetalSpeaker *self, const char *kernel);

/* Ends the line that it has begun. */
void metal_speaker_flush(MetalSpeaker *self, SimTime now);

/* Adds its zones, with those of its processor's firmware from `start` to `end`. */
void metal_speaker_log(const MetalSpeaker *self,
                       MetalLog *log,
                       const MetalLogRow *place,
                       SimTime start,
                       SimTime end);

/* A zone of the firmware, which has no line. */
void metal_log_add_zone(MetalLog *log,
                        const MetalLogRow *place,
                        const char *zone,
                        SimTime begin,
                        SimTime end);
