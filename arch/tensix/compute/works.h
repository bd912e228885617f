/* What the units of a core do to data, in order. Where the engine has several threads,
 * works are put off (sim/chore.h): times do not depend on data, so that only who reads
 * L1 has to wait for them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/compute/registers.h"
#include "sim/crew.h"

typedef enum {
    TENSIX_WORK_UNPACK,
    TENSIX_WORK_UNPACK_DST,
    TENSIX_WORK_FPU,
    TENSIX_WORK_SFPU,
    TENSIX_WORK_VECTOR,
    TENSIX_WORK_TRANSPOSE,
    TENSIX_WORK_PACK,
    TENSIX_WORK_RELEASE,
} TensixWorkKind;

/* A call of a function in registers.h, with its arguments. */
typedef struct {
    TensixWorkKind kind;
    guint half;
    guint slot;
    bool has_b;
    ArchComputeCall call;
    TensixRegistersTile a; /* of UNPACK_DST: where it is from */
    TensixRegistersTile b;
    TensixPacker packer;
    guint8 *to; /* of PACK: in L1, a tile of `format` */
    ArchFormat format;
} TensixWork;

typedef struct TensixWorks TensixWorks;

/* On new registers. With `crew` NULL, or of one thread, nothing is put off. */
TensixWorks *tensix_works_new(SimCrew *crew, TensixRegistersConfig config);
/* Forgets what nobody has begun; accepts NULL. */
void tensix_works_free(TensixWorks *self);

/* Does the work, or puts it off. */
void tensix_works_do(TensixWorks *self, const TensixWork *work);

/* Works so far that may have been put off; accepts NULL. */
uint64_t tensix_works_count(const TensixWorks *self);

/* Returns when all of them are done, or the first so many; accepts NULL. On any thread,
 * if what it needs was there before. */
void tensix_works_finish(TensixWorks *self);
void tensix_works_finish_first(TensixWorks *self, uint64_t count);
