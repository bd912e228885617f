/* The vector operations of a PE: names, rates and what they do to numbers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/params.h"
#include "arch/wse_program.h"

/* One element: `sources` as the bits of numbers of the source types, lower bits first;
 * returns those of the destination type. */
typedef uint32_t (*WseElementFunc)(const uint32_t *sources);

typedef struct {
    const char *name;
    guint source_count;      /* 1..3 */
    ArchWseType destination; /* types its operands must have; integers of one size */
    ArchWseType sources[3];  /* may stand for each other */
    guint flops;             /* per element */
    const char *rate;        /* key of the chip file: elements per cycle */
    WseElementFunc element;
} WseOperation;

guint wse_operation_count(void);
const WseOperation *wse_operation_at(guint index);
/* False where there is none. */
bool wse_operation_find(const char *name, guint *index);
/* All names as "a, b, c"; the caller frees it. */
char *wse_operation_names(void);
