/* Writes tracks of hosts and links. */
#include "tools/gridloom/run/system_tracks.h"

#include <math.h>

static SimTime cycle_at(const SystemTracks *self, double seconds)
{
    return (SimTime) llround(MAX(seconds, 0) * self->clock_hz);
}

void system_tracks_link(gpointer data, const SimLinkDeed *deed)
{
    const SystemTracks *self = data;
    const char *link = sim_platform_link(self->platform, deed->link)->name;
    const SimTime now = cycle_at(self, deed->now);

    trace_pftrace_count(self->trace,
                        &(TracePftraceDeed){.place = link,
                                            .lane = "all",
                                            .name = "under way",
                                            .unit = "transfers",
                                            .begin = now,
                                            .end = now},
                        deed->under_way);
    if (deed->is_over) {
        g_autofree char *name = g_strconcat(deed->from, " to ", deed->to, NULL);

        trace_pftrace_add(self->trace,
                          &(TracePftraceDeed){.place = link,
                                              .lane = deed->program,
                                              .name = name,
                                              .begin = cycle_at(self, deed->begin),
                                              .end = now,
                                              .bytes = (int64_t) deed->bytes});
    }
}

void system_tracks_host(gpointer data, const WlDeed *deed)
{
    const SystemTracks *self = data;
    g_autofree char *name = g_strconcat(deed->what, " ", deed->chip, NULL);

    trace_pftrace_add(self->trace,
                      &(TracePftraceDeed){
                          .place = sim_platform_main_host(self->platform)->name,
                          .lane = deed->thread,
                          .name = name,
                          .begin = cycle_at(self, deed->begin),
                          .end = cycle_at(self, deed->end),
                          .bytes = deed->bytes == 0 ? -1 : (int64_t) deed->bytes,
                      });
}
