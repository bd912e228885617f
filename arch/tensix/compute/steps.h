/* The steps of threads for a call, named by the rows of arch/tensix_operations.def. */
#pragma once

#include "arch/tensix/compute/operation.h"

TensixStep tensix_step_cb_wait;
TensixStep tensix_step_cb_pop;
TensixStep tensix_step_cb_shift;
TensixStep tensix_step_unpack_reconfig;
TensixStep tensix_step_unpack;
TensixStep tensix_step_unpack_copy;
TensixStep tensix_step_read_value;
TensixStep tensix_step_acquire;
TensixStep tensix_step_commit;
TensixStep tensix_step_math_reconfig;
TensixStep tensix_step_fpu;
TensixStep tensix_step_fpu_copy;
TensixStep tensix_step_transpose_dst;
TensixStep tensix_step_sfpu;
TensixStep tensix_step_vector;
TensixStep tensix_step_cb_reserve;
TensixStep tensix_step_cb_push;
TensixStep tensix_step_wait;
TensixStep tensix_step_release;
TensixStep tensix_step_pack_reconfig;
TensixStep tensix_step_pack;
TensixStep tensix_step_pack_accumulate;
TensixStep tensix_step_pack_relu;
/* On any thread. */
TensixStep tensix_step_spend;
TensixStep tensix_step_mop; /* programs a MOP, once the last one is expanded */
TensixStep tensix_step_see_value;
TensixStep tensix_step_zone;
TensixStep tensix_step_zone_end;
TensixStep tensix_step_print;
TensixStep tensix_step_scalar;
TensixStep tensix_step_unattributed;
