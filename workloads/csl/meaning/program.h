/* A CSL program: files, the layout, the classes of PEs. What code generation starts
 * from. */
#pragma once

#include "workloads/csl/meaning/layout.h"
#include "workloads/csl/meaning/pe_class.h"
#include "workloads/csl/syntax/diagnostic.h"

typedef struct {
    const char *arch;                /* "wse2" or "wse3" */
    const char *const *parameters;   /* "name:1", NULL at the end; or NULL */
    const char *const *colors;       /* likewise */
    const char *const *import_paths; /* where <lib> is looked for, in order */
    uint32_t fabric_width;           /* 0: as the rectangle needs */
    uint32_t fabric_height;
    uint32_t offset_x; /* of the rectangle in the fabric */
    uint32_t offset_y;
    uint32_t memory_bytes; /* of a PE beside its code; 0: not checked */
    uint64_t step_limit;   /* of all comptime evaluation; 0 for the usual one */
} CslOptions;

typedef struct {
    CslOptions options;
    CslDiagnostics *to;
    GStringChunk *names;
    CslArena *arena; /* of types and values */
    CslTypes *types;
    CslValues *values;
    GHashTable *predeclared; /* interned name -> CslValue */
    GHashTable *files;       /* path -> CslFile */
    GPtrArray *modules;      /* CslModule, all */
    CslModule *root;         /* the file with the layout */
    CslLayout *layout;
    GPtrArray *classes;  /* CslPeClass */
    uint32_t memo_count; /* of expressions that layouts remember */
} CslProgram;

/* Strings of `options` stay the caller's and must outlive the program. Reports go to
 * `to`. */
CslProgram *csl_program_new(const CslOptions *options, CslDiagnostics *to);
void csl_program_free(CslProgram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CslProgram, csl_program_free)

/* Parses the root file, runs its layout, makes the classes of PEs. A root file without
 * a layout is checked as the code of one PE. True if there was no error. Call once. */
bool csl_program_load(CslProgram *self, const char *path);

/* The same for a text that stands for a file of that name. */
bool csl_program_load_text(CslProgram *self, const char *path, const char *text);

/* The file at a path, parsed once; NULL after a report at `place`. */
const CslFile *csl_program_file(CslProgram *self, const char *path, CslPlace place);

/* Where `path` of an import leads: "<lib>" in the import paths, others beside `from`,
 * or beside the root file. NULL if there is no such file. The caller frees it. */
char *csl_program_find(const CslProgram *self, const CslFile *from, const char *path);

/* A new module of a file; its globals are not evaluated. */
CslModule *csl_module_new(CslProgram *self,
                          const CslFile *file,
                          const CslStruct *bindings,
                          CslPeClass *pe);

const char *csl_name(CslProgram *self, const char *text); /* interned */
