/* A run of this program as a process of its own: SimGrid allows one engine in each. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

/* Exit codes of the program that say what became of a run; 0: it is done. */
enum {
    WL_EXIT_INPUT = 1,
    WL_EXIT_UNMODELLED = 2,
    WL_EXIT_STOPPED = 3,
};

typedef struct {
    JsonNode *result; /* an object; NULL where there is none */
    char *why;        /* it failed, in one line; NULL where it did not */
    int code;         /* that it exited with; WL_EXIT_STOPPED where a signal ended it */
} WlProcess;

/* Runs `gridloom COMMAND WORDS --json -`, to its end. A run whose check failed has a
 * result, too. The caller clears what is returned. */
WlProcess wl_process_do(const char *command, const char *const *words);

/* The words of the process, the program first; the caller frees them. Fails where the
 * program is not known. */
char **
wl_process_command(const char *command, const char *const *words, GError **error);

/* What a process that has ended leaves: the texts it wrote, and its status as wait()
 * has it. */
WlProcess wl_process_read(const char *out, const char *complaints, int status);

/* The object of its result, borrowed; NULL where there is none. */
JsonObject *wl_process_result(const WlProcess *self);
/* "pass", "fail" or "skipped" of its check; NULL where there is no result. */
const char *wl_process_check(const WlProcess *self);
void wl_process_clear(WlProcess *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WlProcess, wl_process_clear)

/* Script, chip or model say that it cannot be; anything else is a failure. */
bool wl_process_is_refused(const WlProcess *self);

/* The line with which a run complained on standard error, without the program's name;
 * else how it ended, by what wait() says. The caller frees it. */
char *wl_process_complaint(const char *complaints, int status);

/* The words of a run, one after another. */

/* Adds the option and its value; nothing where that is NULL. Where the option is NULL,
 * the value is a word of its own. */
void wl_words_option(GPtrArray *words, const char *option, const char *value);

/* The same for a number, and for each of a list, which ends with NULL or is NULL. */
void wl_words_count(GPtrArray *words, const char *option, uint64_t count);
void wl_words_each(GPtrArray *words, const char *option, char *const *values);

/* Frees the array; the caller frees the words, with g_strfreev(). */
char **wl_words_end(GPtrArray *words);

/* The command and words that a line of a suite means: `run` and its words, with so many
 * threads, or another command behind `gridloom`. Fails where quotes do not match, and
 * where it is a validation. The caller frees them. */
char **wl_words_of_line(const char *text, guint threads, GError **error);
