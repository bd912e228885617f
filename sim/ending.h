/* What is to be done before the program ends in the middle of a run. */
#pragma once

/* Sets a function that sim_ending_do() calls; one for the program. */
void sim_ending_set(void (*func)(void));

void sim_ending_do(void);
