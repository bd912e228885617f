/* A user's own words inside an error line: short, on one line, printable. */
#include "workloads/sandbox/quote.h"

#include <stdbool.h>
#include <string.h>

#include <glib.h>

#include "sim/narrow.h"

enum {
    SHOWN_BYTES = 60,
};

char *quote_word(const char *text)
{
    size_t length = strnlen(text, SHOWN_BYTES + 1);
    bool is_cut = length > SHOWN_BYTES;
    /* A character cut in half would come out as rubbish. */
    while (is_cut && length > SHOWN_BYTES - 4 &&
           ((guchar) text[length] & 0xc0) == 0x80) {
        length--;
    }
    g_autofree char *valid = g_utf8_make_valid(text, (gssize) length);
    GString *shown = g_string_new(NULL);
    for (const char *c = valid; *c != '\0'; c++) {
        if (*c == '\n') {
            g_string_append(shown, "\\n");
        } else if (g_ascii_iscntrl(*c)) {
            g_string_append_printf(shown, "\\%03o", sim_u32(*c));
        } else {
            g_string_append_c(shown, *c);
        }
    }
    if (is_cut) {
        g_string_append(shown, "...");
    }
    return g_string_free(shown, FALSE);
}
