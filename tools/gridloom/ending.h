/* How a process ends that is told to, or that lacks memory: with one line, and nothing
 * half-written. */
#pragma once

#include <stdbool.h>

/* Call it before anything else. Commands with a watchdog leave signals to that. */
void ending_prepare(void);

/* Host programs share standard output with what is printed about their run. Whoever has
 * read enough of the former may go: call one before that is printed, after the host
 * program has started, and the other at the end. A result (no table) must be read. */
void ending_outlive_readers(bool is_table);
void ending_drop_unread(bool is_table);
