/* The database of a sweep, in SQLite. */
#include "traces/table/sweep_store.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#include "traces/error.h"
#include "traces/file/json_text.h"
#include "traces/table/store/database.h"

#define FORMAT "1"

static const char *const status_names[] = {
    [TRACE_RUN_MISSING] = "missing",
    [TRACE_RUN_DONE] = "done",
    [TRACE_RUN_FAILED] = "failed",
    [TRACE_RUN_LOST] = "lost",
};

struct TraceSweepStore {
    TraceStoreDatabase database;
    sqlite3_stmt *put_run;
    sqlite3_stmt *put_timing;
    TraceTable *columns;
    guint axis_count;
    guint metric_count;
    guint run_count;
    guint8 *statuses;
    char *changed;
};

void trace_sweep_store_free(TraceSweepStore *self)
{
    if (self != NULL) {
        sqlite3_finalize(self->put_run);
        sqlite3_finalize(self->put_timing);
        trace_store_database_close(&self->database);
        trace_table_free(self->columns);
        g_free(self->statuses);
        g_free(self->changed);
        g_free(self);
    }
}

static char *value_of(const TraceSweepStore *self, const char *key)
{
    return trace_store_database_ask(&self->database,
                                    "SELECT value FROM sweep WHERE key = ?", key);
}

static void append_names(GString *sql, const char *const *names)
{
    for (const char *const *name = names; *name != NULL; name++) {
        char *quoted = sqlite3_mprintf("%w", *name);

        g_string_append_printf(sql, ", \"%s\"", quoted);
        sqlite3_free(quoted);
    }
}

/* Names as a list of JSON; the caller frees it. */
static char *list_text(const char *const *names)
{
    g_autoptr(JsonNode) node = json_node_new(JSON_NODE_ARRAY);
    JsonArray *list = json_array_new();

    for (const char *const *name = names; *name != NULL; name++) {
        json_array_add_string_element(list, *name);
    }
    json_node_take_array(node, list);
    return trace_json_text(node, false);
}

static bool set_value(const TraceSweepStore *self,
                      const char *key,
                      const char *value,
                      GError **error)
{
    char *sql =
        sqlite3_mprintf("INSERT OR REPLACE INTO sweep VALUES (%Q, %Q)", key, value);
    const bool is_set = trace_store_database_execute(&self->database, sql, error);

    sqlite3_free(sql);
    return is_set;
}

#define SWEEP_TABLE "CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT)"
#define TIMING_TABLE                                                                   \
    "CREATE TABLE timing(run INTEGER PRIMARY KEY, worker TEXT, wall_seconds REAL)"

/* Axes and recorded values become columns without a type: cells have their own. The
 * caller frees it. */
static char *runs_table(const TraceSweepHead *head)
{
    GString *sql = g_string_new(
        "CREATE TABLE runs(run INTEGER PRIMARY KEY, status TEXT, error TEXT");

    append_names(sql, head->axes);
    append_names(sql, head->metrics);
    g_string_append(sql, ")");
    return g_string_free(sql, FALSE);
}

static bool
make_tables(const TraceSweepStore *self, const TraceSweepHead *head, GError **error)
{
    g_autofree char *runs = runs_table(head);
    g_autofree char *sql =
        g_strconcat("BEGIN IMMEDIATE; " SWEEP_TABLE "; " TIMING_TABLE "; ", runs, NULL);
    g_autofree char *axes = list_text(head->axes);
    g_autofree char *metrics = list_text(head->metrics);
    g_autofree char *count = g_strdup_printf("%u", head->run_count);

    return trace_store_database_execute(&self->database, sql, error) &&
           set_value(self, "format", FORMAT, error) &&
           set_value(self, "title", head->title, error) &&
           set_value(self, "version", head->version, error) &&
           set_value(self, "digest", head->digest, error) &&
           set_value(self, "inputs", head->inputs, error) &&
           set_value(self, "axes", axes, error) &&
           set_value(self, "metrics", metrics, error) &&
           set_value(self, "runs", count, error) &&
           trace_store_database_execute(&self->database, "COMMIT", error);
}

/* The first line of `now` that is not in `then`; NULL: all are. The caller frees it. */
static char *changed_line(const char *now, const char *then)
{
    g_auto(GStrv) lines = g_strsplit(now, "\n", -1);
    g_auto(GStrv) known = g_strsplit(then, "\n", -1);

    for (char **line = lines; *line != NULL; line++) {
        if (!g_strv_contains((const char *const *) known, *line)) {
            return g_strndup(*line, strcspn(*line, " "));
        }
    }
    return NULL;
}

/* Does the database belong to this sweep? */
static bool
check_same(TraceSweepStore *self, const TraceSweepHead *head, GError **error)
{
    g_autofree char *format = value_of(self, "format");
    g_autofree char *title = value_of(self, "title");
    g_autofree char *digest = value_of(self, "digest");
    g_autofree char *inputs = value_of(self, "inputs");

    if (format == NULL || digest == NULL || inputs == NULL) {
        return trace_refuse(error, "%s: is no database of a sweep",
                            self->database.path);
    }
    if (!g_str_equal(format, FORMAT)) {
        return trace_refuse(error, "%s: format = %s, known is " FORMAT,
                            self->database.path, format);
    }
    if (!g_str_equal(digest, head->digest)) {
        return trace_refuse(
            error,
            "%s: holds another sweep, '%s', or this one before its file "
            "changed; give another file with --db",
            self->database.path, title != NULL ? title : "");
    }
    self->changed = changed_line(head->inputs, inputs);
    return true;
}

/* Others may have changed the file: a trigger, for example, would change rows as they
 * are put. The database has our tables, as we make them, and nothing else. */
static bool
check_schema(const TraceSweepStore *self, const TraceSweepHead *head, GError **error)
{
    g_autofree char *runs = runs_table(head);
    g_autofree char *other = trace_store_database_ask(
        &self->database,
        "SELECT type || ' ' || name FROM sqlite_master WHERE ifnull(sql, name) NOT IN "
        "('" SWEEP_TABLE "', '" TIMING_TABLE "', ?, 'sqlite_autoindex_sweep_1')",
        runs);

    return other == NULL ||
           trace_refuse(error,
                        "%s: the %s in it is none of a sweep's tables; give another "
                        "file with --db",
                        self->database.path, other);
}

/* Fills an empty database, and checks an existing one before changing a byte of it. */
static bool read_head(TraceSweepStore *self, const TraceSweepHead *head, GError **error)
{
    g_autofree char *tables = NULL;

    if (!trace_store_database_execute(&self->database,
                                      "SELECT count(*) FROM sqlite_master", error)) {
        return false;
    }
    tables = trace_store_database_ask(&self->database,
                                      "SELECT count(*) FROM sqlite_master", "");
    if (g_strcmp0(tables, "0") != 0) {
        if (!check_same(self, head, error) || !check_schema(self, head, error)) {
            return false;
        }
    }
    /* A finished transaction survives this process. With NORMAL, it is on disk at the
     * latest when the log is emptied. If a file system cannot do that, SQLite keeps its
     * rollback journal. */
    if (!trace_store_database_execute(
            &self->database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
            error)) {
        return false;
    }
    return g_strcmp0(tables, "0") != 0 || make_tables(self, head, error);
}

static TraceRunStatus status_of(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(status_names); i++) {
        if (g_strcmp0(name, status_names[i]) == 0) {
            return (TraceRunStatus) i;
        }
    }
    return TRACE_RUN_MISSING;
}

static bool read_statuses(TraceSweepStore *self, GError **error)
{
    sqlite3_stmt *statement = trace_store_database_prepare(
        &self->database, "SELECT run, status FROM runs", error);
    int code = SQLITE_ERROR;

    while (statement != NULL && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        const gint64 run = sqlite3_column_int64(statement, 0);

        if (run >= 1 && run <= self->run_count) {
            self->statuses[run - 1] =
                status_of((const char *) sqlite3_column_text(statement, 1));
        }
    }
    if (statement != NULL && code != SQLITE_DONE) {
        (void) trace_store_database_fail(&self->database, error);
    }
    sqlite3_finalize(statement);
    return code == SQLITE_DONE;
}

static bool prepare_puts(TraceSweepStore *self, GError **error)
{
    g_autoptr(GString) sql =
        g_string_new("INSERT OR REPLACE INTO runs VALUES (?, ?, ?");

    for (guint i = 0; i < self->axis_count + self->metric_count; i++) {
        g_string_append(sql, ", ?");
    }
    g_string_append(sql, ")");
    self->put_run = trace_store_database_prepare(&self->database, sql->str, error);
    if (self->put_run == NULL) {
        return false;
    }
    self->put_timing = trace_store_database_prepare(
        &self->database, "INSERT OR REPLACE INTO timing VALUES (?, ?, ?)", error);
    return self->put_timing != NULL;
}

/* A log without its database would be taken for that of the next one. */
static void remove_files(TraceSweepStore *self)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    g_autofree char *path = g_strdup(self->database.path);

    g_clear_pointer(&self->put_run, sqlite3_finalize);
    trace_store_database_close(&self->database);
    for (gsize i = 0; i < G_N_ELEMENTS(endings); i++) {
        g_autofree char *file = g_strconcat(path, endings[i], NULL);

        (void) g_unlink(file);
    }
}

TraceSweepStore *
trace_sweep_store_open(const char *path, const TraceSweepHead *head, GError **error)
{
    g_autoptr(TraceSweepStore) self = g_new0(TraceSweepStore, 1);

    self->columns = trace_sweep_store_columns(head);
    self->axis_count = g_strv_length((char **) head->axes);
    self->metric_count = g_strv_length((char **) head->metrics);
    self->run_count = head->run_count;
    self->statuses = g_new0(guint8, head->run_count);
    if (!trace_store_database_open(&self->database, path, error)) {
        return NULL;
    }
    if (!read_head(self, head, error) || !read_statuses(self, error) ||
        !prepare_puts(self, error)) {
        if (self->database.is_new) {
            remove_files(self);
        }
        return NULL;
    }
    return g_steal_pointer(&self);
}

const char *trace_sweep_store_changed(const TraceSweepStore *self)
{
    return self->changed;
}

TraceRunStatus trace_sweep_store_status(const TraceSweepStore *self, guint run)
{
    g_return_val_if_fail(run < self->run_count, TRACE_RUN_MISSING);
    return self->statuses[run];
}

/* As a number where it is one. */
static int bind(sqlite3_stmt *statement, int place, const char *text)
{
    char *end = NULL;
    double number;

    if (text == NULL) {
        return sqlite3_bind_null(statement, place);
    }
    number = g_ascii_strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) ||
        strpbrk(text, "xX") != NULL) {
        return sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
    }
    return trunc(number) == number && fabs(number) < 0x1p53
               ? sqlite3_bind_int64(statement, place, (gint64) number)
               : sqlite3_bind_double(statement, place, number);
}

static bool step(const TraceSweepStore *self, sqlite3_stmt *statement, GError **error)
{
    const bool is_done = sqlite3_step(statement) == SQLITE_DONE ||
                         trace_store_database_fail(&self->database, error);

    (void) sqlite3_reset(statement);
    return is_done;
}

static bool
put_run(const TraceSweepStore *self, const TraceSweepRow *row, GError **error)
{
    sqlite3_stmt *put = self->put_run;
    const int first = 4;
    const int metrics = first + (int) self->axis_count;

    (void) sqlite3_bind_int64(put, 1, (gint64) row->run + 1);
    (void) sqlite3_bind_text(put, 2, status_names[row->status], -1, SQLITE_STATIC);
    (void) sqlite3_bind_text(put, 3, row->error, -1, SQLITE_TRANSIENT);
    for (guint i = 0; i < self->axis_count; i++) {
        (void) bind(put, first + (int) i, row->values[i]);
    }
    for (guint i = 0; i < self->metric_count; i++) {
        (void) bind(put, metrics + (int) i,
                    row->metrics == NULL ? NULL : row->metrics[i]);
    }
    return step(self, put, error);
}

static bool
put_timing(const TraceSweepStore *self, const TraceSweepRow *row, GError **error)
{
    sqlite3_stmt *put = self->put_timing;

    (void) sqlite3_bind_int64(put, 1, (gint64) row->run + 1);
    (void) sqlite3_bind_text(put, 2, row->worker, -1, SQLITE_TRANSIENT);
    (void) sqlite3_bind_double(put, 3, row->wall_seconds);
    return step(self, put, error);
}

bool trace_sweep_store_is_there(const TraceSweepStore *self)
{
    return trace_store_database_is_there(&self->database);
}

static bool check_there(const TraceSweepStore *self, GError **error)
{
    if (trace_store_database_is_there(&self->database)) {
        return true;
    }
    return sim_fail(error, TRACE_ERROR, TRACE_ERROR_WRITE,
                    "%s: somebody has removed or replaced it", self->database.path);
}

bool trace_sweep_store_put(TraceSweepStore *self,
                           const TraceSweepRow *row,
                           GError **error)
{
    g_return_val_if_fail(row->run < self->run_count, false);
    if (!check_there(self, error) ||
        !trace_store_database_execute(&self->database, "BEGIN IMMEDIATE", error)) {
        return false;
    }
    if (!put_run(self, row, error) || !put_timing(self, row, error) ||
        !trace_store_database_execute(&self->database, "COMMIT", error)) {
        /* SQLite may have done so itself. */
        (void) sqlite3_exec(self->database.sqlite, "ROLLBACK", NULL, NULL, NULL);
        return false;
    }
    self->statuses[row->run] = (guint8) row->status;
    return true;
}

TraceTable *trace_sweep_store_columns(const TraceSweepHead *head)
{
    static const char *const own[] = {"run", "status", "error"};
    TraceTable *table = trace_table_new(head->title);

    for (gsize i = 0; i < G_N_ELEMENTS(own); i++) {
        trace_table_add_column(table, own[i], TRACE_COLUMN_STATUS);
    }
    for (const char *const *name = head->axes; *name != NULL; name++) {
        trace_table_add_column(table, *name, TRACE_COLUMN_PARAMETER);
    }
    for (const char *const *name = head->metrics; *name != NULL; name++) {
        trace_table_add_column(table, *name, TRACE_COLUMN_METRIC);
    }
    return table;
}

/* A cell as people read it; NULL where it is empty. The caller frees it. */
static char *cell_text(sqlite3_stmt *statement, int column)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
        return NULL;
    case SQLITE_FLOAT:
        return g_strdup(g_ascii_formatd(text, sizeof text, "%.15g",
                                        sqlite3_column_double(statement, column)));
    default:
        return g_strdup((const char *) sqlite3_column_text(statement, column));
    }
}

static void add_row(TraceTable *table, sqlite3_stmt *statement)
{
    const guint count = trace_table_column_count(table);
    g_auto(GStrv) cells = g_new0(char *, count + 1);

    for (guint i = 0; i < count; i++) {
        cells[i] = cell_text(statement, (int) i);
    }
    trace_table_add_row(table, (const char *const *) cells);
    for (guint i = 0; i < count; i++) { /* an empty cell does not end the list */
        g_clear_pointer(&cells[i], g_free);
    }
}

TraceTable *trace_sweep_store_table(TraceSweepStore *self, GError **error)
{
    g_autoptr(TraceTable) table = trace_table_new(trace_table_title(self->columns));
    sqlite3_stmt *statement = trace_store_database_prepare(
        &self->database, "SELECT * FROM runs ORDER BY run", error);
    int code = SQLITE_ERROR;

    for (guint i = 0; i < trace_table_column_count(self->columns); i++) {
        const TraceColumn *column = trace_table_column(self->columns, i);

        trace_table_add_column(table, column->name, column->kind);
    }
    while (statement != NULL && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        add_row(table, statement);
    }
    if (statement != NULL && code != SQLITE_DONE) {
        (void) trace_store_database_fail(&self->database, error);
    }
    sqlite3_finalize(statement);
    return code == SQLITE_DONE && check_there(self, error) ? g_steal_pointer(&table)
                                                           : NULL;
}
