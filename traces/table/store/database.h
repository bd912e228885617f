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
} TraceStoreDatabase;

/* Takes the file for this process alone, other than to read, and makes it where there
 * is none. Fails with TRACE_ERROR_WRITE or TRACE_ERROR_READ; closed in any case. */
bool trace_store_database_open(TraceStoreDatabase *self,
                               const char *path,
                               GError **error);
void trace_store_database_close(TraceStoreDatabase *self);

/* Is the file still under its name? What is written to one that was removed or replaced
 * is gone when this process ends. */
bool trace_store_database_is_there(const TraceStoreDatabase *self);

/* Says what SQLite has to complain of; returns false. */
bool trace_store_database_fail(const TraceStoreDatabase *self, GError **error);

bool trace_store_database_execute(const TraceStoreDatabase *self,
                                  const char *sql,
                                  GError **error);

/* The caller finalizes it; NULL on failure. */
sqlite3_stmt *trace_store_database_prepare(const TraceStoreDatabase *self,
                                           const char *sql,
                                           GError **error);

/* The text that a query with one place, which `word` fills, gives first; NULL where it
 * gives none, or fails. The caller frees it. */
char *trace_store_database_ask(const TraceStoreDatabase *self,
                               const char *sql,
                               const char *word);
