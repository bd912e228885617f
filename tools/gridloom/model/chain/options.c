/* gridloom model chain: traffic of a chain of matrix products. */
#include "tools/gridloom/commands.h"
#include "tools/gridloom/model/chain/chain.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/progress.h"

typedef ModelChainOptions Options;

enum {
    SMALL_WORDS = 65536, /* "64 KB" of the thesis, which are words */
    LARGE_WORDS = 98304,
    FIRST_LENGTH = 2, /* of Table D.1 */
    LAST_LENGTH = 20,
};

/* Whole numbers with commas between them; `values` has room for `most`. False where one
 * is something else, or there are more. */
static bool read_list(const char *text, uint64_t *values, guint most, guint *count)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);

    *count = g_strv_length(parts);
    for (guint i = 0; i < *count && i < most; i++) {
        guint64 number = 0;

        if (!g_ascii_string_to_unsigned(parts[i], 10, 0, G_MAXUINT64, &number, NULL)) {
            return false;
        }
        values[i] = number;
    }
    return true;
}

static bool read_sizes(Chain *chain, const char *text, GError **error)
{
    guint count = 0;

    if (!read_list(text, chain->sizes, CHAIN_MATRICES + 1, &count)) {
        return option_refuse("--sizes", text, "whole numbers P0,P1,P2,...", error);
    }
    chain->matrix_count = count > 0 ? count - 1 : 0;
    return true;
}

static bool read_words(Options *self, const char *text, GError **error)
{
    ChainSurveySetting *survey = &self->survey;
    const guint most = self->kind == MODEL_CHAIN_SURVEY ? CHAIN_SURVEY_WORDS : 1;
    bool is_right = true;

    survey->words_count = most == 1 ? 1 : 2;
    survey->words[0] = SMALL_WORDS;
    survey->words[1] = LARGE_WORDS;
    if (text == NULL) {
        return true;
    }
    is_right = read_list(text, survey->words, most, &survey->words_count) &&
               survey->words_count >= 1 && survey->words_count <= most;
    for (guint i = 0; is_right && i < survey->words_count; i++) {
        is_right = survey->words[i] >= CHAIN_LEAST_WORDS &&
                   survey->words[i] <= CHAIN_MOST_WORDS;
        for (guint k = 0; k < i; k++) {
            is_right = is_right && survey->words[k] != survey->words[i];
        }
    }
    g_autofree char *allowed = g_strdup_printf(
        "%s in %d..%" G_GUINT64_FORMAT,
        most == 1 ? "a whole number" : "up to 4 different whole numbers",
        CHAIN_LEAST_WORDS, CHAIN_MOST_WORDS);

    return is_right || option_refuse("--words", text, allowed, error);
}

static bool read_lengths(ChainSurveySetting *survey, const char *text, GError **error)
{
    guint limits[2] = {FIRST_LENGTH, LAST_LENGTH};

    if (text != NULL &&
        (!option_is_pair(text, ":", limits) || limits[0] < CHAIN_LEAST_MATRICES ||
         limits[1] < limits[0] || limits[1] > CHAIN_MATRICES)) {
        return option_refuse("--lengths", text, "FROM:TO in 2..64", error);
    }
    survey->from = limits[0];
    survey->to = limits[1];
    return true;
}

/* Refuses options that exclude each other. */
static bool check_kind(const Options *self, const OptionTexts *texts, GError **error)
{
    const bool is_survey = self->kind == MODEL_CHAIN_SURVEY;

    if (is_survey &&
        (option_is_given(texts, "sizes") || option_is_given(texts, "single") ||
         option_is_given(texts, "pair") || self->has_check)) {
        return option_fail(error,
                           "--random-chains has chains of its own: it does not go "
                           "with --sizes, --single, --pair or --check");
    }
    if (!is_survey && option_is_given(texts, "lengths")) {
        return option_fail(error, "--lengths: only with --random-chains");
    }
    if (!is_survey && !self->has_check && option_is_given(texts, "seed")) {
        return option_fail(error, "--seed: only with --random-chains or --check");
    }
    if (option_is_given(texts, "single") && option_is_given(texts, "pair")) {
        return option_fail(error, "--single and --pair: choose one");
    }
    if (option_is_given(texts, "as-printed") && option_is_given(texts, "whole-tiles")) {
        return option_fail(error, "--as-printed and --whole-tiles: choose one");
    }
    if (!is_survey && !option_is_given(texts, "sizes")) {
        return option_fail(error,
                           "model chain: --sizes P0,P1,P2,... or --random-chains "
                           "N is missing");
    }
    return true;
}

/* The chain that was given: long enough for what is asked, and of the model. */
static bool check_chain(const Options *self, GError **error)
{
    const guint count = self->chain.matrix_count;

    if ((self->kind == MODEL_CHAIN_SINGLE && count != 2) ||
        (self->kind == MODEL_CHAIN_PAIR && count != 3)) {
        return option_fail(error, "--%s takes %d --sizes, not %u",
                           self->kind == MODEL_CHAIN_SINGLE ? "single" : "pair",
                           self->kind == MODEL_CHAIN_SINGLE ? 3 : 4, count + 1);
    }
    if (!chain_check(&self->chain, self->survey.words[0], error)) {
        g_prefix_error(error, "--sizes: ");
        return false;
    }
    return true;
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    if (option_is_given(texts, "random-chains")) {
        self->kind = MODEL_CHAIN_SURVEY;
    }
    if (!check_kind(self, texts, error) ||
        !read_words(self, option_text(texts, "words"), error) ||
        !read_lengths(&self->survey, option_text(texts, "lengths"), error)) {
        return false;
    }
    if (self->kind != MODEL_CHAIN_SURVEY &&
        (!read_sizes(&self->chain, option_text(texts, "sizes"), error) ||
         !check_chain(self, error))) {
        return false;
    }
    return model_output_check(&self->output, error);
}

static const char reference[] =
    "loops on whole numbers: products equal to plain ones, words counted as predicted, "
    "no order or fusion of a short chain better";

static GArray *run_survey(const ModelChainOptions *options, GError **error)
{
    g_autoptr(Progress) progress =
        progress_new("model chain", !options->output.is_quiet);
    ChainSurveySetting setting = options->survey;

    setting.tell = progress_share;
    setting.tell_data = progress;
    progress_begin(progress, 1, 1, "random chains");
    return chain_survey_run(&setting, error);
}

static bool ask(ModelChainStudy *self, GError **error)
{
    const ModelChainOptions *options = self->options;
    bool is_done = true;

    self->study = g_new0(ChainStudy, 1);
    self->study->chain = options->chain;
    self->study->words = options->survey.words[0];
    self->study->form = options->form;
    switch (options->kind) {
    case MODEL_CHAIN_TREE:
        is_done = chain_study_tree(self->study, error);
        break;
    case MODEL_CHAIN_SINGLE:
        chain_study_methods(self->study, CHAIN_KEEP_OUTPUT, CHAIN_KEEP_RIGHT);
        break;
    case MODEL_CHAIN_PAIR:
        chain_study_methods(self->study, CHAIN_FUSE_LEFT, CHAIN_FUSE_RIGHT);
        break;
    case MODEL_CHAIN_SURVEY:
        self->survey = run_survey(options, error);
        is_done = self->survey != NULL;
        break;
    }
    return is_done && (!options->has_check ||
                       chain_study_check(self->study, options->survey.seed, error));
}

static int run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const ModelChainOptions *options = data;
    ModelChainStudy study = {.options = options};
    ModelPage page = {.name = "model chain",
                      .study = &study,
                      .parameters = model_chain_parameters,
                      .metrics = model_chain_metrics,
                      .csv = model_chain_csv,
                      .svg = model_chain_svg,
                      .print = model_chain_print};
    g_autoptr(GError) error = NULL;
    int code;

    if (ask(&study, &error)) {
        page.reference = options->has_check ? reference : NULL;
        page.is_wrong = study.study->is_wrong;
        code = model_output_write(&options->output, &page, start);
    } else {
        code = complain_of(error);
    }
    g_clear_pointer(&study.survey, g_array_unref);
    g_free(study.study);
    return code;
}

static const Option rows[] = {
    {"sizes", "P0,P1,P2,...",
     "rows of the first matrix, then columns of each: 2 to 64 matrices",
     OPTION_OTHER(TEXT)},
    {"words", "M", "of fast memory (default: 65536; for random chains 65536,98304)",
     OPTION_OTHER(TEXT)},
    {"as-printed", NULL, "the thesis to the letter: beta = P0/P1",
     OPTION_CASE(form, CHAIN_AS_PRINTED)},
    {"whole-tiles", NULL, "the best tiles of whole words, a whole number of them",
     OPTION_CASE(form, CHAIN_WHOLE)},
    {"single", NULL, "one product: keep R, A1 or A2",
     OPTION_CASE(kind, MODEL_CHAIN_SINGLE)},
    {"pair", NULL, "two products: fuse to the left or to the right",
     OPTION_CASE(kind, MODEL_CHAIN_PAIR)},
    {"check", NULL,
     "run the loops, scaled down, on numbers: equal to the plain product, words "
     "counted; and try all orders and fusions of short chains",
     OPTION_FLAG(has_check)},
    {"random-chains", "N",
     "what fusing saves on so many of each length (Table D.1: 1000)",
     OPTION_SMALL(survey.chain_count, 1, 10000)},
    {"lengths", "FROM:TO", "of random chains, matrices (default: 2:20)",
     OPTION_OTHER(TEXT)},
    {"seed", "N", "of random chains, and of numbers for --check (default: 1)",
     OPTION_COUNT(survey.seed, 0, G_MAXINT64)},
    {0},
};

const Command cmd_model_chain = {
    .name = "model chain",
    .purpose = "traffic of a chain of matrix products, fused or not",
    .help = "model-chain",
    .tables = {{rows, 0}, {model_output_rows, offsetof(Options, output)}},
    COMMAND_OPTIONS(Options, .form = CHAIN_CORRECTED, .survey = {.seed = 1}),
    .check = check,
    .run = run,
};
