/* Finds tiles with the same program, and makes each program once. */
#include "workloads/csl/meaning/classify.h"

#include "workloads/csl/meaning/analyser.h"
#include "workloads/csl/meaning/check_class.h"

/* A tree of questions: a node asks for a param, its value leads to the next node. Code
 * that reads the same values in the same order is the same. */
typedef struct {
    uint32_t slot;     /* the param that is read here, or CSL_NO_INDEX */
    uint32_t pe_class; /* or CSL_NO_INDEX */
} Question;

typedef struct {
    uint32_t node;
    CslValue value;
} Answer;

typedef struct {
    CslEvaluator *evaluator;
    CslProgram *program;
    GArray *questions;
    GHashTable *answers; /* Answer -> node */
    GHashTable *roots;   /* CslFile -> node + 1 */
} Classifier;

static guint hash_answer(gconstpointer key)
{
    const Answer *answer = key;

    return answer->node * 2654435761U ^ csl_value_hash(&answer->value);
}

static gboolean are_answers_equal(gconstpointer a, gconstpointer b)
{
    const Answer *left = a;
    const Answer *right = b;

    return left->node == right->node && csl_value_equal(&left->value, &right->value);
}

static uint32_t add_question(Classifier *self)
{
    const Question question = {CSL_NO_INDEX, CSL_NO_INDEX};

    g_array_append_val(self->questions, question);
    return self->questions->len - 1;
}

static Question *question_at(const Classifier *self, uint32_t node)
{
    return &g_array_index(self->questions, Question, node);
}

static uint32_t root_of(Classifier *self, const CslFile *file)
{
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(self->roots, file));

    if (found == 0) {
        found = add_question(self) + 1;
        g_hash_table_insert(self->roots, (gpointer) file, GUINT_TO_POINTER(found));
    }
    return found - 1;
}

/* What a tile answers at a node. */
static Answer answer_of(const CslTile *tile, uint32_t node, uint32_t slot)
{
    const char *name = tile->file->tree->globals[slot]->name;
    const CslValue *bound =
        tile->bindings == NULL ? NULL : csl_struct_find(tile->bindings, name);

    return (Answer){.node = node, .value = bound == NULL ? csl_no_value() : *bound};
}

/* The class of a tile, or CSL_NO_INDEX if it needs a new one. */
static uint32_t find_class(Classifier *self, const CslTile *tile)
{
    uint32_t node = root_of(self, tile->file);

    for (;;) {
        const Question *question = question_at(self, node);
        Answer answer;
        guint next;

        if (question->slot == CSL_NO_INDEX) {
            return question->pe_class;
        }
        answer = answer_of(tile, node, question->slot);
        next = GPOINTER_TO_UINT(g_hash_table_lookup(self->answers, &answer));
        if (next == 0) {
            return CSL_NO_INDEX;
        }
        node = next - 1;
    }
}

/* Remembers what a class has read. */
static void remember(Classifier *self, const CslTile *tile, uint32_t pe_class)
{
    const CslPeClass *pe = self->program->classes->pdata[pe_class];
    uint32_t node = root_of(self, tile->file);

    for (guint i = 0; i < pe->reads->len; i++) {
        const uint32_t slot = g_array_index(pe->reads, uint32_t, i);
        const Answer answer = answer_of(tile, node, slot);
        guint next = GPOINTER_TO_UINT(g_hash_table_lookup(self->answers, &answer));

        question_at(self, node)->slot = slot;
        if (next == 0) {
            Answer *kept = g_new(Answer, 1);

            *kept = answer;
            next = add_question(self) + 1;
            g_hash_table_insert(self->answers, kept, GUINT_TO_POINTER(next));
        }
        node = next - 1;
    }
    question_at(self, node)->pe_class = pe_class;
}

/* Whether @export_symbol has named the symbol so, too. */
static bool is_exported(const CslPeClass *pe, const CslExport *symbol)
{
    for (guint i = 0; i < pe->exports->len; i++) {
        const CslExport *other = &g_array_index(pe->exports, CslExport, i);

        if (other->name == symbol->name && other->global == symbol->global) {
            return true;
        }
    }
    return false;
}

/* Symbols with the word export are exported under their own names. */
static void export_words(CslEvaluator *evaluator, CslModule *module)
{
    const CslTree *tree = module->file->tree;

    for (uint32_t i = 0; i < tree->global_count; i++) {
        CslGlobal *global = &module->globals[i];
        CslExport symbol = {.name = csl_global_name(global),
                            .global = global,
                            .place = csl_global_place(global)};

        if ((tree->globals[i]->flags & CSL_IS_EXPORT) != 0 &&
            !is_exported(module->pe, &symbol) &&
            csl_global_value(evaluator, global, symbol.place).type != NULL) {
            g_array_append_val(module->pe->exports, symbol);
        }
    }
}

/* Params that the layout's own file got from the command line count in its code, too.
 */
static const CslStruct *bindings_of(const CslProgram *program, const CslTile *tile)
{
    const char *common = NULL;
    const CslStruct *joined;

    if (tile->file != program->root->file || program->root->bindings == NULL) {
        return tile->bindings;
    }
    if (tile->bindings == NULL) {
        return program->root->bindings;
    }
    joined = csl_struct_join(program->values, tile->bindings, program->root->bindings,
                             &common);
    return joined == NULL ? tile->bindings : joined;
}

static uint32_t make_class(Classifier *self, const CslTile *tile)
{
    CslEvaluator *evaluator = self->evaluator;
    CslPeClass *pe = csl_pe_class_new();

    g_ptr_array_add(self->program->classes, pe);
    evaluator->pe = pe;
    evaluator->module_limit = self->program->modules->len + CSL_MODULES_MOST;
    pe->root =
        csl_module_new(self->program, tile->file, bindings_of(self->program, tile), pe);
    for (guint i = 0; i < pe->modules->len; i++) {
        CslModule *module = pe->modules->pdata[i];

        if (!csl_diagnostics_is_full(self->program->to)) {
            (void) csl_module_run(evaluator, module);
            export_words(evaluator, module);
        }
    }
    csl_analyse_class(evaluator, pe);
    csl_check_class(self->program, pe);
    evaluator->pe = NULL;
    return self->program->classes->len - 1;
}

/* A color has one configuration: by the layout or by the PE's own code. Returns a bit
 * for each color that the layout configures. */
static uint32_t
check_colors(const CslProgram *program, const CslPeClass *pe, uint32_t list)
{
    const CslLayout *layout = program->layout;
    uint32_t routed = 0;

    while (list != CSL_NO_INDEX) {
        const CslColorList *entry =
            &g_array_index(layout->color_lists, CslColorList, list);

        for (guint i = 0; i < pe->colors->len; i++) {
            const CslLocalColor *local = &g_array_index(pe->colors, CslLocalColor, i);

            if (local->color == entry->color) {
                csl_report(program->to, CSL_ERROR, local->place,
                           "color %u is configured here and in the layout",
                           local->color);
            }
        }
        routed |= 1U << entry->color;
        list = entry->before;
    }
    return routed;
}

/* Counts the PEs of classes, and checks each class with each list of colors once. */
static void count_pes(CslProgram *program)
{
    const CslLayout *layout = program->layout;
    uint32_t routed = 0;
    g_autoptr(GHashTable) seen =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

    for (uint32_t i = 0; i < layout->width * layout->height; i++) {
        const CslTile *tile = &g_array_index(layout->all, CslTile, layout->tiles[i]);
        CslPeClass *pe = program->classes->pdata[tile->pe_class];
        const gint64 key = csl_pair_key(tile->pe_class, layout->colors[i]);
        gint64 *kept;

        pe->pe_count++;
        if (g_hash_table_contains(seen, &key)) {
            continue;
        }
        kept = g_new(gint64, 1);
        *kept = key;
        g_hash_table_add(seen, kept);
        routed |= check_colors(program, pe, layout->colors[i]);
    }
    csl_check_routes(program, routed);
}

void csl_classify(CslEvaluator *self)
{
    CslLayout *layout = self->program->layout;
    g_autoptr(GArray) questions = g_array_new(FALSE, FALSE, sizeof(Question));
    g_autoptr(GHashTable) answers =
        g_hash_table_new_full(hash_answer, are_answers_equal, g_free, NULL);
    g_autoptr(GHashTable) roots = g_hash_table_new(g_direct_hash, g_direct_equal);
    Classifier classifier = {self, self->program, questions, answers, roots};

    for (guint i = 0; i < layout->all->len; i++) {
        CslTile *tile = &g_array_index(layout->all, CslTile, i);

        tile->pe_class = find_class(&classifier, tile);
        if (tile->pe_class == CSL_NO_INDEX) {
            tile->pe_class = make_class(&classifier, tile);
            remember(&classifier, tile, tile->pe_class);
        }
        if (csl_diagnostics_is_full(self->program->to)) {
            return;
        }
    }
    count_pes(self->program);
}
