/* Questions about runs, gathered so that each run is done once, and their answers. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/suite/validation.h"

typedef struct TraceQuestions TraceQuestions;

TraceQuestions *trace_questions_new(void);
void trace_questions_free(TraceQuestions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceQuestions, trace_questions_free)

/* Of TraceQuestions, before anything is answered. Texts are borrowed for good. */
void trace_questions_ask(gpointer questions, const TraceQuestion *question);

/* The runs that they are about, in the order of questions, and the words of one. */
guint trace_questions_count(const TraceQuestions *self);
const char *trace_questions_words(const TraceQuestions *self, guint run);

/* What came of a run: its result, NULL where there is none, and why it failed, NULL
 * where it did not; that is copied. */
void trace_questions_keep(TraceQuestions *self,
                          guint run,
                          JsonObject *result,
                          const char *why);

/* Of something that was asked for, after its run was kept. */
TraceAnswer trace_questions_answer(gconstpointer questions,
                                   const TraceQuestion *question);
