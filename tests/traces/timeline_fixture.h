/* Timelines made by hand, for tests of what reads them. */
#pragma once

#include "traces/file/stream.h"
#include "traces/reading/timeline.h"

/* Empty, with a clock of 1 GHz. Names are borrowed for its life. */
TraceTimeline *fixture_new(void);

/* These give the number of what they add. Things of a lane follow it, by time; a lane
 * without coordinates has x below 0. */
guint32 fixture_place(TraceTimeline *self, const char *kind, int x, int y);
guint32 fixture_lane(TraceTimeline *self, guint32 place, const char *unit);
guint32 fixture_slice(
    TraceTimeline *self, guint32 lane, const char *name, SimTime begin, SimTime end);
guint32 fixture_stall(
    TraceTimeline *self, guint32 lane, const char *name, SimTime at, SimTime cycles);
guint32 fixture_mark(TraceTimeline *self, guint32 lane, const char *name, SimTime at);
/* Of the slice that was added last. */
void fixture_argument(TraceTimeline *self, const char *name, int64_t value);
/* Of the mark that was added last. */
void fixture_mark_argument(TraceTimeline *self, const char *name, int64_t value);
guint32 fixture_counter(TraceTimeline *self,
                        guint32 lane,
                        const char *name,
                        const char *unit,
                        SimTime width);
/* Of the counter that was added last. */
void fixture_sample(TraceTimeline *self, SimTime at, int64_t value);
/* From a slice to a mark. */
void fixture_flow(TraceTimeline *self, guint32 from, guint32 to);

/* Two cores of a Wormhole: core[0,0] sends to core[1,0]; a stall, a counter, a zone
 * with a slice in it, use of a link; of a chip whose cores begin at tile 1,1. */
TraceTimeline *fixture_cores(void);

/* What a writer makes of a timeline; the caller frees it. */
typedef void (*FixtureWriteFunc)(const TraceTimeline *timeline, TraceStream *stream);
char *fixture_written(const TraceTimeline *self, FixtureWriteFunc write);
