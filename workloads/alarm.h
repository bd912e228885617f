/* An alarm for scripts that run long. Counting instructions makes Lua two to three
 * times slower, so scripts that have an alarm count none until it rings. */
#pragma once

#include <glib.h>

typedef struct WlAlarm WlAlarm;

/* Takes SIGUSR1 of the process for itself. Must outlive the scripts it is given to. */
WlAlarm *wl_alarm_new(void);
void wl_alarm_free(WlAlarm *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlAlarm, wl_alarm_free)

/* May be called from any thread: every script counts its instructions, and checks for
 * interruption, from now on until simulated time passes. */
void wl_alarm_ring(WlAlarm *self);
