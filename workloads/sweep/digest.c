/* Tells sweeps apart by what they do. */
#include <string.h>

#include "workloads/sweep.h"

/* With its end, so that "a" "bc" is not "ab" "c". */
static void digest_text(GChecksum *sum, const char *text)
{
    g_checksum_update(sum, (const guchar *) text, (gssize) strlen(text) + 1);
}

char *wl_sweep_digest(const WlSweep *self)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

    digest_text(sum, wl_sweep_script(self));
    digest_text(sum, wl_sweep_is_timing_only(self) ? "timing only" : "");
    if (wl_sweep_uncertainty(self) > 0) {
        g_autofree char *samples =
            g_strdup_printf("samples %u", wl_sweep_uncertainty(self));

        digest_text(sum, samples);
    }
    for (guint i = 0; i < wl_sweep_fixed_count(self); i++) {
        digest_text(sum, wl_sweep_fixed(self, i)->name);
        digest_text(sum, wl_sweep_fixed(self, i)->value);
    }
    digest_text(sum, "axes");
    for (guint i = 0; i < wl_sweep_axis_count(self); i++) {
        digest_text(sum, wl_sweep_axis(self, i)->name);
    }
    digest_text(sum, "record");
    for (guint i = 0; i < wl_sweep_record_count(self); i++) {
        digest_text(sum, wl_sweep_record(self, i)->name);
        digest_text(sum, wl_sweep_record(self, i)->formula);
    }
    digest_text(sum, "runs");
    for (guint run = 0; run < wl_sweep_run_count(self); run++) {
        for (guint i = 0; i < wl_sweep_axis_count(self); i++) {
            digest_text(sum, wl_sweep_run_text(self, run, i));
        }
    }
    return g_strdup(g_checksum_get_string(sum));
}
