/* Text in the language of manual pages. */
#pragma once

#include <glib.h>

/* Appends a line of prose; what looks like an option keeps its dashes. */
void roff_prose(GString *page, const char *text);

/* Appends words in which every dash is one that users type; no line ends. */
void roff_literal(GString *page, const char *text);

/* Appends paragraphs: lines that begin with a space stay as they are, others are
 * filled. */
void roff_paragraphs(GString *page, const char *text);
