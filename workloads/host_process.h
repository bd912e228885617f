/* Host programs: processes of their own that ask the simulator over a socket. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    const char *path;       /* of the program, or its name on the PATH */
    char *const *arguments; /* NULL-terminated */
    const char *socket;     /* the environment variable that gets the socket's number */
    char **variables;       /* the environment besides; taken */
    bool is_quiet;          /* what it prints goes to standard error */
} WlHostOrder;

/* A process, and our end of the socket. */
typedef struct {
    GPid pid;
    int socket;
} WlHostProcess;

bool wl_host_start(WlHostOrder *order, WlHostProcess *process, GError **error);

/* Waits for its end; -1 - N if signal N ended it. */
int wl_host_wait(const WlHostProcess *process);
