/* How a process ends that is told to, or that lacks memory: with one line, and nothing
 * half-written. */
#pragma once

/* Call it before anything else. Commands with a watchdog leave signals to that. */
void ending_prepare(void);
