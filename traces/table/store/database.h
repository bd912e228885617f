/* A database file that one process at a time writes, and its statements. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

#include <glib.h>

typedef struct {
    char *path;
    bool is_new; /* the file did not exist */
    int lock; /* a descriptor; closed last, as closing one drops all of SQLite's locks
               */
    sqlite3 *sqlite;
} TraceStoreDatabase;

/* Opens the file, or creates it. No other process can write to it until it is
 * closed. Fails with TRACE_ERROR_WRITE or TRACE_ERROR_READ; the caller closes it in
 * any case. */
bool trace_store_database_open(TraceStoreDatabase *self,
                               const char *path,
                               GError **error);
void trace_store_database_close(TraceStoreDatabase *self);

/* Does the path still name this file? Writes to a file that was removed or replaced are
 * lost when this process ends. */
bool trace_store_database_is_there(const TraceStoreDatabase *self);

/* Sets `error` to SQLite's last message; returns false. */
bool trace_store_database_fail(const TraceStoreDatabase *self, GError **error);

bool trace_store_database_execute(const TraceStoreDatabase *self,
                                  const char *sql,
                                  GError **error);

/* The caller finalizes the statement; NULL on failure. */
sqlite3_stmt *trace_store_database_prepare(const TraceStoreDatabase *self,
                                           const char *sql,
                                           GError **error);

/* The first text that a query returns; `word` fills its one placeholder. NULL if it
 * returns none or fails. The caller frees it. */
char *trace_store_database_ask(const TraceStoreDatabase *self,
                               const char *sql,
                               const char *word);
