/* Loads programs that tests hold as text. */
#include "tests/workloads/csl/checked.h"

CslChecked csl_checked(const char *text, const char *const *parameters)
{
    return csl_checked_for("wse2", text, parameters);
}

CslChecked
csl_checked_for(const char *arch, const char *text, const char *const *parameters)
{
    static const char *const folders[] = {GRIDLOOM_SOURCE_DIR "/workloads/csl/lib",
                                          GRIDLOOM_SOURCE_DIR "/tests/programs/csl",
                                          NULL};
    const CslOptions options = {.arch = arch,
                                .parameters = parameters,
                                .import_paths = folders,
                                .memory_bytes = 44976,
                                .step_limit = 100000};
    CslChecked self = {.to = csl_diagnostics_new()};

    self.program = csl_program_new(&options, self.to);
    self.is_well = csl_program_load_text(self.program, "t.csl", text);
    return self;
}

void csl_checked_clear(CslChecked *self)
{
    g_clear_pointer(&self->program, csl_program_free);
    g_clear_pointer(&self->to, csl_diagnostics_free);
}
