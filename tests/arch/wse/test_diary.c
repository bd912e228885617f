/* Folded PEs with numbers: every PE comes to the numbers and the cycles that it comes
 * to by itself. */
#include <string.h>

#include "arch/wse/data/diary.h"
#include "arch/wse/region.h"
#include "tests/arch/wse/run.h"
#include "tests/arch/wse/state_hash.h"

enum {
    COLUMNS = 63,
    ROWS = 24,
    COUNT = 12, /* numbers of an array */
    THIRD = 3,  /* columns that belong together */
    GO = 24,
    /* Colors: to the two PEs in the east, back to the two in the west, one row down,
     * one column east and from there a row down and a column further, and one that is
     * taken in the end. */
    EAST = 0,
    WEST = 1,
    DOWN = 2,
    ASKEW = 3,
    LATE = 4,
};

/* What a wafer runs. */
typedef struct {
    guint rounds;
    bool has_late;   /* one PE in the middle begins later than others */
    bool has_waiter; /* a stream that is taken after all others */
    bool is_blind;   /* the host neither writes nor reads between runs */
    bool is_beyond;  /* one operation reaches beyond the memory in the last round */
} Pattern;

/* What became of it. */
typedef struct {
    float *numbers; /* of all PEs: arrays u, v, w one after the other */
    uint64_t hash;
    SimTime cycles;
    guint kept;      /* PEs that had a state at the end */
    bool is_lasting; /* they still had a diary */
    char *failure;   /* or NULL */
} Outcome;

enum {
    U,
    V,
    X
};
static const char *const arrays[] = {[U] = "u", [V] = "v", [X] = "w"};

/* A PE's program, as far as it is there. */
typedef struct {
    Parts parts;
    guint rows[G_N_ELEMENTS(arrays)];
    guint moving; /* further into `moved` from round to round */
    guint offset;
    guint wait;
} Code;

static void emit(const Code *self, const char *name, guint to, guint a, guint b)
{
    parts_emit(&self->parts, parts_vector(name, to, a, b, ARCH_WSE_NONE));
}

static void send(const Code *self, guint color, guint what)
{
    emit(self, "fmovs", parts_fabout(&self->parts, color, color % 6, COUNT), what,
         ARCH_WSE_NONE);
}

static void add(const Code *self, guint color, guint to)
{
    emit(self, "fadds", to, to, parts_fabin(&self->parts, color, color, COUNT));
}

static void emit_round(const Code *self, guint x, guint y)
{
    switch (x % THIRD) {
    case 0:
        send(self, EAST, self->rows[U]);
        add(self, WEST, self->rows[U]);
        if (y % 2 == 0) {
            send(self, ASKEW, self->rows[U]);
        }
        break;
    case 1:
        add(self, EAST, self->rows[V]);
        add(self, WEST, self->rows[V]);
        if (y % 2 == 0) {
            send(self, DOWN, self->rows[V]);
        } else {
            add(self, ASKEW, self->rows[U]);
            add(self, DOWN, self->rows[X]);
        }
        break;
    default:
        add(self, EAST, self->rows[U]);
        emit(self, "fmuls", self->rows[V], self->rows[U], self->rows[X]);
        emit(self, "fadds", self->rows[U], self->rows[U], self->rows[V]);
        send(self, WEST, self->rows[U]);
        if (y % 2 == 0) {
            add(self, ASKEW, self->rows[V]);
        }
        emit(self, "fmovs", self->moving, self->rows[U], ARCH_WSE_NONE);
    }
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++) { /* so that they stay small */
        emit(self, "fmuls", self->rows[i], self->rows[i],
             parts_number(&self->parts, ARCH_WSE_F32, 0.25));
    }
    assert_true(arch_wse_program_add(self->parts.program, self->offset,
                                     (ArchWseOperand){.value = 1}, NULL));
}

/* PEs of the same place among three columns and two rows have the same program. */
static ArchWseProgram *
program_new(const WseRun *run, const Pattern *pattern, guint x, guint y, bool is_late)
{
    Code code = {.parts = {run->params, arch_wse_program_new(run->params, "any")}};
    const Parts *parts = &code.parts;
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++) {
        code.rows[i] = parts_row(
            parts, parts_array(parts, arrays[i], ARCH_WSE_F32, COUNT), 0, COUNT, 1);
    }
    code.offset = parts_variable(parts, "offset", pattern->is_beyond ? 20000 : 0);
    code.moving = parts_memory(
        parts, &(ArchWseMemoryDsd){
                   parts_array(parts, "moved", ARCH_WSE_F32, COUNT + pattern->rounds),
                   1,
                   {COUNT},
                   {1},
                   0,
                   code.offset});
    code.wait = parts_variable(parts, "wait", 0);
    parts_begin(parts, GO);
    for (guint i = 0; is_late && i < 400; i++) {
        assert_true(arch_wse_program_assign(parts->program, code.wait,
                                            (ArchWseOperand){0}, NULL));
    }
    if (pattern->has_waiter && x % THIRD == 0) {
        send(&code, LATE, code.rows[V]);
    }
    for (guint i = 0; i < pattern->rounds; i++) {
        emit_round(&code, x, y);
    }
    if (pattern->has_waiter && x % THIRD == 1) {
        add(&code, LATE, code.rows[X]);
    }
    parts_end(parts);
    assert_true(arch_wse_program_activate(parts->program, GO, NULL));
    return parts->program;
}

static void route(const WseRun *run, const Pattern *pattern, guint x, guint y)
{
    static const guint east[][2] = {{R, E}, {W, R | E}, {W, R}};
    static const guint west[][2] = {{E, R}, {E, R | W}, {R, W}};
    const guint place = x % THIRD;
    const ArchWseTiles here = wse_rig_one(x, y);

    wse_rig_set_route(run->layout, here, EAST, east[place][0], east[place][1]);
    wse_rig_set_route(run->layout, here, WEST, west[place][0], west[place][1]);
    if (place == 1) {
        wse_rig_set_route(run->layout, here, DOWN, y % 2 == 0 ? R : N,
                          y % 2 == 0 ? S : R);
    }
    if (place == 0 && y % 2 == 0) {
        wse_rig_set_route(run->layout, here, ASKEW, R, E);
    }
    if (place == 1) {
        wse_rig_set_route(run->layout, here, ASKEW, y % 2 == 0 ? W : N,
                          y % 2 == 0 ? S | E : R);
    }
    if (place == 2 && y % 2 == 0) {
        wse_rig_set_route(run->layout, here, ASKEW, W, R);
    }
    if (pattern->has_waiter && place < 2) {
        wse_rig_set_route(run->layout, here, LATE, place == 0 ? R : W,
                          place == 0 ? E : R);
    }
}

static void lay(const WseRun *run, const Pattern *pattern)
{
    ArchWseProgram *programs[THIRD * 2] = {NULL};

    for (guint i = 0; i < COLUMNS * ROWS; i++) {
        const guint x = i % COLUMNS;
        const guint y = i / COLUMNS;
        const bool is_late = pattern->has_late && x == COLUMNS / 2 && y == ROWS / 2;
        ArchWseProgram **program = &programs[x % THIRD * 2 + y % 2];

        if (*program == NULL) {
            *program = program_new(run, pattern, x, y, false);
        }
        wse_rig_set_code(run->layout, wse_rig_one(x, y),
                         is_late ? program_new(run, pattern, x, y, true) : *program);
        route(run, pattern, x, y);
    }
}

static ArchWsePart part_of(const char *array)
{
    return (ArchWsePart){{0, 0, COLUMNS - 1, ROWS - 1, 1, 1}, array, 0, COUNT};
}

/* Small whole numbers, so that sums of them are exact for a while: other for each PE.
 */
static void write_numbers(WseRun *run, guint salt)
{
    g_autofree float *numbers = g_new(float, (gsize) COLUMNS *ROWS *COUNT);

    for (guint k = 0; k < G_N_ELEMENTS(arrays); k++) {
        const ArchWsePart part = part_of(arrays[k]);

        for (guint i = 0; i < COLUMNS * ROWS * COUNT; i++) {
            numbers[i] = (float) ((i * 2654435761u + k * 97 + salt) % 1021) / 1024;
        }
        assert_true(arch_wse_write(run->wse, &part, numbers,
                                   sizeof(float) * COLUMNS * ROWS * COUNT, NULL));
    }
}

static void keep(const WseRun *run, Outcome *outcome)
{
    const gsize count = (gsize) COLUMNS * ROWS * COUNT;

    outcome->numbers = g_renew(float, outcome->numbers, count *G_N_ELEMENTS(arrays));
    for (guint k = 0; k < G_N_ELEMENTS(arrays); k++) {
        const ArchWsePart part = part_of(arrays[k]);

        assert_true(arch_wse_read(run->wse, &part, outcome->numbers + k * count,
                                  sizeof(float) * count, NULL));
    }
    outcome->hash = outcome->hash * 31 + state_hash(run->wse);
    outcome->cycles = arch_wse_profile(run->wse).cycles;
    outcome->kept = wse_fabric_of(run->wse)->pe_count;
    outcome->is_lasting = wse_fabric_of(run->wse)->diary != NULL;
}

/* Runs it so often, with other numbers each time. */
static Outcome
outcome_of(const Pattern *pattern, guint runs, guint bands, guint threads)
{
    g_autoptr(GError) error = NULL;
    Outcome outcome = {0};
    WseRun run;

    wse_run_open(&run, COLUMNS, ROWS, NULL);
    lay(&run, pattern);
    run.thread_count = threads;
    run.options = (ArchWseOptions){
        .is_functional = true, .grain = ARCH_WSE_GRAIN_STREAM, .band_count = bands};
    assert_true(wse_run_load(&run, NULL));
    for (guint i = 0; i < runs; i++) {
        if (i == 0 || !pattern->is_blind) {
            write_numbers(&run, i);
        }
        if (!wse_run_try(&run, &error)) {
            outcome.failure = g_strdup(error->message);
            break;
        }
        if (i + 1 == runs || !pattern->is_blind) {
            keep(&run, &outcome);
        }
    }
    wse_run_close(&run);
    return outcome;
}

static void outcome_clear(Outcome *self)
{
    g_free(self->numbers);
    g_free(self->failure);
}

static void assert_same(const Outcome *one, const Outcome *other)
{
    const gsize count = (gsize) COLUMNS * ROWS * COUNT;

    assert_string_equal(one->failure == NULL ? "" : one->failure,
                        other->failure == NULL ? "" : other->failure);
    for (gsize i = 0; one->failure == NULL && i < count * G_N_ELEMENTS(arrays); i++) {
        if (one->numbers[i] != other->numbers[i]) {
            fail_msg("pe[%u,%u] %s[%u] is %g or %g", (guint) (i / COUNT % COLUMNS),
                     (guint) (i % count / COUNT / COLUMNS), arrays[i / count],
                     (guint) (i % COUNT), (double) one->numbers[i],
                     (double) other->numbers[i]);
        }
    }
    assert_int_equal(one->cycles, other->cycles);
    assert_true(one->hash == other->hash);
}

/* Compares with PEs that all have a state of their own; the folded outcome is the
 * caller's. */
static Outcome check(const Pattern *pattern, guint runs)
{
    Outcome whole = outcome_of(pattern, runs, 1, 1);
    Outcome folded = outcome_of(pattern, runs, 0, 1);
    Outcome threads = outcome_of(pattern, runs, 0, 3);

    assert_int_equal(whole.failure != NULL, pattern->is_beyond);
    assert_same(&whole, &folded);
    assert_same(&whole, &threads);
    outcome_clear(&whole);
    outcome_clear(&threads);
    return folded;
}

static void every_pe_has_its_numbers(void **state)
{
    (void) state;
    for (guint rounds = 1; rounds <= 9; rounds += 4) {
        Outcome folded = check(&(Pattern){.rounds = rounds}, 1);

        assert_true(folded.is_lasting);
        assert_true(folded.kept < COLUMNS * ROWS / 2);
        outcome_clear(&folded);
    }
}

static void numbers_stay_when_pes_unfold(void **state)
{
    (void) state;
    Outcome folded = check(&(Pattern){.rounds = 12, .has_late = true}, 1);

    assert_true(folded.kept > COLUMNS * ROWS / 2);
    outcome_clear(&folded);
}

static void a_start_goes_on_with_what_was_computed(void **state)
{
    (void) state;
    Outcome folded = check(&(Pattern){.rounds = 3}, 3);

    outcome_clear(&folded);
    folded = check(&(Pattern){.rounds = 3, .is_blind = true}, 3);
    outcome_clear(&folded);
    folded = check(&(Pattern){.rounds = 12, .has_late = true}, 2);
    outcome_clear(&folded);
}

/* Its letter would get the number of another before it is taken: all get a state, and
 * the stream becomes a payload. */
static void who_waits_too_long_unfolds_all(void **state)
{
    (void) state;
    Outcome folded = check(&(Pattern){.rounds = 20, .has_waiter = true}, 1);

    assert_true(folded.is_lasting);
    outcome_clear(&folded);
    folded = check(&(Pattern){.rounds = 200, .has_waiter = true}, 1);
    assert_false(folded.is_lasting);
    assert_int_equal(folded.kept, COLUMNS * ROWS);
    outcome_clear(&folded);
}

/* What was sent lies in the host's memory until then. */
static void it_is_full_when_a_pe_has_sent_its_memory(void **state)
{
    (void) state;
    const Pattern pattern = {.rounds = 1};
    const WseDeed deed = {.payloads = {WSE_NO_PAYLOAD, WSE_NO_PAYLOAD}, .count = COUNT};
    uint32_t letter = 0;
    gsize sent = 0;
    WseRun run;

    wse_run_open(&run, COLUMNS, ROWS, NULL);
    lay(&run, &pattern);
    run.options =
        (ArchWseOptions){.is_functional = true, .grain = ARCH_WSE_GRAIN_STREAM};
    assert_true(wse_run_load(&run, NULL));
    WseFabric *fabric = wse_fabric_of(run.wse)->regions[0].fabric;

    for (; !wse_diary_is_full(fabric->diary); sent += COUNT) {
        assert_true(wse_diary_send(&fabric->regions[0], 0, &deed, COUNT, &letter));
    }
    assert_in_range(sent * sizeof(float), fabric->memory_stride,
                    fabric->memory_stride + COUNT * sizeof(float));
    wse_diary_settle(fabric);
    assert_false(wse_diary_is_full(fabric->diary));
    wse_run_close(&run);
}

static void the_same_pe_is_said_to_reach_beyond(void **state)
{
    (void) state;
    Outcome folded = check(&(Pattern){.rounds = 2, .is_beyond = true}, 1);

    assert_non_null(strstr(folded.failure, "reaches beyond the memory"));
    outcome_clear(&folded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pe_has_its_numbers),
        cmocka_unit_test(numbers_stay_when_pes_unfold),
        cmocka_unit_test(a_start_goes_on_with_what_was_computed),
        cmocka_unit_test(who_waits_too_long_unfolds_all),
        cmocka_unit_test(it_is_full_when_a_pe_has_sent_its_memory),
        cmocka_unit_test(the_same_pe_is_said_to_reach_beyond),
    };

    return cmocka_run_group_tests_name("arch.wse_diary", tests, NULL, NULL);
}
