/* A database file that one process writes at a time, and statements to it. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

#include <glib.h>

typedef struct {
    char *path;
    bool is_new; /* it was not there */
    int lock;    /* a descriptor; closed last: closing one ends all locks of SQLite's */
    sqlite3 *sqlite;
} SweepDatabase;

/* Takes the file for this process alone, other than to read, and makes it where there
 * is none. Fails with TRACE_ERROR_WRITE or TRACE_ERROR_READ; closed in any case. */
bool sweep_database_open(SweepDatabase *self, const char *path, GError **error);
void sweep_database_close(SweepDatabase *self);

/* Is the file still under its name? What is written to one that was removed or replaced
 * is gone when this process ends. */
bool sweep_database_is_there(const SweepDatabase *self);

/* Says what SQLite has to complain of; returns false. */
bool sweep_database_fail(const SweepDatabase *self, GError **error);

bool sweep_database_execute(const SweepDatabase *self, const char *sql, GError **error);

/* The caller finalizes it; NULL on failure. */
sqlite3_stmt *
sweep_database_prepare(const SweepDatabase *self, const char *sql, GError **error);

/* The text that a query with one place, which `word` fills, gives first; NULL where it
 * gives none, or fails. The caller frees it. */
char *sweep_database_ask(const SweepDatabase *self, const char *sql, const char *word);
