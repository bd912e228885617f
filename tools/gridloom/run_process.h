/* A run of this program as a process of its own: SimGrid allows one engine in each. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct {
    JsonNode *result; /* an object; NULL where there is none */
    char *why;        /* it failed, in one line; NULL where it did not */
    int code;         /* that it exited with; EXIT_STOPPED where a signal ended it */
} RunProcess;

/* Runs `gridloom COMMAND WORDS --json -`, to its end. A run whose check failed has a
 * result, too. The caller clears what is returned. Several threads may call it at once.
 */
RunProcess run_process_do(const char *command, const char *const *words);
void run_process_clear(RunProcess *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RunProcess, run_process_clear)
