/* The file of a sweep's database, and SQLite's statements. */
#include "traces/table/store/database.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/error.h"

/* SQLite locks bytes behind the first gigabyte; this one is ours. */
#define LOCKED_BYTE (G_GINT64_CONSTANT(1) << 60)

enum {
    BUSY_MILLISECONDS = 10000, /* for readers to finish */
};

bool trace_store_database_fail(const TraceStoreDatabase *self, GError **error)
{
    const int code = sqlite3_errcode(self->sqlite);
    const int cause = sqlite3_system_errno(self->sqlite);

    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) {
        (void) trace_refuse(error, "%s: is no database of a sweep, %s", self->path,
                            sqlite3_errmsg(self->sqlite));
    } else {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                    "%s: cannot be written, %s%s%s", self->path,
                    sqlite3_errmsg(self->sqlite),
                    code == SQLITE_IOERR && cause != 0 ? ": " : "",
                    code == SQLITE_IOERR && cause != 0 ? g_strerror(cause) : "");
    }
    return false;
}

bool trace_store_database_execute(const TraceStoreDatabase *self,
                                  const char *sql,
                                  GError **error)
{
    return sqlite3_exec(self->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK ||
           trace_store_database_fail(self, error);
}

sqlite3_stmt *trace_store_database_prepare(const TraceStoreDatabase *self,
                                           const char *sql,
                                           GError **error)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(self->sqlite, sql, -1, &statement, NULL) != SQLITE_OK) {
        (void) trace_store_database_fail(self, error);
    }
    return statement;
}

char *trace_store_database_ask(const TraceStoreDatabase *self,
                               const char *sql,
                               const char *word)
{
    sqlite3_stmt *statement = trace_store_database_prepare(self, sql, NULL);
    char *text = NULL;

    if (statement != NULL) {
        (void) sqlite3_bind_text(statement, 1, word, -1, SQLITE_STATIC);
        if (sqlite3_step(statement) == SQLITE_ROW) {
            text = g_strdup((const char *) sqlite3_column_text(statement, 0));
        }
    }
    sqlite3_finalize(statement);
    return text;
}

/* Takes the file for this process alone. A lock of the open file and not of the
 * process, which SQLite's own locks are: both get along. */
static bool take(TraceStoreDatabase *self, GError **error)
{
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCKED_BYTE, .l_len = 1};

    self->is_new = !g_file_test(self->path, G_FILE_TEST_EXISTS);
    self->lock = open(self->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (self->lock < 0) {
        return sim_fail(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                        "%s: cannot be written, %s", self->path, g_strerror(errno));
    }
    if (!g_file_test(self->path, G_FILE_TEST_IS_REGULAR)) {
        return trace_refuse(error, "%s: is not a file", self->path);
    }
    if (fcntl(self->lock, F_OFD_SETLK, &lock) != 0 &&
        (errno == EACCES || errno == EAGAIN)) {
        return sim_fail(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                        "%s: another gridloom sweep is writing it", self->path);
    }
    return true;
}

bool trace_store_database_open(TraceStoreDatabase *self,
                               const char *path,
                               GError **error)
{
    *self = (TraceStoreDatabase){.path = g_strdup(path), .lock = -1};
    if (!take(self, error)) {
        return false;
    }
    /* SQLite takes an absolute path as a file, whatever its name: ":memory:" and names
     * that begin with "file:" would otherwise be special. */
    g_autofree char *whole = g_canonicalize_filename(path, NULL);

    if (sqlite3_open_v2(whole, &self->sqlite, SQLITE_OPEN_READWRITE, NULL) !=
        SQLITE_OK) {
        return trace_store_database_fail(self, error);
    }
    /* Others may have made the file: nothing in it runs by itself. */
    (void) sqlite3_db_config(self->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void) sqlite3_db_config(self->sqlite, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    (void) sqlite3_db_config(self->sqlite, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    (void) sqlite3_db_config(self->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    (void) sqlite3_busy_timeout(self->sqlite, BUSY_MILLISECONDS);
    return true;
}

bool trace_store_database_is_there(const TraceStoreDatabase *self)
{
    struct stat own;
    struct stat named;

    return fstat(self->lock, &own) == 0 && stat(self->path, &named) == 0 &&
           own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

void trace_store_database_close(TraceStoreDatabase *self)
{
    if (self->sqlite != NULL) {
        (void) sqlite3_close(self->sqlite);
        self->sqlite = NULL;
    }
    if (self->lock >= 0) {
        (void) close(self->lock);
        self->lock = -1;
    }
    g_clear_pointer(&self->path, g_free);
}
