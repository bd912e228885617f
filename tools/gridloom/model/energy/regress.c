/* Prices found from runs: text, JSON, a table, bars; and the command that asks. */
#include <math.h>
#include <stdio.h>

#include "arch/model/energy/fit.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/energy/energy.h"
#include "traces/file/output.h"
#include "traces/picture/bar_list.h"
#include "traces/table/record.h"
#include "traces/table/rows.h"

#define PERCENT 100.0

enum {
    BARS = 2, /* methods that find prices */
};

typedef struct {
    const ModelEnergyOptions *options;
    GpuEnergyFit fit;
} Study;

/* Are the runs synthetic, and the chip's prices their truth? */
static bool has_truth(const Study *self)
{
    return self->options->task == MODEL_ENERGY_REGRESS_SYNTHETIC;
}

/* What is known begins with which term? One that begins none is passed over. */
static bool next_term(const Study *self, GpuEnergyTerm *term)
{
    while (*term < GPU_ENERGY_TERMS && !gpu_energy_fit_has(&self->fit, *term)) {
        (*term)++;
    }
    return *term < GPU_ENERGY_TERMS;
}

/* A price by all methods. */
typedef struct {
    double of[GPU_ENERGY_METHODS];
    double errors[GPU_ENERGY_METHODS];
} Prices;

static Prices prices_of(const Study *self, GpuEnergyTerm term)
{
    Prices prices;

    for (guint i = 0; i < GPU_ENERGY_METHODS; i++) {
        prices.of[i] = gpu_energy_fit_price(&self->fit, term, (GpuEnergyMethod) i);
        prices.errors[i] = gpu_energy_fit_error(&self->fit, term, (GpuEnergyMethod) i);
    }
    return prices;
}

/* The sum that begins with a term. */
static JsonObject *price_json(const Study *self, GpuEnergyTerm term)
{
    const Prices prices = prices_of(self, term);
    g_autofree char *name = gpu_regression_sum_name(&self->fit.rank, term);
    JsonArray *terms = json_array_new();

    json_array_add_string_element(terms, gpu_energy_term_name(term));
    for (guint d = 0; d < GPU_ENERGY_TERMS; d++) {
        if (self->fit.rank.share[term][d] != 0) {
            json_array_add_string_element(terms,
                                          gpu_energy_term_name((GpuEnergyTerm) d));
        }
    }
    return RECORD(VALUE("name", name), VALUE("unit", gpu_energy_term_unit(term)),
                  VALUE("terms", terms), VALUE("found", prices.of[0]),
                  VALUE("least_squares", prices.of[1]),
                  VALUE(has_truth(self) ? "truth" : "chip", prices.of[2]),
                  VALUE("error_percent", prices.errors[0]),
                  VALUE("least_squares_error_percent", prices.errors[1]));
}

/* All that are known. */
static JsonArray *prices_json(const Study *self)
{
    JsonArray *array = json_array_new();

    for (GpuEnergyTerm term = 0; next_term(self, &term); term++) {
        json_array_add_object_element(array, price_json(self, term));
    }
    return array;
}

static JsonObject *rmse_json(const GpuEnergyFit *fit, GpuEnergyMethod method)
{
    const GpuEnergyProgram *program;
    JsonObject *object =
        RECORD(VALUE("training", gpu_energy_fit_rmse(fit, method, true, NULL)),
               VALUE("test", gpu_energy_fit_rmse(fit, method, false, NULL)));

    for (guint i = 0; (program = gpu_energy_program_at(i)) != NULL; i++) {
        RECORD_ADD(object, VALUE(program->name,
                                 gpu_energy_fit_rmse(fit, method, false, program)));
    }
    return object;
}

/* Tiles that the chip's prices choose among those that were measured. */
static JsonObject *choices_json(const GpuEnergyFit *fit)
{
    const GpuEnergyProgram *program;
    JsonObject *object = json_object_new();

    for (guint i = 0; (program = gpu_energy_program_at(i)) != NULL; i++) {
        GpuEnergyTrial trial;

        gpu_energy_fit_choices(fit, GPU_ENERGY_OF_CHIP, program, &trial);
        json_object_set_object_member(
            object, program->name,
            RECORD(VALUE("problems", trial.problems), VALUE("tiles", trial.tiles),
                   VALUE("wrong", trial.wrong),
                   VALUE("rmse_percent", PERCENT * trial.rmse),
                   VALUE("worst_percent", PERCENT * trial.worst)));
    }
    return object;
}

static void print_choices(const GpuEnergyFit *fit)
{
    const GpuEnergyProgram *program;
    bool is_first = true;

    for (guint i = 0; (program = gpu_energy_program_at(i)) != NULL; i++) {
        GpuEnergyTrial trial;

        gpu_energy_fit_choices(fit, GPU_ENERGY_OF_CHIP, program, &trial);
        if (trial.problems > 0) {
            printf("%s%s: %u of %u wrong, %.2f %% more joules at most",
                   is_first ? "  tiles that the chip's prices choose: " : "; ",
                   program->name, trial.wrong, trial.problems, PERCENT * trial.worst);
            is_first = false;
        }
    }
    printf("%s", is_first ? "" : "\n");
}

static void add_prices(JsonObject *object, const Study *self)
{
    const GpuEnergyFit *fit = &self->fit;
    JsonObject *found = json_object_new();
    JsonObject *errors = json_object_new();
    JsonObject *unknown = json_object_new();

    for (GpuEnergyTerm term = 0; term < GPU_ENERGY_TERMS; term++) {
        const char *name = gpu_energy_term_name(term);
        const bool is_known = fit->rank.is_known[term];
        g_autofree char *why = gpu_energy_fit_why(fit, term);

        json_object_set_double_member(
            found, name,
            is_known ? fit->costs[GPU_ENERGY_LEAST_ABSOLUTE].of[term] : NAN);
        json_object_set_double_member(
            errors, name,
            is_known ? gpu_energy_fit_error(fit, term, GPU_ENERGY_LEAST_ABSOLUTE)
                     : NAN);
        if (why != NULL) {
            json_object_set_string_member(unknown, name, why);
        }
    }
    RECORD_ADD(object, VALUE("found", found), VALUE("errors_percent", errors),
               VALUE("unknown", unknown), VALUE("prices", prices_json(self)));
}

static JsonObject *metrics(gconstpointer data)
{
    const Study *self = data;
    const GpuEnergyFit *fit = &self->fit;
    JsonObject *rmse = json_object_new();
    JsonObject *object =
        RECORD(VALUE("runs", fit->samples->len), VALUE("training", fit->training),
               VALUE("test", fit->samples->len - fit->training),
               VALUE("rank", fit->rank.rank));

    for (GpuEnergyMethod method = 0; method < GPU_ENERGY_METHODS; method++) {
        json_object_set_object_member(rmse, gpu_energy_method_name(method),
                                      rmse_json(fit, method));
    }
    add_prices(object, self);
    RECORD_ADD(object,
               VALUE(has_truth(self) ? "truth" : "chip",
                     model_energy_costs_json(&fit->costs[GPU_ENERGY_OF_CHIP])),
               VALUE("sum_of_errors_joules", fit->sum),
               VALUE("rmse_training_percent",
                     gpu_energy_fit_rmse(fit, GPU_ENERGY_LEAST_ABSOLUTE, true, NULL)),
               VALUE("rmse_test_percent",
                     gpu_energy_fit_rmse(fit, GPU_ENERGY_LEAST_ABSOLUTE, false, NULL)),
               VALUE("rmse_percent", rmse), VALUE("choices", choices_json(fit)));
    return object;
}

static char *csv(gconstpointer data)
{
    return trace_rows_csv(
        prices_json(data),
        has_truth(data) ? "price=name,unit,found,least_squares,truth,error_percent,"
                          "least_squares_error_percent"
                        : "price=name,unit,found,least_squares,chip,error_percent,"
                          "least_squares_error_percent",
        "");
}

/* One price: a bar for each method, and a stroke where the truth is. */
static void add_panel(TraceBarList *bars, const Study *self, GpuEnergyTerm term)
{
    static const char *const labels[BARS] = {"least sum of errors", "least squares"};
    const Prices prices = prices_of(self, term);
    const double truth = prices.of[GPU_ENERGY_OF_CHIP];
    g_autofree char *name = gpu_regression_sum_name(&self->fit.rank, term);

    trace_bar_list_panel(bars, "%s, %s %.4g %s", name,
                         has_truth(self) ? "in truth" : "of the chip file", truth,
                         gpu_energy_term_unit(term));
    for (guint i = 0; i < BARS; i++) {
        const double price = prices.of[i];
        g_autofree char *error = isnan(prices.errors[i])
                                     ? g_strdup("")
                                     : g_strdup_printf(", %+.2f %%", prices.errors[i]);

        trace_bar_list_add(bars, labels[i], price < 0 ? NAN : price, fmax(0, truth),
                           "%.4g%s", price, error);
    }
}

static char *svg(gconstpointer data)
{
    const Study *self = data;
    const GpuEnergyFit *fit = &self->fit;
    g_autoptr(TraceBarList) bars = trace_bar_list_new(
        "Prices from %u of %u %s runs, %s", fit->training, fit->samples->len,
        has_truth(self) ? "synthetic" : "measured",
        arch_params_name(self->options->chip));
    bool is_any = false;

    for (GpuEnergyTerm term = 0; next_term(self, &term); term++) {
        add_panel(bars, self, term);
        is_any = true;
    }
    if (is_any) {
        trace_bar_list_note(
            bars, "the stroke is %s; energies are off by %.3g %% (RMSE of the test)",
            has_truth(self) ? "the truth" : "what the chip file has",
            gpu_energy_fit_rmse(fit, GPU_ENERGY_LEAST_ABSOLUTE, false, NULL));
    }
    return trace_bar_list_to_svg(bars);
}

static void print_head(const Study *self)
{
    const ModelEnergyOptions *options = self->options;
    const GpuEnergyFit *fit = &self->fit;
    const GpuEnergyProgram *program;

    printf("model energy on %s: prices from runs\n", arch_params_name(options->chip));
    printf("  runs      %u:", fit->samples->len);
    for (guint i = 0; (program = gpu_energy_program_at(i)) != NULL; i++) {
        printf("%s %u %s", i > 0 ? "," : "", gpu_energy_fit_count(fit, program),
               program->name);
    }
    if (has_truth(self)) {
        printf("; synthetic, seed %" G_GUINT64_FORMAT
               ", off by up to %.4g %%, %.4g %% of them at twice their energy\n",
               options->seed, PERCENT * options->noise, PERCENT * options->outliers);
    } else {
        printf("; %s\n", options->runs);
    }
    printf(
        "  training  %u of them, chosen by seed %" G_GUINT64_FORMAT
        "; the other %u are the test\n"
        "  method    least sum of |E_model - E_measured|, a linear program; no price "
        "below 0\n\n",
        fit->training, options->seed, fit->samples->len - fit->training);
}

static void print_prices(const Study *self)
{
    trace_rows_print(
        prices_json(self),
        has_truth(self)
            ? "PRICE=name|UNIT=unit|FOUND=found:%.5g|ERROR [%]=error_percent:%.2f|"
              "SQUARES=least_squares:%.5g|ERROR [%]=least_squares_error_percent:%.2f|"
              "TRUTH=truth:%.5g"
            : "PRICE=name|UNIT=unit|FOUND=found:%.5g|OFF CHIP [%]=error_percent:%.2f|"
              "SQUARES=least_squares:%.5g|"
              "OFF CHIP [%]=least_squares_error_percent:%.2f|CHIP=chip:%.5g");
    for (GpuEnergyTerm term = 0; term < GPU_ENERGY_TERMS; term++) {
        g_autofree char *why = gpu_energy_fit_why(&self->fit, term);

        if (why != NULL) {
            printf("  %s: %s\n", gpu_energy_term_symbol(term), why);
        }
    }
}

static void print(gconstpointer data)
{
    const Study *self = data;
    const char *const names[GPU_ENERGY_METHODS] = {
        "least sum of errors", "least squares",
        has_truth(self) ? "the truth" : "the chip file"};
    JsonArray *rows = json_array_new();

    print_head(self);
    print_prices(self);
    for (GpuEnergyMethod method = 0; method < GPU_ENERGY_METHODS; method++) {
        JsonObject *row = rmse_json(&self->fit, method);

        RECORD_ADD(row, VALUE("name", names[method]));
        json_array_add_object_element(rows, row);
    }
    printf("\n");
    trace_rows_print(rows, "RMSE [%] OF=name|TRAINING=training:%.3f|TEST=test:%.3f|"
                           "SW=sw:%.3f|J1D=j1d:%.3f|J2D=j2d:%.3f");
    printf("  programs: of the test\n");
    print_choices(&self->fit);
}

static JsonObject *(*const parameters)(gconstpointer study) = model_energy_parameters;

/* Draws or reads the runs; NULL: failed. */
static GArray *take_runs(const ModelEnergyOptions *options, GError **error)
{
    const GpuEnergyDraw draw = model_energy_draw(options);

    if (options->task == MODEL_ENERGY_REGRESS) {
        return model_energy_runs_read(options->runs, options->program,
                                      options->block_bytes, error);
    }
    g_autoptr(GArray) samples = gpu_energy_samples_draw(&draw, options->program);
    g_autofree char *text = model_energy_runs_text(samples);

    return options->rows == NULL || trace_output_write(options->rows, text, error)
               ? g_steal_pointer(&samples)
               : NULL;
}

int model_energy_regress(const ModelEnergyOptions *options, gint64 start)
{
    g_autoptr(GError) error = NULL;
    GArray *samples = take_runs(options, &error);
    Study study = {.options = options};
    ModelPage page = MODEL_PAGE("model energy", options->chip, &study);
    int code;

    if (samples != NULL &&
        gpu_energy_fit_init(&study.fit, samples, &options->costs, options->training,
                            options->seed, &error)) {
        if (has_truth(&study) && options->noise == 0 && options->outliers == 0) {
            page.reference = "the prices that the runs were made with";
            page.is_wrong = !gpu_energy_fit_is_exact(&study.fit);
        }
        code = model_output_write(&options->output, &page, start);
    } else {
        code = complain_of(error);
    }
    gpu_energy_fit_clear(&study.fit);
    return code;
}
