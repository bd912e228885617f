/* Draws samples of ranges. */
#include "workloads/trials.h"

#include "sim/random.h"
#include "workloads/sweep/latin.h"

typedef struct {
    WlTrialKey key;
    char *path;
    char **values; /* one for each sample */
    double *levels;
} Column;

struct WlTrials {
    GArray *columns; /* of Column */
    guint sample_count;
    guint end_count;
};

static void column_clear(gpointer data)
{
    Column *self = data;

    g_free(self->path);
    g_strfreev(self->values);
    g_free(self->levels);
}

/* A start of its own for each name: FNV-1a. */
static uint64_t state_of(const char *path, uint64_t seed)
{
    uint64_t hash = 0xcbf29ce484222325U;

    for (const char *at = path; *at != '\0'; at++) {
        hash = (hash ^ (guchar) *at) * 0x100000001b3U;
    }
    return hash ^ sim_random_next(&seed);
}

static void add_column(WlTrials *self, const ArchParam *param, uint64_t seed)
{
    char *path = g_strjoin(".", param->section, param->key, NULL);
    uint64_t state = state_of(path, seed);
    g_autofree double *shares = wl_latin_shares(self->sample_count, &state);
    Column column = {.path = path,
                     .values = g_new0(char *, self->sample_count + 1),
                     .levels = g_new(double, self->sample_count)};

    for (guint i = 0; i < self->sample_count; i++) {
        column.values[i] = arch_range_sample(param->range, shares[i]);
        column.levels[i] = arch_range_level(param->range, shares[i]);
    }
    column.key = (WlTrialKey){.path = path,
                              .value = param->value,
                              .range = param->range,
                              .levels = column.levels};
    g_array_append_val(self->columns, column);
}

static Column *column_at(const WlTrials *self, guint key)
{
    return &g_array_index(self->columns, Column, key);
}

WlTrials *wl_trials_new(const ArchParams *params,
                        guint sample_count,
                        bool has_ends,
                        uint64_t seed)
{
    WlTrials *self = g_new0(WlTrials, 1);

    g_return_val_if_fail(sample_count > 0, NULL);
    self->columns = g_array_new(FALSE, FALSE, sizeof(Column));
    g_array_set_clear_func(self->columns, column_clear);
    self->sample_count = sample_count;
    for (guint i = 0; i < arch_params_count(params); i++) {
        const ArchParam *param = arch_params_at(params, i);

        if (param->range != NULL && !arch_range_is_fixed(param->range) &&
            !param->is_inert) {
            add_column(self, param, seed);
        }
    }
    for (guint i = 0; has_ends && i < self->columns->len; i++) {
        WlTrialKey *key = &column_at(self, i)->key;

        key->first_end = sample_count + self->end_count;
        key->end_count = arch_range_end_count(key->range);
        self->end_count += key->end_count;
    }
    return self;
}

void wl_trials_free(WlTrials *self)
{
    if (self != NULL) {
        g_array_unref(self->columns);
        g_free(self);
    }
}

guint wl_trials_key_count(const WlTrials *self)
{
    return self->columns->len;
}

const WlTrialKey *wl_trials_key(const WlTrials *self, guint key)
{
    g_return_val_if_fail(key < self->columns->len, NULL);
    return &column_at(self, key)->key;
}

guint wl_trials_count(const WlTrials *self)
{
    return self->sample_count + self->end_count;
}

guint wl_trials_sample_count(const WlTrials *self)
{
    return self->sample_count;
}

const char *wl_trials_value(const WlTrials *self, guint trial, guint key)
{
    const WlTrialKey *of = wl_trials_key(self, key);

    g_return_val_if_fail(of != NULL && trial < wl_trials_count(self), NULL);
    if (trial < self->sample_count) {
        return column_at(self, key)->values[trial];
    }
    return trial >= of->first_end && trial < of->first_end + of->end_count
               ? arch_range_end(of->range, trial - of->first_end)
               : NULL;
}

char **wl_trials_assignments(const WlTrials *self, guint trial)
{
    GPtrArray *words = g_ptr_array_new();

    for (guint i = 0; i < self->columns->len; i++) {
        const char *value = wl_trials_value(self, trial, i);

        if (value != NULL) {
            g_ptr_array_add(words,
                            g_strconcat(column_at(self, i)->path, "=", value, NULL));
        }
    }
    g_ptr_array_add(words, NULL);
    return (char **) g_ptr_array_free(words, FALSE);
}
