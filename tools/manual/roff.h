/* Text in the language of manual pages. */
#pragma once

#include <glib.h>

/* Appends a line of prose; words that look like options keep their dashes. */
void roff_prose(GString *page, const char *text);

/* Appends words whose dashes users type literally; adds no line end. */
void roff_literal(GString *page, const char *text);

/* Appends paragraphs: lines that begin with a space are kept, others are filled. */
void roff_paragraphs(GString *page, const char *text);
