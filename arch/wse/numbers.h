/* The numbers of the chip file that PEs and routers use every cycle. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/chipfile/params.h"
#include "arch/wse/program/program.h"

typedef enum {
    WSE_LOWEST_ID,
    WSE_ROUND_ROBIN,
    WSE_STICKY,
    WSE_OLDEST_FIRST,
} WseArbitration;

/* Which of the tasks that are ready runs next. */
typedef enum {
    WSE_TASK_LOWEST_ID,
    WSE_TASK_HIGHEST_ID,
    WSE_TASK_ROUND_ROBIN, /* the next id after that of the task before */
} WseTaskOrder;

typedef struct {
    uint32_t hop;
    uint32_t wavelet_bytes;
    SimRatio link_interval; /* cycles that a wavelet occupies a link */
    uint32_t link_depth;
    uint32_t ramp_depth;
    uint32_t link_credit;
    bool is_multicast_atomic;
    bool is_usual; /* it is, and links and ramps take a wavelet a cycle */
    bool is_lowest_color_first;
    uint32_t ramp_in;
    uint32_t ramp_out;
    SimRatio ramp_interval; /* cycles that a wavelet occupies one direction of the ramp
                             */
    uint32_t enqueue;
    uint32_t input_depth[WSE_INPUT_QUEUES]; /* including wavelets in flight on the ramp
                                             */
    uint32_t output_depth[WSE_OUTPUT_QUEUES];
    uint32_t input_credit;
    uint32_t host_depth; /* wavelets that wait in a router for the CE or the host */
    uint32_t setup_latency;
    uint32_t dispatch;
    uint32_t data_entry; /* more for a task that a wavelet calls */
    WseTaskOrder task_order;
    WseArbitration arbitration;
    bool is_switch_cumulative;
    bool is_main_alternating;
    uint32_t thread_switch;
    uint32_t reissue;
    bool is_stall_of_thread;
} WseNumbers;

WseNumbers wse_numbers_new(const ArchParams *params);
