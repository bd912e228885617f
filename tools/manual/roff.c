/* Writes text so that troff shows it as it is. */
#include "tools/manual/roff.h"

#include <stdbool.h>
#include <string.h>

static void append(GString *page, char letter, bool is_typed)
{
    static const struct {
        char letter;
        const char *name;
    } names[] = {
        {'\\', "\\e"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        if (letter == names[i].letter) {
            g_string_append(page, names[i].name);
            return;
        }
    }
    if (letter == '-' && is_typed) {
        g_string_append_c(page, '\\');
    }
    g_string_append_c(page, letter);
}

/* A dot at the beginning would be a request. */
static void begin_line(GString *page, const char *text)
{
    if (*text == '.') {
        g_string_append(page, "\\&");
    }
}

void roff_literal(GString *page, const char *text)
{
    begin_line(page, text);
    for (; *text != '\0'; text++) {
        append(page, *text, true);
    }
}

void roff_prose(GString *page, const char *text)
{
    bool is_option = false;
    char before = ' ';

    begin_line(page, text);
    for (; *text != '\0'; text++) {
        const bool is_inside = g_ascii_isalnum(*text) || *text == '-';

        is_option = is_inside &&
                    (is_option || (*text == '-' && strchr(" ('[", before) != NULL &&
                                   text[1] != ' ' && text[1] != '\0'));
        append(page, *text, is_option);
        before = *text;
    }
    g_string_append_c(page, '\n');
}

void roff_paragraphs(GString *page, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    bool is_kept = false;
    bool is_new = false;

    for (char **line = lines; *line != NULL; line++) {
        const bool keeps = **line == ' ';

        if (**line == '\0') {
            is_new = true;
            continue;
        }
        if (is_kept != keeps) {
            g_string_append(page, keeps ? ".PP\n.nf\n" : ".fi\n.PP\n");
        } else if (is_new) {
            g_string_append(page, keeps ? "\n" : ".PP\n");
        }
        is_kept = keeps;
        is_new = false;
        if (keeps) {
            roff_literal(page, *line);
            g_string_append_c(page, '\n');
        } else {
            roff_prose(page, *line);
        }
    }
    g_string_append(page, is_kept ? ".fi\n" : "");
}
