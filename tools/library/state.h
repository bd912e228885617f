/* What a Gridloom holds. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/library/gridloom.h"
#include "tools/library/program.h"

struct Gridloom {
    char *program; /* the path of `gridloom`; NULL: there is none */
    char *folder;  /* of its files; NULL: none could be made */
    char *chip;    /* NULL: the usual one */
    char *numbers; /* the chip's, as JSON; or NULL */
    int kind;      /* what is loaded: a GridloomKind */
    char *name;    /* NULL: nothing */
    /* Words of the line: name=value, or, of options without a value, the name. */
    GPtrArray *settings;
    GPtrArray *params;
    GPtrArray *options;
    GPtrArray *inputs; /* name=FILE */
    GPtrArray *outputs;
    GPtrArray *arguments;
    LibraryAnswer answer; /* of the last run */
    GPtrArray *texts;     /* that were given out, of it */
    GPtrArray *arrays;    /* of LibraryArray, likewise */
    char *error;          /* never NULL */
};

/* An output that was read. */
typedef struct LibraryArray LibraryArray;
void library_array_free(gpointer self);

/* Both set the error of the last call; the second returns the code. */
int library_done(Gridloom *self);
int library_fail(Gridloom *self, int code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Calls the program, in whose answer files of ours go by their names. Sets the error
 * and returns the code; the caller clears the answer. */
int library_call(Gridloom *self, LibraryAnswer *answer, LibraryCall call);

/* Forgets the last run. */
void library_forget(Gridloom *self);

/* The file of an array, in the folder `way`: "in" or "out". The caller frees it. */
char *library_array_file(const Gridloom *self, const char *way, const char *name);
