/* Tokens of CSL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "workloads/csl/syntax/lexer.h"

/* The tokens as "spelling spelling"; faults as <fault>. */
static char *tokens_of(const char *text, size_t length)
{
    g_autoptr(CslSource) source = csl_source_new("t.csl", text, length);
    CslLexer lexer = {.source = source};
    GString *all = g_string_new(NULL);

    for (;;) {
        const CslToken token = csl_lexer_next(&lexer);

        if (token.kind == CSL_TOKEN_END) {
            return g_string_free(all, FALSE);
        }
        assert_true(token.length > 0);
        if (all->len > 0) {
            g_string_append_c(all, ' ');
        }
        if (token.fault != NULL) {
            g_string_append_printf(all, "<%s>", token.fault);
        } else if (token.kind >= CSL_TOKEN_NAME && token.kind <= CSL_TOKEN_STRING) {
            g_string_append_printf(
                all, "%c:%.*s", "NBIRCS"[token.kind - CSL_TOKEN_NAME],
                (int) token.length, csl_source_text(source) + token.offset);
        } else {
            g_string_append(all, csl_token_spelling(token.kind));
        }
    }
}

static void tokens_are_cut(void **state)
{
    static const struct {
        const char *text;
        const char *tokens;
    } rows[] = {
        {"", ""},
        {" \t\r\n// all of this\n", ""},
        {"a_1 //x\n_b", "N:a_1 N:_b"},
        {"while whiles whil", "while N:whiles N:whil"},
        {"align and volatile", "align and volatile"},
        {"0x1F 0b101 12 1.5 1.5e-3 2e4", "I:0x1F I:0b101 I:12 R:1.5 R:1.5e-3 R:2e4"},
        {"a<<=b<<c<=d<e", "N:a <<= N:b << N:c <= N:d < N:e"},
        {"p.*[i] .{", "N:p . * [ N:i ] . {"},
        {"=>->==", "=> -> =="},
        {"@get_dsd(x)", "B:@get_dsd ( N:x )"},
        {"\"a\\\"b\" 'a' '\\x0a'", "S:\"a\\\"b\" C:'a' C:'\\x0a'"},
        {"1..2", "I:1 . . I:2"},
        {"0x", "<a number without digits>"},
        {"0b12", "<a digit that binary numbers do not have>"},
        {"12ab", "<a letter in a number>"},
        {"\"abc", "<a string without a closing quote>"},
        {"\"abc\\", "<a string without a closing quote>"},
        {"'a\n'",
         "<a character without a closing quote> <a character without a closing "
         "quote>"},
        {"a # b", "N:a <a character that CSL does not use> N:b"},
        {"@ a", "<a character that CSL does not use> N:a"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *tokens = tokens_of(rows[i].text, strlen(rows[i].text));

        assert_string_equal(tokens, rows[i].tokens);
    }
}

static void bytes_without_meaning_are_faults(void **state)
{
    g_autofree char *tokens = tokens_of("a\0b", 3);

    (void) state;
    assert_string_equal(tokens, "N:a <a character that CSL does not use> N:b");
}

static void positions_count_from_one(void **state)
{
    g_autoptr(CslSource) source = csl_source_new("t.csl", "ab\n  c\n", 7);
    CslPosition at = csl_place_position((CslPlace){source, 5});

    (void) state;
    assert_int_equal(at.line, 2);
    assert_int_equal(at.column, 3);
    at = csl_place_position((CslPlace){source, 7});
    assert_int_equal(at.line, 3);
    assert_int_equal(at.column, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_cut),
        cmocka_unit_test(bytes_without_meaning_are_faults),
        cmocka_unit_test(positions_count_from_one),
    };

    return cmocka_run_group_tests_name("workloads.csl_syntax_lexer", tests, NULL, NULL);
}
