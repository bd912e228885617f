/* Estimates: which there are, and what all have. */
#include "tools/gridloom/compare/estimate.h"

#include <math.h>

#include "arch/error.h"
#include "traces/file/json_member.h"

/* Cycles below which a difference is rounding: fractions of a cycle are carried on from
 * operation to operation. */
#define NOTHING 1.0

static const EstimateForm *const forms[] = {
    &estimate_stencil25_form,
    &estimate_dot_form,
    &estimate_stencil7_form,
};

static const EstimateForm *find(const char *workload, const char *family)
{
    for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
        if (g_str_equal(forms[i]->workload, workload) &&
            g_str_equal(forms[i]->family, family)) {
            return forms[i];
        }
    }
    return NULL;
}

bool estimate_exists(const char *workload, const char *family)
{
    return find(workload, family) != NULL;
}

char *estimate_absence(const char *workload, const char *chip)
{
    GString *text = g_string_new(NULL);

    g_string_append_printf(text, "no closed form of %s on %s; there is one of ",
                           workload, chip);
    for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
        g_string_append_printf(text, "%s%s on %s", i > 0 ? ", " : "",
                               forms[i]->workload, forms[i]->family);
    }
    return g_string_free(text, FALSE);
}

static void part_clear(gpointer data)
{
    EstimatePart *part = data;

    g_free(part->formula);
    g_strfreev(part->keys);
}

void estimate_free(Estimate *self)
{
    if (self == NULL) {
        return;
    }
    g_array_unref(self->parts);
    g_array_unref(self->measured);
    g_array_unref(self->difference);
    g_free(self);
}

/* The sum of what goes on one after the other, or what takes longer beside it. */
static double total_of(const Estimate *self)
{
    double total = estimate_sum(self, NULL);

    for (guint i = 0; i < self->parts->len; i++) {
        const EstimatePart *part = estimate_part(self, i);

        total = part->is_beside ? fmax(total, part->cycles) : total;
    }
    return total;
}

Estimate *estimate_new(const ArchParams *chip,
                       const char *workload,
                       JsonObject *parameters,
                       GError **error)
{
    const EstimateForm *form = find(workload, arch_params_family(chip));
    g_autoptr(Estimate) self = NULL;

    if (form == NULL) {
        g_autofree char *text = estimate_absence(workload, arch_params_name(chip));

        (void) estimate_refuse(error, "%s", text);
        return NULL;
    }
    if (trace_json_number(parameters, "chips", 0) > 1) {
        (void) estimate_refuse(error, "no closed form of %s over several chips",
                               workload);
        return NULL;
    }
    self = g_new0(Estimate, 1);
    self->form = form;
    self->parts = g_array_new(FALSE, FALSE, sizeof(EstimatePart));
    g_array_set_clear_func(self->parts, part_clear);
    self->measured = g_array_new(FALSE, FALSE, sizeof(EstimateShare));
    self->difference = g_array_new(FALSE, FALSE, sizeof(EstimateShare));
    self->simulated = NAN;
    self->ratio = NAN;
    if (!form->estimate(self, chip, parameters, error)) {
        return NULL;
    }
    self->cycles = total_of(self);
    self->seconds = self->cycles / estimate_key(chip, "chip.clock_hz");
    /* The numbers of a chip file may be anything that its keys allow. */
    if (!isfinite(self->cycles) || self->cycles <= 0 || !isfinite(self->seconds)) {
        (void) estimate_refuse(error, "the closed form has no finite value");
        return NULL;
    }
    return g_steal_pointer(&self);
}

/* Nothing beside takes longer than what goes on one after the other. */
static bool is_sum(const Estimate *self)
{
    return estimate_sum(self, NULL) >= self->cycles;
}

bool estimate_explain(Estimate *self, JsonObject *result, GError **error)
{
    const double cycles = trace_json_number(result, "cycles_per_iteration", NAN);

    if (!isfinite(cycles) || cycles <= 0) {
        return estimate_refuse(error, "the result has no cycles_per_iteration");
    }
    self->simulated = cycles;
    self->ratio = cycles / self->cycles;
    g_array_set_size(self->measured, 0);
    g_array_set_size(self->difference, 0);
    self->form->explain(self, result);
    if (!is_sum(self)) {
        /* What was counted is of the others, which wait for that part. */
        g_array_set_size(self->difference, 0);
        estimate_differ(self, "dependency and contention beyond the part beside",
                        estimate_unexplained(self));
    }
    return true;
}

const EstimatePart *estimate_part(const Estimate *self, guint index)
{
    return &g_array_index(self->parts, EstimatePart, index);
}

const EstimateShare *estimate_share(const GArray *shares, guint index)
{
    return &g_array_index(shares, EstimateShare, index);
}

const EstimatePart *estimate_largest(const Estimate *self)
{
    const EstimatePart *largest = NULL;

    for (guint i = 0; i < self->parts->len; i++) {
        const EstimatePart *part = estimate_part(self, i);

        if (part->is_beside != is_sum(self) &&
            (largest == NULL || part->cycles > largest->cycles)) {
            largest = part;
        }
    }
    return largest;
}

static EstimatePart *last_part(const Estimate *self)
{
    return &g_array_index(self->parts, EstimatePart, self->parts->len - 1);
}

void estimate_add(Estimate *self,
                  const char *kind,
                  const char *name,
                  double cycles,
                  const char *keys,
                  const char *format,
                  ...)
{
    va_list arguments;

    g_array_set_size(self->parts, self->parts->len + 1);
    *last_part(self) = (EstimatePart){.kind = kind,
                                      .name = name,
                                      .cycles = cycles,
                                      .keys = g_strsplit(keys, " ", -1)};
    va_start(arguments, format);
    last_part(self)->formula = g_strdup_vprintf(format, arguments);
    va_end(arguments);
}

void estimate_put_beside(Estimate *self)
{
    last_part(self)->is_beside = true;
}

double estimate_key(const ArchParams *chip, const char *paths)
{
    g_auto(GStrv) each = g_strsplit(paths, " ", -1);
    double sum = 0;

    for (char **path = each; *path != NULL; path++) {
        sum += arch_params_real(chip, *path);
    }
    return sum;
}

bool estimate_count(JsonObject *parameters,
                    const char *name,
                    double *value,
                    GError **error)
{
    *value = trace_json_number(parameters, name, NAN);
    return (isfinite(*value) && *value >= 1) ||
           estimate_refuse(error, "no closed form without a %s of at least 1", name);
}

bool estimate_says(JsonObject *parameters,
                   const char *name,
                   const char *usual,
                   const char *word)
{
    return g_str_equal(trace_json_string(parameters, name, usual), word);
}

bool estimate_refuse(GError **error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_propagate_error(error, g_error_new_valist(ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                                                format, arguments));
    va_end(arguments);
    return false;
}

double estimate_sum(const Estimate *self, const char *name)
{
    double sum = 0;

    for (guint i = 0; i < self->parts->len; i++) {
        const EstimatePart *part = estimate_part(self, i);

        if (!part->is_beside && (name == NULL || g_str_equal(part->name, name))) {
            sum += part->cycles;
        }
    }
    return sum;
}

void estimate_measure(Estimate *self, const char *name, double cycles)
{
    const EstimateShare share = {.name = name, .cycles = cycles};

    g_array_append_val(self->measured, share);
}

void estimate_differ(Estimate *self, const char *reason, double cycles)
{
    const EstimateShare share = {.name = reason, .cycles = cycles};

    if (fabs(cycles) >= NOTHING) {
        g_array_append_val(self->difference, share);
    }
}

double estimate_unexplained(const Estimate *self)
{
    double left = self->simulated - self->cycles;

    for (guint i = 0; i < self->difference->len; i++) {
        left -= estimate_share(self->difference, i)->cycles;
    }
    return left;
}
