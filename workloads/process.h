/* A run of this program in its own process: SimGrid allows one engine per process. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

/* Exit codes of the program that tell how a run failed; 0: it is done. */
enum {
    WL_EXIT_INPUT = 1,
    WL_EXIT_UNMODELLED = 2,
    WL_EXIT_STOPPED = 3,
};

typedef struct {
    JsonNode *result; /* an object; NULL if there is none */
    char *why;        /* why it failed, in one line; NULL if it did not */
    int code;         /* exit code; WL_EXIT_STOPPED if a signal ended it */
} WlProcess;

/* Runs `gridloom COMMAND WORDS --json -` to its end. A run whose check failed has a
 * result, too. The caller clears the return value. */
WlProcess wl_process_do(const char *command, const char *const *words);

/* The words of the process, beginning with the program; the caller frees them. Fails if
 * the program's path is not known. */
char **
wl_process_command(const char *command, const char *const *words, GError **error);

/* The outcome of a process that has ended, from its output and its status by wait(). */
WlProcess wl_process_read(const char *out, const char *complaints, int status);

/* The object of its result, borrowed; NULL if there is none. */
JsonObject *wl_process_result(const WlProcess *self);
/* The status of its check, "pass", "fail" or "skipped"; NULL if there is no result or,
 * in files of others, no check. */
const char *wl_process_check(const WlProcess *self);
void wl_process_clear(WlProcess *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WlProcess, wl_process_clear)

/* Did script, chip or model refuse the run? Anything else is a failure. */
bool wl_process_is_refused(const WlProcess *self);

/* The run's complaint on standard error, without the program's name, and with the name
 * of the command that has the option of a limit; else how the process ended, by its
 * status of wait(). The caller frees it. */
char *wl_process_complaint(const char *complaints, int status);

/* Builds the words of a run, one after another. */

/* Adds an option and its value; nothing if the value is NULL. If the option is NULL,
 * adds the value alone. */
void wl_words_option(GPtrArray *words, const char *option, const char *value);

/* The same for a number, and for each text of a NULL-terminated list, which may be
 * NULL. */
void wl_words_count(GPtrArray *words, const char *option, uint64_t count);
void wl_words_each(GPtrArray *words, const char *option, char *const *values);

/* Frees the array; the caller frees the words, with g_strfreev(). */
char **wl_words_end(GPtrArray *words);

/* The command and words of a line in a suite or a figure: `run` and its words with this
 * many threads, 0 for the usual ones, or another command after `gridloom`. The caller
 * frees them. Others may have written the file: fails with WL_ERROR_SYNTAX if the line
 * has a command or an option that may do more than compute, and with G_SHELL_ERROR if
 * quotes do not match or it is a validation. */
char **wl_words_of_line(const char *text, guint threads, GError **error);
