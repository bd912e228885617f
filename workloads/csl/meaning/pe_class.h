/* One program of PEs: all PEs with the same code and parameters share it. */
#pragma once

#include "workloads/csl/meaning/color_config.h"
#include "workloads/csl/meaning/layout.h"

/* Task ids share one space of numbers on WSE-2; which kinds they are is in `kind`. */
typedef struct {
    const CslType *kind; /* CSL_T(LOCAL_TASK_ID), DATA_TASK_ID or CONTROL_TASK_ID */
    uint32_t id;
    CslGlobal *task;
    CslPlace place;
} CslTaskBinding;

typedef enum {
    CSL_ACTION_ACTIVATE,
    CSL_ACTION_BLOCK,
    CSL_ACTION_UNBLOCK,
} CslActionKind;

/* What a comptime block does to a task id before the program starts; in order. */
typedef struct {
    CslActionKind kind;
    CslValue id; /* an id, a color, a queue, or a task */
    CslPlace place;
} CslAction;

typedef struct {
    bool is_input;
    uint32_t queue;
    int32_t color;           /* -1: none */
    const CslStruct *fields; /* all that was given, or NULL */
    CslPlace place;
} CslQueueBinding;

typedef struct {
    uint32_t color;
    CslColorConfig config;
    CslPlace place;
} CslLocalColor;

typedef struct {
    const char *name;
    CslGlobal *global; /* a pointer variable, or a function */
    CslPlace place;
} CslExport;

typedef struct {
    CslGlobal *buffer;
    const CslStruct *fields; /* activate_push and so on, or NULL */
    CslPlace place;
} CslFifo;

typedef struct {
    const CslType *kind; /* CSL_T(DSR_DEST) ... */
    uint32_t number;
    CslPlace place;
} CslDsrUse;

typedef struct {
    CslGlobal *handler;
    uint32_t color;
    CslPlace place;
} CslTeardown;

/* A builtin with an effect that only code generation understands, with its arguments:
 * @load_to_dsr, @set_config and so on, in order. */
typedef struct {
    const char *name;
    const CslStruct *arguments; /* a tuple */
    CslPlace place;
} CslEffect;

struct CslPeClass {
    CslModule *root;
    GPtrArray *modules;   /* CslModule, in the order of their imports; root first */
    GArray *tasks;        /* CslTaskBinding */
    GArray *actions;      /* CslAction */
    GArray *queues;       /* CslQueueBinding */
    GArray *colors;       /* CslLocalColor */
    GArray *exports;      /* CslExport */
    GArray *fifos;        /* CslFifo; a FIFO's value is its index */
    GArray *dsrs;         /* CslDsrUse */
    GArray *teardowns;    /* CslTeardown */
    GArray *effects;      /* CslEffect */
    GPtrArray *instances; /* CslInstance (typed.h): functions that can be reached */
    GArray *reads;        /* uint32_t: params of the root that were read, in order */
    uint64_t pe_count;
};

CslPeClass *csl_pe_class_new(void);
void csl_pe_class_free(CslPeClass *self);
