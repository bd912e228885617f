/* Derives units from the names of columns. */
#include "traces/table/table_unit.h"

#include <string.h>

/* A unit is used from `from` on, in that of the names. */
typedef struct {
    double from;
    TraceUnit unit;
} Step;

enum {
    STEPS_MOST = 4,
};

/* By the last word of a name; a name that says more than that (cycles) says it all. */
static const struct {
    const char *word;
    Step steps[STEPS_MOST];
} units[] = {
    {"seconds",
     {{1, {"s", 1}}, {1e-3, {"ms", 1e3}}, {1e-6, {"us", 1e6}}, {0, {"ns", 1e9}}}},
    {"bytes",
     {{8388608, {"MiB", 1.0 / 1048576}},
      {8192, {"KiB", 1.0 / 1024}},
      {0, {NULL, 1}},
      {0, {NULL, 1}}}},
    {"joules",
     {{1, {"J", 1}}, {1e-3, {"mJ", 1e3}}, {1e-6, {"uJ", 1e6}}, {0, {"nJ", 1e9}}}},
};

/* The last word of a name; in a path of members, that of the last member. */
static const char *last_word(const char *name)
{
    const char *member = strrchr(name, '.');
    const char *part;

    member = member != NULL ? member + 1 : name;
    part = strstr(member, "seconds_per_");
    if (part == NULL) {
        part = strrchr(member, '_');
        return part != NULL ? part + 1 : member;
    }
    return part;
}

TraceUnit trace_table_unit(const char *name, double largest)
{
    const char *word = last_word(name);

    if (strpbrk(name, "+-*/() ") != NULL || !(largest > 0)) {
        return (TraceUnit){NULL, 1};
    }
    if (g_str_has_prefix(word, "seconds_per_")) {
        word = "seconds";
    } else if (strstr(name, "_per_") != NULL) {
        return (TraceUnit){NULL, 1};
    }
    for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
        for (gsize k = 0; g_str_equal(word, units[i].word) && k < STEPS_MOST; k++) {
            if (largest >= units[i].steps[k].from) {
                return units[i].steps[k].unit;
            }
        }
    }
    return (TraceUnit){NULL, 1};
}

char *trace_table_unit_words(const char *name, TraceUnit unit)
{
    return unit.unit != NULL ? g_strdup_printf("%s (%s)", name, unit.unit)
                             : g_strdup(name);
}
