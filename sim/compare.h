/* Comparisons for sorting, each a GCompareFunc. */
#pragma once

#include <glib.h>

int sim_compare_doubles(gconstpointer a, gconstpointer b);
int sim_compare_times(gconstpointer a, gconstpointer b); /* SimTime */
int sim_compare_texts(gconstpointer a, gconstpointer b); /* char * */
