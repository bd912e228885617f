/* A CSL program that a test holds as text. */
#pragma once

#include "workloads/csl/meaning/program.h"

typedef struct {
    CslDiagnostics *to;
    CslProgram *program;
    bool is_well;
} CslChecked;

/* The program of a root file; parameters as "a:1" or NULL. */
CslChecked csl_checked(const char *text, const char *const *parameters);
/* The same for an architecture, "wse2" or "wse3". */
CslChecked
csl_checked_for(const char *arch, const char *text, const char *const *parameters);
void csl_checked_clear(CslChecked *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CslChecked, csl_checked_clear)
