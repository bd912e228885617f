/* The state of one PE and its router. One block of bytes holds all of it, so that a
 * wafer is one array: this head, then as much as any program of the layout needs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/program/program.h"
#include "arch/wse/router/token.h"
#include "arch/wse_layout.h"

#define WSE_NEVER UINT32_MAX

enum {
    WSE_NEAR_CYCLES = 8,
    WSE_LINKS = 4,
    WSE_NO_RING = 0xff,
    WSE_MAIN = WSE_THREADS, /* index of the main thread's operation */
};

/* Bits of what is due for a visit: the colors of the router, by slot, and these. */
#define WSE_DUE_OUTPUTS (UINT32_C(1) << 30)
#define WSE_DUE_CE      (UINT32_C(1) << 31)
#define WSE_DUE_ALL     UINT32_MAX

typedef enum {
    WSE_IDLE,      /* no task */
    WSE_BEGINNING, /* a task is to run from its start */
    WSE_RUNNING,   /* executes the instruction at `pc` next */
    WSE_SETTING,   /* the operation at `pc` starts after its set-up */
    WSE_STARTING,  /* a synchronous operation begins */
    WSE_WAITING,   /* a synchronous operation goes on element by element */
} WseMainState;

/* A vector operation under way. */
typedef struct {
    uint32_t at; /* first cycle in which it can issue */
    uint16_t instruction;
    uint16_t length; /* in elements */
    uint16_t done;
    uint8_t stall;  /* cycles after each step */
    uint8_t age;    /* start order, for arbitration by age */
    bool is_single; /* takes and sends single wavelets only */
    uint8_t usual;  /* if its steps are those of single.h: elements of each, else 0 */
    /* If they are: */
    uint8_t input; /* its rings, or WSE_NO_RING */
    uint8_t output;
    uint8_t cycles;  /* from a step until the issue slot is free */
    uint8_t reissue; /* and until it can issue again */
    uint16_t flags;  /* of what it sends last; WSE_TOKEN_ADVANCE only then */
    int16_t offsets[WSE_OPERANDS];
} WseThread;

/* One color of the router. */
typedef struct {
    /* As its switch is now, see pass.h. The first is WSE_NO_RING if its way is not
     * usual, the others if it does not go there. */
    uint8_t from;    /* ring that it is taken from */
    uint8_t over;    /* ring of the neighbour that it goes to */
    uint8_t into;    /* ring of the input queue that it goes to */
    uint8_t link;    /* to that neighbour */
    bool is_eager;   /* the queue is read before a stream has fully arrived */
    uint8_t outputs; /* that it sends to */
    uint8_t position;
    uint8_t sent; /* outputs that already have the front token */
    bool is_torn_down;
    uint8_t rx; /* position 0 after a rewrite, else 0 */
    uint8_t tx;
    uint8_t rings[ARCH_WSE_DIRECTIONS]; /* where its wavelets wait, by origin */
    uint8_t next[WSE_LINKS];            /* ring of the neighbour that receives them */
    uint8_t queue;                      /* input queue that it is bound to, or 0xff */
    uint8_t round;                      /* of its filter: how often it began again */
    uint16_t counter;                   /* of its filter */
} WseColor;

typedef struct {
    uint32_t since;
    uint16_t alive;
    uint16_t unused;
} WsePhase;

typedef struct {
    uint32_t pushed;
    uint32_t popped;
} WseFifo;

/* By lines of the host's cache: what routers and neighbours need is in the first, what
 * a CE needs in every visit in the second. */
typedef struct {
    uint32_t due[WSE_NEAR_CYCLES]; /* what to visit in each of the next cycles */
    uint32_t pending;              /* bit: color (by slot) with tokens in the router */
    uint32_t kind;
    uint32_t link_free[WSE_LINKS]; /* when the next token may take the link */
    uint32_t ramp_in_free;
    uint16_t strip;      /* of the wafer, in whose wheel its visits are */
    uint8_t first_color; /* slot that is served first */
    uint8_t first_queue;
    /* 64 bytes */
    uint32_t ramp_out_free;
    uint32_t issue_free; /* when the issue slot is free */
    uint32_t ce_wake; /* cycle for which its CE was last put into the wheel; WSE_NEVER
                       * if it naps */
    uint32_t main_at; /* first cycle in which the main thread can issue */
    uint32_t work;    /* cycles that the main thread still has to issue */
    uint32_t work_stalls; /* stall cycles that follow them */
    uint8_t threads;      /* bit: under way */
    uint8_t raised;       /* bit: of a priority above the main thread's */
    uint8_t main;         /* WseMainState */
    uint8_t task;         /* under way or the last; control tasks from 128 on */
    uint8_t last_thread;
    uint8_t age;
    bool is_main_next; /* alternating: the last issue was a microthread's */
    bool has_switched; /* the current thread has not issued since the switch to it */
    uint8_t inputs;    /* bit: input queue with tokens */
    uint8_t outputs;   /* bit: output queue with tokens for which there may be room */
    uint8_t full;      /* bit: output queue without room */
    uint8_t unusual; /* bit: thread that needs more than single.h has for all visits */
    uint16_t pc;
    uint16_t launched; /* entry of the program that was launched last, from 1 on */
    uint8_t wants[WSE_THREADS]; /* by thread: input queues without whose wavelets it
                                 * does nothing */
    uint8_t gives[WSE_THREADS]; /* output queue, as a bit, that it needs room in */
    uint8_t bound[WSE_INPUT_QUEUES]; /* color, by slot, that a queue is bound to */
    /* 128 bytes */
    uint64_t activated;
    uint64_t blocked;
    uint64_t urgent; /* tasks of high priority */
    uint32_t busy;
    uint32_t memory_idle;
    uint32_t remainder; /* of stalls, in parts of a cycle */
    uint32_t end;       /* end of the CE's last work */
    uint32_t iteration;
    uint32_t zone_since;
    uint32_t work_since; /* if it works: the main thread has all cycles from here */
    uint32_t ahead;      /* its CE is already there */
    uint32_t behind;     /* its CE naps, and does the next thing then; WSE_NEVER: has
                          * nothing to do; 0: does not nap */
    uint32_t link_parts[WSE_LINKS]; /* of a cycle, by which they are taken longer */
    uint32_t ramp_in_parts;
    uint32_t ramp_out_parts;
    uint16_t zone; /* instruction that began the current zone, or ARCH_WSE_NONE */
    bool is_over;  /* the PE has ended its launch, as far as the host is concerned */
} WsePe;
