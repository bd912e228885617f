/* The front end and the compiler of CSL, as commands use them. */
#include "workloads/csl.h"

#include <string.h>

#include "workloads/chip_file.h"
#include "workloads/csl/runtime/artifact.h"
#include "workloads/csl/runtime/build.h"

void wl_csl_report_clear(WlCslReport *self)
{
    g_clear_pointer(&self->text, g_free);
}

static void report_build(const CslBuild *build, WlCslReport *report)
{
    *report = (WlCslReport){
        .text = g_strdup(csl_diagnostics_text(build->to)),
        .error_count = csl_diagnostics_error_count(build->to),
    };
    if (build->program != NULL) {
        report->width = build->program->layout->width;
        report->height = build->program->layout->height;
        report->class_count = build->program->classes->len;
    }
}

/* Whether PEs can run it: what they cannot is reported. */
static void generate(CslBuild *build, const char *arch)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(ArchParams) params = wl_chip_load(arch, &error);

    if (params == NULL) {
        csl_report(build->to, CSL_ERROR, (CslPlace){0}, "%s", error->message);
    } else {
        (void) csl_build_generate(build, params);
        g_clear_pointer(&build->image, csl_image_free); /* it borrows params */
    }
}

bool wl_csl_check(const WlCslOrder *order, WlCslReport *report)
{
    g_autoptr(CslBuild) build = csl_build_new(order);

    if (!csl_build_has_failed(build) && build->program->layout->width > 0) {
        generate(build, order->arch);
    }
    report_build(build, report);
    return !csl_build_has_failed(build);
}

bool wl_csl_compile(const WlCslOrder *order,
                    const char *folder,
                    WlCslReport *report,
                    GError **error)
{
    g_autoptr(ArchParams) params = wl_chip_load(order->arch, error);

    *report = (WlCslReport){.text = g_strdup("")};
    if (params == NULL) {
        return false;
    }
    g_autoptr(CslBuild) build = csl_build_new(order);
    const bool is_made = !csl_build_has_failed(build) &&
                         csl_build_generate(build, params) &&
                         !csl_build_has_failed(build);

    wl_csl_report_clear(report);
    report_build(build, report);
    return is_made && csl_artifact_write(build, order, folder, error);
}

char *wl_csl_arch_of(const char *const *words)
{
    char *arch = NULL;

    for (; *words != NULL && arch == NULL; words++) {
        const char *value = strchr(*words, '=');

        value = value == NULL ? *words : value + 1;
        arch = g_str_equal(value, "wse2") || g_str_equal(value, "wse3")
                   ? g_strdup(value)
                   : csl_artifact_arch(value);
    }
    return arch != NULL ? arch : csl_artifact_arch("out");
}
