/* A run of this program as a process of its own: SimGrid allows one engine in each. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

typedef struct {
    JsonNode *result; /* an object; NULL where there is none */
    char *why;        /* it failed, in one line; NULL where it did not */
    int code;         /* that it exited with; EXIT_STOPPED where a signal ended it */
} CmdRunProcess;

/* Runs `gridloom COMMAND WORDS --json -`, to its end. A run whose check failed has a
 * result, too. The caller clears what is returned. */
CmdRunProcess cmd_run_process_do(const char *command, const char *const *words);

/* The words of the process, the program first; the caller frees them. Fails where the
 * program is not known. */
char **
cmd_run_process_command(const char *command, const char *const *words, GError **error);

/* What a process that has ended leaves: the texts it wrote, and its status as wait()
 * has it. */
CmdRunProcess cmd_run_process_read(const char *out, const char *complaints, int status);

/* The object of its result, borrowed; NULL where there is none. */
JsonObject *cmd_run_process_result(const CmdRunProcess *self);
void cmd_run_process_clear(CmdRunProcess *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdRunProcess, cmd_run_process_clear)

/* The line with which a run complained on standard error, without the program's name;
 * else how it ended, by what wait() says. The caller frees it. */
char *cmd_run_process_complaint(const char *complaints, int status);
