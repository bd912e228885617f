/* The watches that an alarm alerts. */
#pragma once

#include <signal.h>

#include "workloads/alarm.h"
#include "workloads/sandbox/watch.h"

#define ALARM_SIGNAL SIGUSR1

void alarm_add(WlAlarm *self, Watch *watch);
void alarm_remove(WlAlarm *self, Watch *watch);
