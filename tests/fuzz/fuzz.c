/* Files in memory and checks of errors, for fuzz targets. */
#define _GNU_SOURCE /* memfd_create() */

#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

FuzzFile fuzz_file_new(const uint8_t *data, size_t size)
{
    FuzzFile self = {.descriptor = memfd_create("fuzz", MFD_CLOEXEC)};

    g_assert_true(write(self.descriptor, data, size) == (ssize_t) size);
    self.path = g_strdup_printf("/proc/self/fd/%d", self.descriptor);
    return self;
}

void fuzz_file_clear(FuzzFile *self)
{
    (void) close(self->descriptor);
    g_free(self->path);
}

void fuzz_check_error(GError *error, GQuark domain)
{
    g_assert_nonnull(error);
    g_assert_true(error->domain == domain);
    g_assert_null(strpbrk(error->message, "\r\n"));
    g_error_free(error);
}
