/* Host programs: compiled from source, or ready, and started as a process that talks to
 * the simulator over a socket. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* The program made of a C++ file, with our headers in place of tt-metal's; kept in the
 * user's cache folder. Any other file is taken for a program. The caller frees the
 * path. Fails with WL_ERROR_SYNTAX and the compiler's words, or as files do. */
char *metal_host_program_make(const char *given, GError **error);

typedef struct {
    const char *path;    /* of the program */
    const char *source;  /* as given: kernels are looked for beside it, too */
    const char *kernels; /* a folder where kernels are looked for first; NULL: none */
    char *const *arguments; /* NULL-terminated */
} MetalHostOrder;

/* A process, and our end of the socket. */
typedef struct {
    GPid pid;
    int socket;
} MetalHostProcess;

bool metal_host_program_start(const MetalHostOrder *order,
                              MetalHostProcess *process,
                              GError **error);

/* Waits for its end; -1 - N if signal N ended it. */
int metal_host_program_wait(const MetalHostProcess *process);
