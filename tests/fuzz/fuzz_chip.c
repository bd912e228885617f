/* Fuzzes the reader of chip files and of overrides with any bytes. */
#include <stdint.h>
#include <string.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/error.h"
#include "arch/family.h"

#define CHIP_FILE GRIDLOOM_SOURCE_DIR "/arch/chips/wse2.ini"

/* Families with keys alone: what runs them is not part of it. */
#define ARCH_FAMILY(name_)                                                             \
    &(const ArchFamily){.name = #name_, .keys = &arch_keys_##name_},
#define ARCH_ROOFS_ONLY(name_) ARCH_FAMILY(name_)
const ArchFamily *const arch_families[] = {
#include "arch/chips.def"
    NULL,
};

/* The name that libFuzzer calls. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(const GError *error)
{
    g_assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    g_assert_null(strpbrk(error->message, "\r\n"));
    g_assert_true(g_utf8_validate(error->message, -1, NULL));
}

static void check_params(const ArchParams *params)
{
    g_autofree char *digest = arch_params_digest(params);

    g_assert_true(strlen(digest) == 64);
    g_assert_nonnull(arch_params_summary(params));
    for (guint i = 0; i < arch_params_count(params); i++) {
        g_assert_nonnull(arch_params_at(params, i)->source);
    }
}

/* Whatever is in a range, the key takes; what is information takes nothing. */
static void try_range(ArchParams *params, const char *path, const ArchRange *range)
{
    const bool is_taken = !g_str_has_prefix(path, ARCH_INFORMATION ".");
    static const double places[] = {0, 0.37, 1};

    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *value = arch_range_sample(range, places[i]);
        g_autofree char *assignment = g_strconcat(path, "=", value, NULL);

        g_assert_true(arch_params_override(params, assignment, NULL) == is_taken);
    }
    for (guint i = 0; i < arch_range_end_count(range); i++) {
        g_autofree char *assignment =
            g_strconcat(path, "=", arch_range_end(range, i), NULL);

        g_assert_true(arch_params_override(params, assignment, NULL) == is_taken);
    }
}

static void try_ranges(ArchParams *params)
{
    for (guint i = 0; i < arch_params_count(params); i++) {
        const ArchParam *param = arch_params_at(params, i);
        g_autofree char *path = g_strjoin(".", param->section, param->key, NULL);

        if (param->range != NULL && !arch_range_is_fixed(param->range)) {
            try_range(params, path, param->range);
        }
    }
}

static void try_file(const char *text, gsize length)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(ArchParams) params = arch_params_parse("fuzz.ini", text, length, &error);

    g_assert_true((params == NULL) == (error != NULL));
    if (params == NULL) {
        check_error(error);
    } else {
        check_params(params);
        try_ranges(params);
    }
}

static void try_override(const char *text, gsize length)
{
    g_autofree char *assignment = g_strndup(text, length);
    g_autoptr(ArchParams) params = arch_params_load(CHIP_FILE, NULL);
    g_autofree char *before = arch_params_digest(params);
    g_autofree char *after = NULL;
    g_autoptr(GError) error = NULL;

    if (arch_params_override(params, assignment, &error)) {
        check_params(params);
        return;
    }
    check_error(error);
    after = arch_params_digest(params);
    g_assert_true(g_str_equal(before, after));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_file((const char *) data, size);
    if (size < 256) {
        try_override((const char *) data, size);
    }
    return 0;
}
