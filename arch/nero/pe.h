/* A processing element at work on its windows: reader, one or two sweeps, writer, each
 * with its own pace, and the buffers between them. Where grids are not in the board's
 * memory, two more bring windows from the host and take them back. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/nero.h"
#include "arch/nero/board.h"
#include "arch/nero/channel.h"
#include "arch/nero/move.h"
#include "arch/nero/part.h"
#include "arch/nero/task.h"
#include "sim/channel.h"
#include "sim/process.h"
#include "sim/semaphore.h"

typedef struct NeroPe NeroPe;

typedef struct {
    SimProcess *process;
    NeroPart *part; /* the board's */
    NeroMove move;
    NeroPort port;
    NeroAsker asker;
    bool is_held; /* until it may ask */
    guint step;
    uint64_t window;  /* of this PE, that it is at */
    uint64_t address; /* of the next burst */
    uint64_t bytes;   /* of it that have arrived */
    guint planes;     /* of it that have been handed on */
} NeroReader;

typedef struct {
    NeroPe *pe;
    guint index;
    SimProcess *process;
    NeroPart *part; /* the board's */
    guint step;
    uint64_t window;
    guint plane;  /* of the window, that it is at */
    guint inputs; /* planes of the window that it has taken */
} NeroSweep;

typedef struct {
    SimProcess *process;
    NeroPart *part; /* the board's */
    NeroMove move;
    NeroPort port;
    guint step;
    uint64_t window;
    uint64_t address; /* of the next burst in memory */
    guint plane;
    NeroState wait;     /* why its port had nothing before the present burst */
    bool is_blocked;    /* has waited for space in the store since the last burst */
    uint64_t passed;    /* bytes through its port, since the start */
    uint64_t requested; /* of memory */
    uint64_t bytes;     /* acknowledged */
    uint64_t written;   /* windows of which all is */
} NeroWriter;

/* Between host and store; a store is in the board's memory or on chip. */
typedef struct {
    SimProcess *process;
    NeroMove move;
    guint step;
    uint64_t window;
    uint64_t address; /* of the next burst in the store */
    uint64_t bytes;   /* of it that have arrived */
} NeroCarrier;

struct NeroPe {
    const NeroTask *task;
    guint index;
    uint64_t window_count;
    NeroChannel *channel;
    SimSemaphore *window_copies; /* that are free */
    SimChannel *planes;          /* of windows, from the reader to the first sweep */
    SimSemaphore *between_free;  /* copies of the buffer between the sweeps */
    SimSemaphore *between_full;
    SimChannel *output; /* planes of results */
    guint computing;    /* sweeps, now */
    SimTime computing_since;
    /* Of windows in the store; NULL where grids are in the board's memory. */
    SimSemaphore *inlets_free;
    SimSemaphore *inlets_full;
    SimSemaphore *outlets_free;
    SimSemaphore *outlets_full;
    NeroReader reader;
    NeroSweep sweeps[ARCH_NERO_SWEEPS];
    NeroWriter writer;
    NeroCarrier stager;   /* host to store */
    NeroCarrier returner; /* store to host */
};

NeroPe *nero_pe_new(const NeroTask *task, guint index);
void nero_pe_free(NeroPe *self);
/* Puts its parts to work in the present. */
void nero_pe_start(NeroPe *self);

/* The grid's window that is number `window` of the PE, and bytes that are read for it.
 */
NeroWindow nero_pe_window(const NeroPe *self, uint64_t window);
uint64_t nero_pe_window_bytes(const NeroPe *self, uint64_t window);
guint nero_pe_window_planes(const NeroPe *self, uint64_t window);
/* Bytes that are written for a window. */
uint64_t nero_pe_result_bytes(const NeroPe *self);
/* Where a window begins in its channel, for reading, or its results: from page to page,
 * inputs in the lower half of the PE's share. */
uint64_t nero_pe_window_address(const NeroPe *self, uint64_t window);
uint64_t nero_pe_result_address(const NeroPe *self, uint64_t window);

/* Whether no event of the PE is pending. */
bool nero_pe_is_at_rest(const NeroPe *self);

/* Makes the process of a part, named "pe[3].reader" with `part` after the dot. */
SimProcess *nero_pe_process_new(const NeroPe *self,
                                const char *part,
                                NeroKey key,
                                SimResumeFunc resume,
                                gpointer data);
/* Bursts are the board's, and `data` of hops is the PE; the rest is as in `config`. */
void nero_pe_move_init(NeroPe *self,
                       NeroMove *move,
                       NeroKey key,
                       const NeroMoveConfig *config);
/* A port to the memory that holds its windows. */
NeroPort nero_pe_port(const NeroPe *self);

/* Parts: made with their PE. */
void nero_reader_init(NeroPe *pe);
void nero_reader_clear(NeroPe *pe);
/* If it waits until it may ask, it asks again whether it may. */
void nero_reader_go_on(NeroPe *pe);
void nero_sweep_init(NeroPe *pe, guint index);
void nero_sweep_clear(NeroPe *pe, guint index);
void nero_writer_init(NeroPe *pe);
void nero_writer_clear(NeroPe *pe);
void nero_stager_init(NeroPe *pe);
void nero_returner_init(NeroPe *pe);
void nero_carrier_clear(NeroCarrier *self);
