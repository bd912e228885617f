/* Files, and the modules that imports make of them: each has its own globals. */
#pragma once

#include "workloads/csl/meaning/value.h"

typedef struct CslPeClass CslPeClass;

typedef struct {
    char *path;
    char *folder; /* that relative imports start from */
    CslSource *source;
    CslTree *tree;
} CslFile;

void csl_file_free(CslFile *self);

typedef enum {
    CSL_UNTOUCHED, /* nobody has asked for it: it is not analysed */
    CSL_IN_PROGRESS,
    CSL_KNOWN,
    CSL_FAILED, /* an error was reported */
} CslState;

/* A global of one module: const, var, param, fn or task. */
struct CslGlobal {
    CslModule *module;
    const CslNode *node;
    CslState state;
    CslState type_state;
    CslState body_state; /* CSL_KNOWN: a function that touches nothing of the PE */
    const CslType *type; /* when type_state is CSL_KNOWN */
    CslValue value; /* when state is CSL_KNOWN: that of const and param, the initial one
                     * of var, itself for functions */
    uint32_t align_bytes; /* 0: what its type needs */
};

struct CslModule {
    const CslFile *file;
    const CslStruct *bindings; /* of its params; NULL for none */
    CslPeClass *pe;     /* the class whose memory holds its globals; NULL in a layout */
    CslGlobal *globals; /* as many as the file has, in their order */
    bool has_run;       /* its comptime blocks */
};

const char *csl_global_name(const CslGlobal *self);
CslPlace csl_global_place(const CslGlobal *self);
/* The global of that number; of an extern one what another module of the PE exports
 * under its name. */
CslGlobal *csl_module_at(CslModule *self, uint32_t slot);
/* The global of that interned name, or NULL. */
CslGlobal *csl_module_find(CslModule *self, const char *name);
