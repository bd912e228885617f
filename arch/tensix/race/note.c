/* Keeps the races that were found, and says them in words. */
#include "arch/tensix/race/state.h"

enum {
    MOST_RACES = 1000,
};

static bool is_of_sets(const Race *race)
{
    return race->kind == RACE_SETS;
}

/* The two that race, whoever came first: who writes, then who reads. */
static const RaceActor *writer_of(const Race *race)
{
    return race->kind == RACE_READS ? &race->other : &race->actor;
}

static const RaceActor *reader_of(const Race *race)
{
    return race->kind == RACE_READS ? &race->actor : &race->other;
}

static guint hash(gconstpointer key)
{
    enum {
        FACTOR = 1031,
    };
    const RaceActor *writer = writer_of(key);
    const RaceActor *reader = reader_of(key);

    return writer->line + FACTOR * reader->line + g_direct_hash(writer->file) +
           g_direct_hash(reader->file);
}

static bool is_same_place(const RaceActor *a, const RaceActor *b)
{
    return a->line == b->line && a->file == b->file;
}

static gboolean is_same_pair(gconstpointer a, gconstpointer b)
{
    return is_of_sets(a) == is_of_sets(b) &&
           is_same_place(writer_of(a), writer_of(b)) &&
           is_same_place(reader_of(a), reader_of(b));
}

GHashTable *race_notes_new(void)
{
    return g_hash_table_new_full(hash, is_same_pair, g_free, NULL);
}

static int compare(gconstpointer a, gconstpointer b)
{
    const Race *x = *(const Race *const *) a;
    const Race *y = *(const Race *const *) b;

    if (x->cycle != y->cycle) {
        return x->cycle < y->cycle ? -1 : 1;
    }
    if (x->core != y->core) {
        return x->core->index < y->core->index ? -1 : 1;
    }
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return (x->actor.line > y->actor.line) - (x->actor.line < y->actor.line);
}

static Race *race_copy(const Race *self)
{
    Race *copy = g_new(Race, 1);

    *copy = *self;
    return copy;
}

void race_note(TensixRaces *self, const Race *race)
{
    Race *known = g_hash_table_lookup(self->found, race);

    if (known != NULL) {
        if (compare(&race, &known) < 0) {
            *known = *race;
        }
    } else if (g_hash_table_size(self->found) < MOST_RACES) {
        (void) g_hash_table_add(self->found, race_copy(race));
    }
}

/* "add_tiles at script.lua:33 (kernel compute on core[1,0])" */
static char *words_of(const RaceActor *actor)
{
    g_autofree char *place =
        arch_place_text((ArchPlace){.file = actor->file, .line = actor->line});

    return g_strdup_printf("%s%s (kernel %s on %s)", actor->call, place, actor->kernel,
                           actor->core->name);
}

static char *line_of(const Race *race)
{
    static const char *const verbs[] = {
        [RACE_READS] = "reads", [RACE_WRITES] = "writes", [RACE_SETS] = "sets"};
    g_autofree char *actor = words_of(&race->actor);
    g_autofree char *other = words_of(&race->other);
    g_autofree char *when = g_strdup_printf("cycle %" G_GUINT64_FORMAT, race->since);
    g_autofree char *what = NULL;

    if (race->kind == RACE_SETS) {
        what = g_strdup_printf("the word at 0x%x, which %s has set at %s, without "
                               "having waited for anything since",
                               race->first, other, when);
    } else {
        what = g_strdup_printf("bytes 0x%x to 0x%x, which %s has been %s since %s",
                               race->first, race->after - 1, other,
                               race->kind == RACE_READS ? "writing" : "reading", when);
    }
    return g_strdup_printf("%s, cycle %" G_GUINT64_FORMAT ": %s %s %s",
                           race->core->name, race->cycle, actor, verbs[race->kind],
                           what);
}

GPtrArray *tensix_races_lines(const TensixRaces *self)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) races = g_ptr_array_new();
    GHashTableIter iter;
    gpointer race;

    g_hash_table_iter_init(&iter, self->found);
    while (g_hash_table_iter_next(&iter, &race, NULL)) {
        g_ptr_array_add(races, race);
    }
    g_ptr_array_sort(races, compare);
    for (guint i = 0; i < races->len; i++) {
        g_ptr_array_add(lines, line_of(g_ptr_array_index(races, i)));
    }
    return lines;
}

GPtrArray *arch_tensix_races(const ArchTensix *self)
{
    return self->races == NULL ? g_ptr_array_new_with_free_func(g_free)
                               : tensix_races_lines(self->races);
}
