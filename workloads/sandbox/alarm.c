/* The alarm: tells every watch, and has a signal wake the threads that run Lua. */
#include "workloads/sandbox/alarm.h"

#include <errno.h>

struct WlAlarm {
    GMutex mutex;
    GPtrArray *watches; /* of Watch, borrowed */
};

static void on_signal(int number)
{
    int saved = errno;

    (void) number;
    watch_answer();
    errno = saved;
}

WlAlarm *wl_alarm_new(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    WlAlarm *self = g_new0(WlAlarm, 1);

    g_mutex_init(&self->mutex);
    self->watches = g_ptr_array_new();
    (void) sigemptyset(&action.sa_mask);
    (void) sigaction(ALARM_SIGNAL, &action, NULL);
    return self;
}

void wl_alarm_free(WlAlarm *self)
{
    if (self == NULL) {
        return;
    }
    g_ptr_array_unref(self->watches);
    g_mutex_clear(&self->mutex);
    g_free(self);
}

void alarm_add(WlAlarm *self, Watch *watch)
{
    g_mutex_lock(&self->mutex);
    g_ptr_array_add(self->watches, watch);
    g_mutex_unlock(&self->mutex);
}

void alarm_remove(WlAlarm *self, Watch *watch)
{
    g_mutex_lock(&self->mutex);
    (void) g_ptr_array_remove(self->watches, watch);
    g_mutex_unlock(&self->mutex);
}

void wl_alarm_ring(WlAlarm *self)
{
    g_mutex_lock(&self->mutex);
    for (guint i = 0; i < self->watches->len; i++) {
        watch_alert(g_ptr_array_index(self->watches, i));
    }
    g_mutex_unlock(&self->mutex);
}
