/* What cslc leaves in a folder for host programs: out.json, with the options that it
 * had and a digest of every file that it read. */
#pragma once

#include <json-glib/json-glib.h>

#include "workloads/csl/runtime/build.h"

/* Of a program with an image. Makes the folder. Fails as files do. */
bool csl_artifact_write(const CslBuild *build,
                        const WlCslOrder *order,
                        const char *folder,
                        GError **error);

/* The exported names: id, name, kind, type, inputs, immutable. */
JsonArray *csl_artifact_symbols(const CslImage *image);

typedef struct {
    WlCslOrder order; /* its strings are the artifact's */
    char *path;
    char *arch;
    char *fabric;
    char *offsets;
    GPtrArray *lists[3]; /* parameters, colors, import paths; NULL at their ends */
} CslArtifact;

/* What the program of a folder is for; NULL where cslc has made none. The caller frees
 * it. */
char *csl_artifact_arch(const char *folder);

/* Fails if there is none, or if a file has changed since. */
CslArtifact *csl_artifact_read(const char *folder, GError **error);
void csl_artifact_free(CslArtifact *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CslArtifact, csl_artifact_free)
