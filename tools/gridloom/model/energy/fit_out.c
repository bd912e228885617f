/* Prices found from runs as JSON, a table and a picture. */
#include <math.h>

#include "tools/gridloom/model/energy/fit.h"
#include "tools/gridloom/number_text.h"
#include "traces/picture/bars.h"

enum {
    BARS = 2, /* methods that find prices */
};

/* The sum that begins with a term. */
static JsonObject *price_object(const ModelEnergyFit *self, GpuEnergyTerm term)
{
    g_autofree char *name = gpu_regression_sum_name(&self->rank, term);
    JsonObject *object = json_object_new();
    JsonArray *terms = json_array_new();

    json_object_set_string_member(object, "name", name);
    json_object_set_string_member(object, "unit", gpu_energy_term_unit(term));
    json_array_add_string_element(terms, gpu_energy_term_name(term));
    for (guint d = 0; d < GPU_ENERGY_TERMS; d++) {
        if (self->rank.share[term][d] != 0) {
            json_array_add_string_element(terms,
                                          gpu_energy_term_name((GpuEnergyTerm) d));
        }
    }
    json_object_set_array_member(object, "terms", terms);
    json_object_set_double_member(
        object, "found",
        model_energy_fit_price(self, term, MODEL_ENERGY_LEAST_ABSOLUTE));
    json_object_set_double_member(
        object, "least_squares",
        model_energy_fit_price(self, term, MODEL_ENERGY_LEAST_SQUARES));
    json_object_set_double_member(
        object, model_energy_fit_has_truth(self) ? "truth" : "chip",
        model_energy_fit_price(self, term, MODEL_ENERGY_OF_CHIP));
    json_object_set_double_member(
        object, "error_percent",
        model_energy_fit_error(self, term, MODEL_ENERGY_LEAST_ABSOLUTE));
    json_object_set_double_member(
        object, "least_squares_error_percent",
        model_energy_fit_error(self, term, MODEL_ENERGY_LEAST_SQUARES));
    return object;
}

static JsonObject *rmse_object(const ModelEnergyFit *self, ModelEnergyMethod method)
{
    JsonObject *object = json_object_new();
    const GpuEnergyProgram *program;

    json_object_set_double_member(object, "training",
                                  model_energy_fit_rmse(self, method, true, NULL));
    json_object_set_double_member(object, "test",
                                  model_energy_fit_rmse(self, method, false, NULL));
    for (guint i = 0; (program = gpu_energy_program_at(i)) != NULL; i++) {
        json_object_set_double_member(
            object, program->name, model_energy_fit_rmse(self, method, false, program));
    }
    return object;
}

static void set_prices(JsonObject *object, const ModelEnergyFit *self)
{
    JsonArray *prices = json_array_new();
    JsonObject *found = json_object_new();
    JsonObject *errors = json_object_new();
    JsonObject *unknown = json_object_new();

    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        const GpuEnergyTerm term = (GpuEnergyTerm) i;
        const char *name = gpu_energy_term_name(term);
        const bool is_known = self->rank.is_known[i];
        g_autofree char *why = model_energy_fit_why(self, term);

        json_object_set_double_member(
            found, name,
            is_known ? self->costs[MODEL_ENERGY_LEAST_ABSOLUTE].of[i] : NAN);
        json_object_set_double_member(
            errors, name,
            is_known ? model_energy_fit_error(self, term, MODEL_ENERGY_LEAST_ABSOLUTE)
                     : NAN);
        if (why != NULL) {
            json_object_set_string_member(unknown, name, why);
        }
        if (model_energy_fit_has(self, term)) {
            json_array_add_object_element(prices, price_object(self, term));
        }
    }
    json_object_set_object_member(object, "found", found);
    json_object_set_object_member(object, "errors_percent", errors);
    json_object_set_object_member(object, "unknown", unknown);
    json_object_set_array_member(object, "prices", prices);
}

JsonObject *model_energy_fit_metrics(gconstpointer study)
{
    const ModelEnergyFit *self = study;
    JsonObject *object = json_object_new();
    JsonObject *rmse = json_object_new();

    json_object_set_int_member(object, "runs", self->samples->len);
    json_object_set_int_member(object, "training", self->training);
    json_object_set_int_member(object, "test", self->samples->len - self->training);
    json_object_set_int_member(object, "rank", self->rank.rank);
    set_prices(object, self);
    json_object_set_object_member(
        object, model_energy_fit_has_truth(self) ? "truth" : "chip",
        model_energy_costs_object(&self->costs[MODEL_ENERGY_OF_CHIP]));
    json_object_set_double_member(object, "sum_of_errors_joules", self->sum);
    json_object_set_double_member(
        object, "rmse_training_percent",
        model_energy_fit_rmse(self, MODEL_ENERGY_LEAST_ABSOLUTE, true, NULL));
    json_object_set_double_member(
        object, "rmse_test_percent",
        model_energy_fit_rmse(self, MODEL_ENERGY_LEAST_ABSOLUTE, false, NULL));
    for (guint i = 0; i < MODEL_ENERGY_METHODS; i++) {
        json_object_set_object_member(rmse,
                                      model_energy_method_name((ModelEnergyMethod) i),
                                      rmse_object(self, (ModelEnergyMethod) i));
    }
    json_object_set_object_member(object, "rmse_percent", rmse);
    return object;
}

char *model_energy_fit_csv(gconstpointer study)
{
    const ModelEnergyFit *self = study;
    GString *text = g_string_new(NULL);

    g_string_append_printf(text,
                           "price,unit,found,least_squares,%s,error_percent,"
                           "least_squares_error_percent\n",
                           model_energy_fit_has_truth(self) ? "truth" : "chip");
    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        const GpuEnergyTerm term = (GpuEnergyTerm) i;
        g_autofree char *name = gpu_regression_sum_name(&self->rank, term);

        if (!model_energy_fit_has(self, term)) {
            continue;
        }
        g_string_append_printf(text, "%s,%s", name, gpu_energy_term_unit(term));
        for (guint method = 0; method < MODEL_ENERGY_METHODS; method++) {
            cmd_number_text_add_field(
                text, model_energy_fit_price(self, term, (ModelEnergyMethod) method));
        }
        cmd_number_text_add_field(
            text, model_energy_fit_error(self, term, MODEL_ENERGY_LEAST_ABSOLUTE));
        cmd_number_text_add_field(
            text, model_energy_fit_error(self, term, MODEL_ENERGY_LEAST_SQUARES));
        g_string_append_c(text, '\n');
    }
    return g_string_free(text, FALSE);
}

/* One price: a bar for each method, and a stroke where the truth is. */
typedef struct {
    char *title;
    TraceBar bars[BARS];
    char *texts[BARS];
} Panel;

static void panel_init(Panel *self, const ModelEnergyFit *fit, GpuEnergyTerm term)
{
    static const char *const labels[BARS] = {"least sum of errors", "least squares"};
    g_autofree char *name = gpu_regression_sum_name(&fit->rank, term);
    const double truth = model_energy_fit_price(fit, term, MODEL_ENERGY_OF_CHIP);

    self->title = g_strdup_printf("%s, %s %.4g %s", name,
                                  model_energy_fit_has_truth(fit) ? "in truth"
                                                                  : "of the chip file",
                                  truth, gpu_energy_term_unit(term));
    for (guint i = 0; i < BARS; i++) {
        const double price = model_energy_fit_price(fit, term, (ModelEnergyMethod) i);
        const double error = model_energy_fit_error(fit, term, (ModelEnergyMethod) i);

        self->texts[i] = isnan(error) ? g_strdup_printf("%.4g", price)
                                      : g_strdup_printf("%.4g, %+.2f %%", price, error);
        self->bars[i] = (TraceBar){.label = labels[i],
                                   .text = self->texts[i],
                                   .value = price < 0 ? NAN : price,
                                   .mark = fmax(0, truth)};
    }
}

char *model_energy_fit_svg(gconstpointer study)
{
    const ModelEnergyFit *self = study;
    g_autofree char *title = g_strdup_printf(
        "Prices from %u of %u %s runs, %s", self->training, self->samples->len,
        model_energy_fit_has_truth(self) ? "synthetic" : "measured",
        arch_params_name(self->options->chip));
    g_autofree char *note = g_strdup_printf(
        "the stroke is %s; energies are off by %.3g %% (RMSE of the test)",
        model_energy_fit_has_truth(self) ? "the truth" : "what the chip file has",
        model_energy_fit_rmse(self, MODEL_ENERGY_LEAST_ABSOLUTE, false, NULL));
    Panel panels[GPU_ENERGY_TERMS] = {{0}};
    TraceBarPanel shown[GPU_ENERGY_TERMS];
    gsize count = 0;

    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        if (model_energy_fit_has(self, (GpuEnergyTerm) i)) {
            panel_init(&panels[count], self, (GpuEnergyTerm) i);
            shown[count] = (TraceBarPanel){.title = panels[count].title,
                                           .bars = panels[count].bars,
                                           .bar_count = BARS};
            count++;
        }
    }
    if (count > 0) {
        shown[count - 1].note = note;
    }
    char *text = trace_bars_to_svg(
        &(TraceBars){.title = title, .panels = shown, .panel_count = count});

    for (gsize i = 0; i < count; i++) {
        g_free(panels[i].title);
        for (guint k = 0; k < BARS; k++) {
            g_free(panels[i].texts[k]);
        }
    }
    return text;
}
