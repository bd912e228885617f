/* host.load and host.save: arrays in files that the user named, or that lie beside the
 * script. host.numbers and host.indices: arrays to compute with. */
#pragma once

#include <stdbool.h>

#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"

/* host.load(name [, { format =, shape = }]): a buffer, its shape and its format. "x" is
 * an input: nil where the user named no file for it. "x.npy" is that file or, without
 * one, the file beside the script. In timing-only runs no number is read.
 *
 * host.save(buffer, name [, { format =, shape =, as = }]): keeps the numbers for the
 * file that the user named for a declared output. Without one nothing happens.
 *
 * host.wants(name): has the user named a file for this input or output? */
extern const ApiCall array_functions[];

/* Has the script loaded all files that the user named, and saved all? Fails with
 * WL_ERROR_KEY. Puts what was loaded into the metrics. */
bool array_finish(SessionRun *run, GError **error);
void array_clear(SessionRun *run);
