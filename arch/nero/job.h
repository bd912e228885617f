/* A job for a board, checked before it starts. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/nero.h"

/* Fails with ARCH_ERROR_INVALID. */
bool nero_job_check(const ArchNeroJob *job,
                    const ArchNeroDesign *design,
                    const ArchDram *dram,
                    GError **error);
