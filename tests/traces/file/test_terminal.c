/* Text for terminals: control characters are shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/file/terminal.h"

static void control_characters_are_shown_and_letters_stay(void **state G_GNUC_UNUSED)
{
    static const char *const rows[][2] = {
        {"", ""},
        {"a b\n\tc", "a b\n\tc"},
        {"\033[2J", "\\x1b[2J"},
        {"\r\b\a\177", "\\x0d\\x08\\x07\\x7f"},
        {"\xc2\x9b"
         "31m",
         "\\x9b31m"}, /* CSI as one character of UTF-8 */
        {"\xc2\xb5s \xc3\xa9 \xe2\x82\xac", "\xc2\xb5s \xc3\xa9 \xe2\x82\xac"},
        {"half \xc2", "half \xc2"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *shown = trace_terminal_text(rows[i][0]);

        assert_string_equal(shown, rows[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_are_shown_and_letters_stay),
    };

    return cmocka_run_group_tests_name("traces.file_terminal", tests, NULL, NULL);
}
