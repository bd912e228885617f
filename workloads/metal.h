/* A program of tt-metal's kind: its host part, a process of its own, asks for memory,
 * transfers and launches over a socket; its kernels are compiled and run here. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/host_process.h"

typedef struct WlMetal WlMetal;

/* Takes the socket, over which the host program sends what workloads/host/message.h
 * describes. `includes` (NULL: none), which stay the caller's, are folders that kernels
 * include from. */
WlMetal *wl_metal_new(int socket, char *const *includes);
void wl_metal_free(WlMetal *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlMetal, wl_metal_free)

/* The program made of a C++ file, which may include from further folders (`includes`,
 * NULL: none), with our headers in place of tt-metal's; kept in the
 * user's cache folder. Any other file is taken for a program. The caller frees the
 * path. Fails with WL_ERROR_SYNTAX and the compiler's words, or as files do. */
char *wl_metal_host_make(const char *given, char *const *includes, GError **error);

typedef struct {
    const char *path;    /* of the program */
    const char *source;  /* as given: kernels are looked for beside it, too */
    const char *kernels; /* a folder where kernels are looked for first; NULL: none */
    char *const *arguments; /* NULL-terminated */
    bool is_quiet;          /* what it prints goes to standard error */
} WlMetalHostOrder;

bool wl_metal_host_start(const WlMetalHostOrder *order,
                         WlHostProcess *process,
                         GError **error);
