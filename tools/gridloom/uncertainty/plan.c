/* Draws samples of ranges. */
#include "tools/gridloom/uncertainty/plan.h"

#include "sim/random.h"
#include "workloads/latin.h"

typedef struct {
    UncertaintyKey key;
    char *path;
    GPtrArray *values; /* of char, one for each sample */
    double *levels;    /* likewise */
} Column;

struct UncertaintyPlan {
    GPtrArray *columns; /* of Column */
    guint sample_count;
};

static void column_free(gpointer data)
{
    Column *self = data;

    g_ptr_array_unref(self->values);
    g_free(self->levels);
    g_free(self->path);
    g_free(self);
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

static void draw(Column *self, guint count, uint64_t seed)
{
    uint64_t state = state_of(self->path, seed);
    g_autofree double *shares = wl_latin_shares(count, &state);

    self->levels = g_new(double, count);
    for (guint i = 0; i < count; i++) {
        g_ptr_array_add(self->values, arch_range_sample(self->key.range, shares[i]));
        self->levels[i] = arch_range_level(self->key.range, shares[i]);
    }
}

UncertaintyPlan *
uncertainty_plan_new(const ArchParams *params, guint sample_count, uint64_t seed)
{
    UncertaintyPlan *self = g_new0(UncertaintyPlan, 1);

    g_return_val_if_fail(sample_count > 0, NULL);
    self->columns = g_ptr_array_new_with_free_func(column_free);
    self->sample_count = sample_count;
    for (guint i = 0; i < arch_params_count(params); i++) {
        const ArchParam *param = arch_params_at(params, i);
        Column *column;

        if (param->range == NULL || arch_range_is_fixed(param->range) ||
            param->is_inert) {
            continue;
        }
        column = g_new0(Column, 1);
        column->path = g_strjoin(".", param->section, param->key, NULL);
        column->key = (UncertaintyKey){
            .path = column->path, .value = param->value, .range = param->range};
        column->values = g_ptr_array_new_with_free_func(g_free);
        draw(column, sample_count, seed);
        g_ptr_array_add(self->columns, column);
    }
    return self;
}

void uncertainty_plan_free(UncertaintyPlan *self)
{
    if (self != NULL) {
        g_ptr_array_unref(self->columns);
        g_free(self);
    }
}

static const Column *column_at(const UncertaintyPlan *self, guint key)
{
    return g_ptr_array_index(self->columns, key);
}

guint uncertainty_plan_key_count(const UncertaintyPlan *self)
{
    return self->columns->len;
}

const UncertaintyKey *uncertainty_plan_key(const UncertaintyPlan *self, guint key)
{
    g_return_val_if_fail(key < self->columns->len, NULL);
    return &column_at(self, key)->key;
}

const char *
uncertainty_plan_sample(const UncertaintyPlan *self, guint sample, guint key)
{
    g_return_val_if_fail(sample < self->sample_count && key < self->columns->len, NULL);
    return g_ptr_array_index(column_at(self, key)->values, sample);
}

const double *uncertainty_plan_levels(const UncertaintyPlan *self, guint key)
{
    g_return_val_if_fail(key < self->columns->len, NULL);
    return column_at(self, key)->levels;
}

char **uncertainty_plan_assignments(const UncertaintyPlan *self, guint sample)
{
    GPtrArray *words = g_ptr_array_new();

    for (guint i = 0; i < self->columns->len; i++) {
        g_ptr_array_add(words,
                        g_strconcat(column_at(self, i)->path, "=",
                                    uncertainty_plan_sample(self, sample, i), NULL));
    }
    g_ptr_array_add(words, NULL);
    return (char **) g_ptr_array_free(words, FALSE);
}
