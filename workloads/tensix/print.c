/* Keeps the lines that kernels print, and puts them into an order of time. */
#include "workloads/tensix/print.h"

#include <string.h>

#include "sim/narrow.h"

enum {
    LINE_BYTES = 64, /* what a line takes besides its texts */
};

typedef struct {
    SimTime when;
    guint rank;
    guint number;
    char *who;
    char *text;
} Line;

struct KernelLines {
    GArray *lines;       /* of Line */
    SimAccount *account; /* borrowed */
    uint64_t bytes;      /* taken from it */
};

static void line_clear(gpointer data)
{
    Line *self = data;

    g_free(self->who);
    g_free(self->text);
}

KernelLines *kernel_lines_new(SimAccount *account)
{
    KernelLines *self = g_new0(KernelLines, 1);

    self->account = account;
    self->lines = g_array_new(FALSE, FALSE, sizeof(Line));
    g_array_set_clear_func(self->lines, line_clear);
    return self;
}

void kernel_lines_free(KernelLines *self)
{
    kernel_lines_drop(self);
    g_array_unref(self->lines);
    g_free(self);
}

void kernel_lines_drop(KernelLines *self)
{
    g_array_set_size(self->lines, 0);
    sim_account_give(self->account, self->bytes);
    self->bytes = 0;
}

int kernel_lines_add(
    KernelLines *self, const char *who, guint rank, SimTime when, const char *text)
{
    const uint64_t bytes = LINE_BYTES + strlen(text);
    Line line = {.when = when, .rank = rank, .number = self->lines->len};

    if (!sim_account_need(self->account, "kernels' print", bytes)) {
        return -1;
    }
    self->bytes += bytes;
    line.who = g_strdup(who);
    line.text = g_strdup(text);
    g_array_append_val(self->lines, line);
    return sim_i32(line.number);
}

const char *kernel_lines_reached(KernelLines *self, int number, SimTime when)
{
    Line *line = &g_array_index(self->lines, Line, sim_u32(number));

    line->when = when;
    return line->text;
}

static int compare(gconstpointer a, gconstpointer b)
{
    const Line *x = *(const Line *const *) a;
    const Line *y = *(const Line *const *) b;

    if (x->when != y->when) {
        return x->when < y->when ? -1 : 1;
    }
    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

void kernel_lines_print(GPtrArray *all,
                        void (*print)(gpointer data, const char *line),
                        gpointer data)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new();

    for (guint i = 0; i < all->len; i++) {
        const KernelLines *some = g_ptr_array_index(all, i);

        for (guint k = 0; k < some->lines->len; k++) {
            g_ptr_array_add(lines, &g_array_index(some->lines, Line, k));
        }
    }
    g_ptr_array_sort(lines, compare);
    for (guint i = 0; i < lines->len; i++) {
        const Line *line = g_ptr_array_index(lines, i);
        g_autofree char *cycle =
            line->when == SIM_TIME_NEVER
                ? g_strdup("")
                : g_strdup_printf(" @ %" G_GUINT64_FORMAT, line->when);
        g_autofree char *whole =
            line->who == NULL
                ? g_strdup(line->text)
                : g_strdup_printf("%s%s: %s", line->who, cycle, line->text);

        print(data, whole);
    }
    for (guint i = 0; i < all->len; i++) {
        kernel_lines_drop(g_ptr_array_index(all, i));
    }
}
