/* Streams: whole files or none, texts of JSON and CSV; and PNG, which goes through
 * them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/traces/file_place.h"
#include "traces/error.h"
#include "traces/file/stream.h"
#include "traces/picture/png.h"
#include "traces/picture/svg.h"

static void assert_contents(const FilePlace *place, const char *expected)
{
    g_autofree char *text = NULL;

    assert_true(g_file_get_contents(place->path, &text, NULL, NULL));
    assert_string_equal(text, expected);
}

static void a_file_is_there_when_it_is_whole(void **state)
{
    const FilePlace *place = *state;
    g_autoptr(TraceStream) stream = trace_stream_open(place->path, NULL);

    trace_stream_text(stream, "one ");
    trace_stream_format(stream, "%d ", 2);
    trace_stream_count(stream, G_MAXUINT64);
    assert_false(g_file_test(place->path, G_FILE_TEST_EXISTS));
    assert_true(trace_stream_close(stream, NULL));
    assert_contents(place, "one 2 18446744073709551615");
}

static void what_is_not_closed_leaves_the_old_file(void **state)
{
    const FilePlace *place = *state;

    assert_true(g_file_set_contents(place->path, "old", -1, NULL));
    g_autoptr(TraceStream) stream = trace_stream_open(place->path, NULL);

    trace_stream_text(stream, "new");
    g_clear_pointer(&stream, trace_stream_free);
    assert_contents(place, "old");
}

static void a_full_device_is_an_error_at_the_end(void **state)
{
    g_autoptr(TraceStream) stream = trace_stream_open("/dev/full", NULL);
    g_autoptr(GError) error = NULL;

    (void) state;
    for (guint i = 0; i < 10000; i++) {
        trace_stream_text(stream, "something to write");
    }
    assert_false(trace_stream_close(stream, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
    assert_string_equal(error->message,
                        "/dev/full: cannot be written, No space left on device");
}

/* What is few enough to wait in memory fails when it is handed over. */
static void a_full_device_is_noticed_at_last(void **state)
{
    g_autoptr(TraceStream) stream = trace_stream_open("/dev/full", NULL);

    (void) state;
    trace_stream_text(stream, "short");
    assert_false(trace_stream_close(stream, NULL));
}

static void a_folder_that_is_missing_is_an_error(void **state)
{
    const FilePlace *place = *state;
    g_autofree char *path = g_build_filename(place->folder, "none", "file", NULL);
    g_autoptr(GError) error = NULL;

    assert_null(trace_stream_open(path, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
}

static void texts_are_quoted(void **state)
{
    const FilePlace *place = *state;
    g_autoptr(TraceStream) stream = trace_stream_open(place->path, NULL);

    trace_stream_json(stream, "a\"b\\c\n\x7f \xc3\xa9 \xff");
    trace_stream_text(stream, "\n");
    trace_stream_field(stream, "plain");
    trace_stream_text(stream, ",");
    trace_stream_field(stream, "a,\"b\"\nc");
    trace_stream_text(stream, ",");
    trace_stream_field(stream, "");
    assert_true(trace_stream_close(stream, NULL));
    assert_contents(place, "\"a\\\"b\\\\c\\u000a\\u007f \xc3\xa9 \xef\xbf\xbd\"\n"
                           "plain,\"a,\"\"b\"\"\nc\",");
}

static guint32 number_at(const char *bytes)
{
    guint32 number;

    memcpy(&number, bytes, sizeof number);
    return GUINT32_FROM_BE(number);
}

static void a_png_has_the_size_it_is_asked_for(void **state)
{
    const FilePlace *place = *state;
    g_autoptr(TraceSvg) svg = trace_svg_new(100, 40, "t");
    g_autofree char *text = trace_svg_to_text(svg);
    g_autofree char *bytes = NULL;
    gsize length = 0;

    assert_true(trace_png_write(place->path, text, 2.5, NULL));
    assert_true(g_file_get_contents(place->path, &bytes, &length, NULL));
    assert_true(length > 24);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(number_at(bytes + 16), 250);
    assert_int_equal(number_at(bytes + 20), 100);
}

static void a_png_too_large_is_refused(void **state)
{
    const FilePlace *place = *state;
    g_autoptr(TraceSvg) svg = trace_svg_new(20000, 40, "t");
    g_autofree char *text = trace_svg_to_text(svg);
    g_autoptr(GError) error = NULL;

    assert_false(trace_png_write(place->path, text, 2, &error));
    assert_non_null(strstr(error->message, "40000 x 80 pixels"));
    g_clear_error(&error);
    assert_false(trace_png_write(place->path, "<svg", 1, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
    assert_false(g_file_test(place->path, G_FILE_TEST_EXISTS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_there_when_it_is_whole,
                                        file_place_make, file_place_remove),
        cmocka_unit_test_setup_teardown(what_is_not_closed_leaves_the_old_file,
                                        file_place_make, file_place_remove),
        cmocka_unit_test(a_full_device_is_an_error_at_the_end),
        cmocka_unit_test(a_full_device_is_noticed_at_last),
        cmocka_unit_test_setup_teardown(a_folder_that_is_missing_is_an_error,
                                        file_place_make, file_place_remove),
        cmocka_unit_test_setup_teardown(texts_are_quoted, file_place_make,
                                        file_place_remove),
        cmocka_unit_test_setup_teardown(a_png_has_the_size_it_is_asked_for,
                                        file_place_make, file_place_remove),
        cmocka_unit_test_setup_teardown(a_png_too_large_is_refused, file_place_make,
                                        file_place_remove),
    };

    return cmocka_run_group_tests_name("traces.stream", tests, NULL, NULL);
}
