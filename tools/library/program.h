/* The program `gridloom`, which does all the work: each call is a process. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/library/gridloom.h"
#include "workloads/process.h"

/* $GRIDLOOM, or the program beside this library or in its installation, or the one on
 * the PATH. The caller frees it; NULL if there is none. */
char *library_program_find(void);

typedef struct {
    char *const *words; /* the program, then its line */
    const char
        *folder;      /* of the files "printed", "complaints" and "result", its JSON */
    const char *pipe; /* a named pipe that it tells its progress; NULL: none */
    bool has_no_result;            /* it only checks */
    GridloomProgressFunc progress; /* NULL: nobody looks */
    void *data;
} LibraryCall;

typedef struct {
    WlProcess process;
    char *result;  /* text of its JSON; NULL: none */
    char *printed; /* never NULL */
} LibraryAnswer;

/* Runs the program to its end. A run without a result has failed. The caller clears the
 * answer. */
LibraryAnswer library_program_call(const LibraryCall *call);
void library_answer_clear(LibraryAnswer *self);
