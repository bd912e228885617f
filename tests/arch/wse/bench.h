/* A bench for programs of wafers: a chip, one program or a rectangle of them, a run,
 * and what came of it. Everything fails the test where it does not work. */
#pragma once

#include "arch/wse_profile.h"
#include "tests/arch/wse/parts.h"
#include "tests/arch/wse/rig.h"

enum {
    BENCH_GO = 8, /* the task that a program begins with */
};

typedef struct {
    Parts parts; /* the chip, and the program that is being put together */
    ArchWseLayout *layout;
    SimEngine *engine;
    ArchWse *wse;
    ArchWseOptions options; /* of the next load; functional, in wavelets */
} Bench;

/* The WSE-2 with a layout of one PE. */
void bench_open(Bench *self);
void bench_close(Bench *self);
/* Another chip, before anything is built: assignments of keys. */
void bench_override(Bench *self, const char *const *assignments, guint count);
#define BENCH_OVERRIDE(self, ...)                                                      \
    bench_override(self, (const char *const[]){__VA_ARGS__},                           \
                   G_N_ELEMENTS(((const char *const[]){__VA_ARGS__})))
/* Dispatch takes nothing, set-ups one cycle: for counting issue slots. */
void bench_make_quick(Bench *self);

/* The bench of the test that runs, opened before it and closed after it; BENCH_TEST and
 * BENCH_TEST_QUICKLY are such tests in a list of cmocka. */
extern Bench bench;
int bench_set_up(void **state);
int bench_set_up_quickly(void **state); /* and makes it quick */
int bench_tear_down(void **state);
#define BENCH_TEST(name)                                                               \
    cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)
#define BENCH_TEST_QUICKLY(name)                                                       \
    cmocka_unit_test_setup_teardown(name, bench_set_up_quickly, bench_tear_down)

/* A layout of another size, with nothing on it. */
void bench_lay(Bench *self, guint columns, guint rows);
/* A new program; it is the one that parts_...() work on. */
ArchWseProgram *bench_program(Bench *self, const char *name);
/* Puts it onto the PEs of columns x0..x1, rows y0..y1. */
void bench_put(Bench *self, guint x0, guint y0, guint x1, guint y1);
void bench_route(Bench *self, guint x, guint y, guint color, guint rx, guint tx);

/* Tasks of the program at hand, which begin and end. */
void bench_begin(Bench *self, ArchWseTaskKind kind, guint id, guint argument);
void bench_end(Bench *self);
/* A new program with task BENCH_GO, and its end; it runs at the start. */
void bench_begin_go(Bench *self, const char *name);
void bench_end_go(Bench *self);
/* A task that only marks an iteration. */
void bench_marker(Bench *self, guint id);
/* `count` assignments: so many busy cycles. */
void bench_work(Bench *self, guint count);
void bench_mark(Bench *self);
/* Operations from here on belong to this phase. */
void bench_phase(Bench *self, const char *name);
/* A descriptor of an array that holds value + 0, value + 1, ... */
guint bench_numbers(Bench *self, const char *name, guint count, guint value);
ArchWseVector bench_async(ArchWseVector vector, guint activated);

/* Loads the layout and runs it to the end. */
void bench_run(Bench *self);
/* The same; it must not end well. */
void bench_assert_failure(Bench *self, GQuark domain, gint code, const char *message);

ArchWsePeProfile bench_pe(const Bench *self, guint x, guint y);
float bench_number(const Bench *self, guint x, guint y, const char *name, guint index);
/* The same of a word, whatever it means. */
uint32_t bench_word(const Bench *self, guint x, guint y, const char *name, guint index);

/* Operands of the scalar machine, and a register of the program at hand. */
ArchWseOperand bench_constant(int32_t value);
ArchWseOperand bench_in(guint variable);
guint bench_register(Bench *self, int32_t value);

/* The last ends of all iterations that were marked, in order. */
void bench_assert_marks(const Bench *self, const SimTime *times, guint count);
#define BENCH_MARKS(self, ...)                                                         \
    bench_assert_marks(self, (const SimTime[]){__VA_ARGS__},                           \
                       G_N_ELEMENTS(((const SimTime[]){__VA_ARGS__})))
