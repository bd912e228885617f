/* Collects questions about runs, so that each run is made once, and answers them. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/suite/validation.h"

typedef struct TraceQuestions TraceQuestions;

TraceQuestions *trace_questions_new(void);
void trace_questions_free(TraceQuestions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceQuestions, trace_questions_free)

/* Adds a question to TraceQuestions; not after the first answer. Texts must outlive
 * it. */
void trace_questions_ask(gpointer questions, const TraceQuestion *question);

/* The number of runs, in the order in which they were first asked for, and the words of
 * one. */
guint trace_questions_count(const TraceQuestions *self);
const char *trace_questions_words(const TraceQuestions *self, guint run);

/* Stores the outcome of a run: its result (NULL: none) and the reason of its failure
 * (NULL: it succeeded), which is copied. */
void trace_questions_keep(TraceQuestions *self,
                          guint run,
                          JsonObject *result,
                          const char *why);

/* The answer to a question that was asked, once its run is stored. */
TraceAnswer trace_questions_answer(gconstpointer questions,
                                   const TraceQuestion *question);
