/* The lines that kernels print, kept until their program has ended: then they are
 * sorted by cycle and core, so that their order does not depend on threads. */
#pragma once

#include <glib.h>

#include "sim/account.h"
#include "sim/time.h"

typedef struct KernelLines KernelLines;

/* Takes the memory of lines from `account`. */
KernelLines *kernel_lines_new(SimAccount *account);
void kernel_lines_free(KernelLines *self);
void kernel_lines_drop(KernelLines *self);

/* Adds a line of `who`, such as "core[0,1] reader", or NULL: only its text is printed;
 * lines of one cycle are sorted by
 * `rank`. SIM_TIME_NEVER: the cycle is not known yet. Both texts are copied. Returns
 * its number; -1 if there is no memory for it. */
int kernel_lines_add(
    KernelLines *self, const char *who, guint rank, SimTime when, const char *text);

/* Sets the cycle of a line; returns its text. */
const char *kernel_lines_reached(KernelLines *self, int number, SimTime when);

/* Prints "core[0,1] reader @ 1234: text" for each line of all of them, and drops them.
 */
void kernel_lines_print(GPtrArray *all,
                        void (*print)(gpointer data, const char *line),
                        gpointer data);
