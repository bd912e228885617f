/* What the reasons for waiting mean. */
#pragma once

/* Words for a reason, "circular buffers"; NULL for one that has none. */
const char *trace_wait_words(const char *reason);

/* One line that explains a reason of `stalls` and `metrics.units` or a stall of a
 * trace; NULL for one that is not known. */
const char *trace_wait_meaning(const char *reason);
