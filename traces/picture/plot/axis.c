/* Rounds the ends of an axis and places its ticks. */
#include "traces/picture/plot/axis.h"

#include <math.h>
#include <string.h>

#include "traces/file/quantity.h"

#define VALUE_MOST    1e300 /* ends and steps around it are still numbers */
#define ROOM          0.04  /* of a tight axis at each end, in parts of it */
#define ROOM_LEAST    1.05
#define THOUSAND      1e3
#define PREFIXED      1e4 /* an axis that reaches so far has prefixes */
#define PREFIXED_MOST 1e20
#define WHOLE         1e6 /* from here on, and below `SMALL`, powers of ten */
#define SMALL         1e-4

enum {
    TICKS_WANTED = 6,
    DECADES_PLAIN = 3,    /* up to this many, 2 and 5 are labelled, too */
    DECADES_LABELLED = 8, /* up to this many, every power of ten is labelled */
    DOUBLINGS_LABELLED = 10,
};

static void tick_clear(gpointer data)
{
    TracePlotTick *tick = data;

    g_free(tick->label);
}

void trace_plot_axis_init(TracePlotAxis *self, bool is_log)
{
    *self = (TracePlotAxis){.is_log = is_log,
                            .is_empty = true,
                            .is_doubling = is_log,
                            .ticks = g_array_new(FALSE, FALSE, sizeof(TracePlotTick))};
    g_array_set_clear_func(self->ticks, tick_clear);
}

void trace_plot_axis_clear(TracePlotAxis *self)
{
    g_clear_pointer(&self->ticks, g_array_unref);
}

bool trace_plot_axis_takes(double value, bool is_log)
{
    return fabs(value) <= VALUE_MOST && (!is_log || value >= 1 / VALUE_MOST);
}

/* Is it 1, 2, 4, 8 and so on? */
static bool is_doubled(double value)
{
    int power;

    return value >= 1 && value <= WHOLE && fabs(frexp(value, &power) - 0.5) <= 0;
}

void trace_plot_axis_cover(TracePlotAxis *self, double value)
{
    g_return_if_fail(trace_plot_axis_takes(value, self->is_log));
    self->low = self->is_empty ? value : fmin(self->low, value);
    self->high = self->is_empty ? value : fmax(self->high, value);
    self->is_empty = false;
    self->is_doubling = self->is_doubling && is_doubled(value);
}

/* 2e-06 is 2e-6. Takes `text`. */
static char *without_zeros(char *text)
{
    char *power = strchr(text, 'e');

    if (power != NULL) {
        char *digits = power + (power[1] == '-' ? 2 : 1);
        const gsize zeros = strspn(digits, "+0");

        memmove(digits, digits + zeros, strlen(digits + zeros) + 1);
    }
    return text;
}

/* The label of a tick: enough digits to tell it from its neighbours. Where an axis
 * reaches 10,000, thousands are "1 k" and millions "1 M". */
static char *label_of(const TracePlotAxis *self, double value, double step)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P", " E"};
    const double farthest = fmax(fabs(self->low), fabs(self->high));
    const bool is_large = farthest >= PREFIXED && farthest <= PREFIXED_MOST;
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *format = NULL;
    gsize prefix = 0;

    if (fabs(value) < step / 1e6) {
        return g_strdup("0");
    }
    while (is_large && fabs(value) >= THOUSAND * (1 - 1e-9) &&
           prefix + 1 < G_N_ELEMENTS(prefixes)) {
        value /= THOUSAND;
        step /= THOUSAND;
        prefix++;
    }
    /* Of the first digit that a label has, and of the last one that it needs. */
    const double first = floor(log10(fabs(value)) + 1e-9);
    const double last = floor(log10(step) + 1e-9);

    if (fabs(value) >= WHOLE || fmax(fabs(value), step) < SMALL) {
        format = g_strdup_printf("%%.%de", (int) CLAMP(first - last, 0, 15));
    } else {
        format = g_strdup_printf("%%.%df", (int) CLAMP(-last, 0, 15));
    }
    (void) g_ascii_formatd(digits, sizeof digits, format, value);
    return without_zeros(g_strconcat(digits, prefixes[prefix], NULL));
}

static void add_tick(TracePlotAxis *self, double value, double step)
{
    TracePlotTick tick = {.value = value,
                          .label = step > 0 ? label_of(self, value, step) : NULL};

    g_array_append_val(self->ticks, tick);
}

/* 1, 2 or 5 times a power of ten, at least `least`. */
static double round_step(double least)
{
    static const double leading[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(least)));
    gsize i = 0;

    while (i + 1 < G_N_ELEMENTS(leading) && leading[i] * power < least * (1 - 1e-9)) {
        i++;
    }
    return leading[i] * power;
}

static void ready_linear(TracePlotAxis *self)
{
    double span;
    double step;
    double first;
    double last;

    if (self->low > 0 && self->low <= self->high / 2) {
        self->low = 0;
    } else if (self->high < 0 && self->high >= self->low / 2) {
        self->high = 0;
    }
    /* Halves, because a difference of two large numbers may be too large. */
    span = self->high / 2 - self->low / 2;
    if (span <= fmax(fabs(self->low), fabs(self->high)) * 1e-12) {
        double room = fmax(fabs(self->low) / 10, self->low == 0 ? 1 : 1e-300);

        self->low -= room;
        self->high += room;
        span = room;
    }
    step = round_step(fmax(span / TICKS_WANTED * 2, 1e-300));
    first = floor(self->low / step + 1e-9);
    last = ceil(self->high / step - 1e-9);
    self->low = first * step;
    self->high = last * step;
    for (guint i = 0; i <= (guint) (last - first); i++) {
        add_tick(self, (first + i) * step, step);
    }
}

static void add_decade(TracePlotAxis *self, int power, int decades)
{
    static const double leading[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    int stride = (decades + DECADES_LABELLED - 1) / DECADES_LABELLED;

    for (gsize i = 0; i < G_N_ELEMENTS(leading); i++) {
        double value = leading[i] * pow(10, power);
        bool is_whole = leading[i] == 1;
        bool is_labelled =
            is_whole ? power % stride == 0
                     : decades <= DECADES_PLAIN && (leading[i] == 2 || leading[i] == 5);

        if (value >= self->low * (1 - 1e-9) && value <= self->high * (1 + 1e-9) &&
            (is_whole || decades <= DECADES_LABELLED)) {
            add_tick(self, value, is_labelled ? value : 0);
        }
    }
}

/* The largest of 1, 2, 5 times a power of ten that is not above `value`. */
static double round_down(double value)
{
    double power = pow(10, floor(log10(value) + 1e-9));
    double leading = value / power * (1 + 1e-9);

    return power * (leading >= 5 ? 5 : leading >= 2 ? 2 : 1);
}

/* A tick for each of 1, 2, 4, 8. */
static void add_doublings(TracePlotAxis *self, double first, double last)
{
    const guint count = (guint) lround(log2(last / first)) + 1;
    const guint stride = (count + DOUBLINGS_LABELLED - 1) / DOUBLINGS_LABELLED;

    for (guint i = 0; i < count; i++) {
        const double value = ldexp(first, (int) i);
        const TracePlotTick tick = {
            .value = value,
            .label = i % stride == 0 ? quantity_count((uint64_t) value) : NULL};

        g_array_append_val(self->ticks, tick);
    }
}

static void add_decades(TracePlotAxis *self)
{
    const int first = (int) floor(log10(self->low) + 1e-9);
    const int last = (int) ceil(log10(self->high) - 1e-9);

    for (int power = first; power <= last; power++) {
        add_decade(self, power, last - first);
    }
}

static bool has_doublings(const TracePlotAxis *self)
{
    return self->is_doubling && self->low < self->high;
}

static void ready_log(TracePlotAxis *self)
{
    if (has_doublings(self)) {
        add_doublings(self, self->low, self->high);
        return;
    }
    self->low = round_down(self->low);
    self->high = round_step(self->high);
    if (self->high <= self->low * (1 + 1e-9)) {
        self->low /= 10;
        self->high *= 10;
    }
    add_decades(self);
}

void trace_plot_axis_ready_tight(TracePlotAxis *self)
{
    double room;

    g_return_if_fail(self->is_log);
    if (self->is_empty) {
        trace_plot_axis_ready(self);
        return;
    }
    const TracePlotAxis values = *self;

    room = pow(self->high / self->low, ROOM);
    self->low /= fmax(room, ROOM_LEAST);
    self->high *= fmax(room, ROOM_LEAST);
    if (has_doublings(&values)) {
        add_doublings(self, values.low, values.high);
    } else {
        add_decades(self);
    }
}

void trace_plot_axis_ready(TracePlotAxis *self)
{
    if (self->is_empty) {
        trace_plot_axis_cover(self, self->is_log ? 1 : 0);
        trace_plot_axis_cover(self, self->is_log ? 10 : 1);
    }
    if (self->is_log) {
        ready_log(self);
    } else {
        ready_linear(self);
    }
}

void trace_plot_axis_ready_names(TracePlotAxis *self, const char *const *names)
{
    const guint count = g_strv_length((char **) names);

    self->is_log = false;
    self->low = 0.5;
    self->high = count + 0.5;
    for (guint i = 0; i < count; i++) {
        const TracePlotTick tick = {.value = i + 1, .label = g_strdup(names[i])};

        g_array_append_val(self->ticks, tick);
    }
}

double trace_plot_axis_place(const TracePlotAxis *self, double value)
{
    if (self->is_log) {
        return (log10(value) - log10(self->low)) /
               (log10(self->high) - log10(self->low));
    }
    return (value / 2 - self->low / 2) / (self->high / 2 - self->low / 2);
}
