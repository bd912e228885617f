/* What fuzz targets share: the function that a fuzzer calls, and input as a file. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <glib.h>

/* The name that libFuzzer calls. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory with these bytes, for readers that want a path. */
typedef struct {
    int descriptor;
    char *path;
} FuzzFile;

FuzzFile fuzz_file_new(const uint8_t *data, size_t size);
void fuzz_file_clear(FuzzFile *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FuzzFile, fuzz_file_clear)

/* An error is one line, of this domain; it may quote any bytes. Frees it. */
void fuzz_check_error(GError *error, GQuark domain);
