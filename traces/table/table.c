/* Keeps the cells of a table, each as text and as a number. */
#include "traces/table/table.h"

#include <math.h>

#include "traces/file/stream.h"

enum {
    CHUNK_BYTES = 16384,
};

typedef struct {
    const char *text; /* of `texts`; NULL is an empty cell */
    double number;    /* NaN where it is none */
} Cell;

struct TraceTable {
    char *title;
    GStringChunk *texts;
    GArray *columns; /* of TraceColumn */
    GArray *cells;   /* of Cell, a row after the other */
    guint row_count;
};

TraceTable *trace_table_new(const char *title)
{
    TraceTable *self = g_new0(TraceTable, 1);

    self->title = g_strdup(title);
    self->texts = g_string_chunk_new(CHUNK_BYTES);
    self->columns = g_array_new(FALSE, FALSE, sizeof(TraceColumn));
    self->cells = g_array_new(FALSE, FALSE, sizeof(Cell));
    return self;
}

void trace_table_free(TraceTable *self)
{
    if (self != NULL) {
        g_array_unref(self->cells);
        g_array_unref(self->columns);
        g_string_chunk_free(self->texts);
        g_free(self->title);
        g_free(self);
    }
}

const char *trace_table_title(const TraceTable *self)
{
    return self->title;
}

char *trace_table_marked_title(const TraceTable *self, const char *title)
{
    const int column = trace_table_find(self, TRACE_TABLE_UNATTRIBUTED);
    const guint count = trace_table_row_count(self);
    guint marked = 0;

    for (guint i = 0; column >= 0 && i < count; i++) {
        marked += trace_table_number(self, i, (guint) column) > 0 ? 1 : 0;
    }
    return g_strconcat(title != NULL ? title : self->title, marked > 0 ? ", " : NULL,
                       marked < count ? "some runs " : "",
                       "incl. unattributed constant", NULL);
}

guint trace_table_add_column(TraceTable *self, const char *name, TraceColumnKind kind)
{
    g_return_val_if_fail(self->row_count == 0, 0);
    TraceColumn column = {.name = g_string_chunk_insert(self->texts, name),
                          .kind = kind,
                          .is_number = true};

    g_array_append_val(self->columns, column);
    return self->columns->len - 1;
}

guint trace_table_column_count(const TraceTable *self)
{
    return self->columns->len;
}

const TraceColumn *trace_table_column(const TraceTable *self, guint index)
{
    g_return_val_if_fail(index < self->columns->len, NULL);
    return &g_array_index(self->columns, TraceColumn, index);
}

int trace_table_find(const TraceTable *self, const char *name)
{
    for (guint i = 0; i < self->columns->len; i++) {
        if (g_str_equal(trace_table_column(self, i)->name, name)) {
            return (int) i;
        }
    }
    return -1;
}

static double number_of(const char *text)
{
    char *end = NULL;
    const double number = g_ascii_strtod(text, &end);

    return end != text && *end == '\0' && isfinite(number) ? number : NAN;
}

void trace_table_add_row(TraceTable *self, const char *const *cells)
{
    for (guint i = 0; i < self->columns->len; i++) {
        Cell cell = {.number = NAN};

        if (cells[i] != NULL) {
            /* Many rows say the same. */
            cell.text = g_string_chunk_insert_const(self->texts, cells[i]);
            cell.number = number_of(cells[i]);
            g_array_index(self->columns, TraceColumn, i).is_number &=
                !isnan(cell.number);
        }
        g_array_append_val(self->cells, cell);
    }
    self->row_count++;
}

guint trace_table_row_count(const TraceTable *self)
{
    return self->row_count;
}

static const Cell *cell_at(const TraceTable *self, guint row, guint column)
{
    g_assert(row < self->row_count && column < self->columns->len);
    return &g_array_index(self->cells, Cell, (gsize) row * self->columns->len + column);
}

const char *trace_table_text(const TraceTable *self, guint row, guint column)
{
    return cell_at(self, row, column)->text;
}

double trace_table_number(const TraceTable *self, guint row, guint column)
{
    return cell_at(self, row, column)->number;
}

/* A row as a point. */
typedef struct {
    guint row;
    double a;
    double b;
} Point;

/* Ascending in a, then b, then as the rows are. */
static int compare_points(gconstpointer first, gconstpointer second)
{
    const Point *one = first;
    const Point *two = second;

    if (one->a != two->a) {
        return one->a < two->a ? -1 : 1;
    }
    if (one->b != two->b) {
        return one->b < two->b ? -1 : 1;
    }
    return one->row < two->row ? -1 : 1;
}

/* Less of it is better. */
static double cost_of(const TraceTable *self, guint row, TraceGoal goal)
{
    const double number = trace_table_number(self, row, goal.column);

    return goal.is_maximum ? -number : number;
}

GArray *trace_table_pareto(const TraceTable *self, const TraceGoal goals[2])
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(Point));
    GArray *front = g_array_new(FALSE, FALSE, sizeof(guint));
    const Point *last = NULL;

    for (guint i = 0; i < self->row_count; i++) {
        const Point point = {i, cost_of(self, i, goals[0]), cost_of(self, i, goals[1])};

        if (!isnan(point.a) && !isnan(point.b)) {
            g_array_append_val(points, point);
        }
    }
    g_array_sort(points, compare_points);
    for (guint i = 0; i < points->len; i++) {
        const Point *point = &g_array_index(points, Point, i);

        /* Rows that are alike are all on it. */
        if (last == NULL || point->b < last->b ||
            (point->b == last->b && point->a == last->a)) {
            g_array_append_val(front, point->row);
            last = point;
        }
    }
    return front;
}

bool trace_table_write_csv(const TraceTable *self, const char *path, GError **error)
{
    g_autoptr(TraceStream) stream = trace_stream_open(path, error);
    const guint columns = trace_table_column_count(self);

    if (stream == NULL) {
        return false;
    }
    for (guint i = 0; i < columns; i++) {
        trace_stream_text(stream, i > 0 ? "," : "");
        trace_stream_field(stream, trace_table_column(self, i)->name);
    }
    trace_stream_text(stream, "\n");
    for (guint row = 0; row < trace_table_row_count(self); row++) {
        for (guint i = 0; i < columns; i++) {
            const char *text = trace_table_text(self, row, i);

            trace_stream_text(stream, i > 0 ? "," : "");
            trace_stream_field(stream, text != NULL ? text : "");
        }
        trace_stream_text(stream, "\n");
    }
    return trace_stream_close(stream, error);
}
