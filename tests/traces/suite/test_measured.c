/* Suites made of files with measurements: rules, records, rows, what is left over. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "traces/error.h"
#include "traces/suite/measured.h"
#include "traces/suite/reference.h"

#define COLUMNS                                                                        \
    "file,where,case,quantity,unit,published,tolerance,kind,quick,run,field,scale,"    \
    "group,combine,limit,skip,note\n"

/* A folder with one in it. */
typedef struct {
    char *folder;
    GPtrArray *files; /* of char, below the folder */
} Place;

static void put(Place *self, const char *file, const char *text)
{
    g_autofree char *path = g_build_filename(self->folder, file, NULL);
    g_autofree char *parent = g_path_get_dirname(path);

    assert_int_equal(g_mkdir_with_parents(parent, 0700), 0);
    assert_true(g_file_set_contents(path, text, -1, NULL));
    g_ptr_array_add(self->files, g_strdup(file));
}

static int set_up(void **state)
{
    Place *place = g_new0(Place, 1);

    place->folder = g_dir_make_tmp("gridloom-XXXXXX", NULL);
    place->files = g_ptr_array_new_with_free_func(g_free);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    Place *place = *state;

    for (guint i = 0; i < place->files->len; i++) {
        g_autofree char *path =
            g_build_filename(place->folder, g_ptr_array_index(place->files, i), NULL);
        g_autofree char *parent = g_path_get_dirname(path);

        (void) g_unlink(path);
        (void) g_rmdir(parent);
    }
    (void) g_rmdir(place->folder);
    g_free(place->folder);
    g_ptr_array_unref(place->files);
    g_free(place);
    return 0;
}

static TraceMeasured *parse(const char *rules, GError **error)
{
    g_autofree char *text = g_strconcat("# rules\n", COLUMNS, rules, NULL);

    assert_true(trace_measured_is_rules(text));
    return trace_measured_parse("r.csv", text, strlen(text), error);
}

/* The suite of all files of the place. */
static TraceReference *make(const Place *place, TraceMeasured *measured)
{
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < place->files->len; i++) {
        if (!trace_measured_add(measured, place->folder,
                                g_ptr_array_index(place->files, i), &error)) {
            fail_msg("%s", error->message);
        }
    }
    g_autofree char *text = trace_measured_suite(measured);
    TraceReference *suite = trace_reference_parse("made", text, strlen(text), &error);

    if (suite == NULL) {
        fail_msg("%s", error->message);
    }
    return suite;
}

static const char rules[] =
    "d/A_*.csv,kind=odd,\"{n} x {size}, odd\",time,us,took_us,-,predicted,2,"
    "gridloom x {n} {size},cycles,,,,,,strange\n"
    "d/A_*.csv,n*size<=64,{n} x {size},time,us,took_us,20 %,predicted,2,gridloom x "
    "--api {api} {n} {size/2},cycles,2,,median_error,5,,\n"
    "d/A_*.csv,kind=big,{n} x {size},time,us,took_us,-,predicted,0,,,,,,,too long,\n"
    "d/T_*.json,,replay,length,cycles,recorded_cycles,20 %,calibrated,1,gridloom y "
    "{path},cycles,,traces,mean_error,2.5,,\n";

static const char table[] = "Size,N,Kind,Took (us)\n"
                            "8,1,even,10\n"
                            "16,1,even,20\n"
                            "8,4,odd,30\n"
                            "8,8,even,40.5\n"
                            "9,1,even,50\n"  /* no half of it */
                            "64,8,even,60\n" /* no rule */
                            "64,8,big,70\n"
                            "4,2,even,fast\n"; /* nothing measured */

static void records_become_rows(void **state)
{
    Place *place = *state;
    g_autoptr(TraceMeasured) measured = parse(rules, NULL);

    put(place, "d/A_2x3_2.0.csv", table);
    put(place, "d/other.csv", "anything \xff");
    g_autoptr(TraceReference) suite = make(place, measured);
    const TraceReferenceRow *row = trace_reference_row(suite, 0);

    assert_int_equal(trace_reference_row_count(suite), 6);
    assert_string_equal(row->source, "A_2x3_2.0.csv");
    assert_string_equal(row->name, "1 x 8");
    assert_string_equal(row->runs.run, "gridloom x --api 2 1 4");
    assert_string_equal(row->quantity, "time");
    assert_true(row->published == 10 && row->tolerance == 20 && row->scale == 2);
    assert_true(row->is_judged && row->is_relative);
    row = trace_reference_row(suite, 2);
    assert_string_equal(row->name, "4 x 8, odd");
    assert_string_equal(row->note, "strange");
    assert_false(row->is_judged);
    row = trace_reference_row(suite, 4);
    assert_string_equal(row->skip, "too long");
    assert_string_equal(row->runs.run, "");
    assert_true(row->published == 70);
    row = trace_reference_row(suite, 5);
    assert_int_equal(row->combine, TRACE_REFERENCE_MEDIAN_ERROR);
    assert_string_equal(row->name, "median of the absolute errors of 3");
    assert_true(row->tolerance == 5 && !row->is_relative && row->is_long);
    assert_int_equal(trace_measured_left_count(measured), 2);
    assert_string_equal(trace_measured_left(measured, 0),
                        "A_2x3_2.0.csv (3 of 8 rows)");
    assert_string_equal(trace_measured_left(measured, 1), "other.csv");
}

static void a_median_counts_the_judged_rows_of_its_file(void **state)
{
    Place *place = *state;
    g_autoptr(TraceMeasured) measured = parse(rules, NULL);

    put(place, "d/A_1.csv", table);
    put(place, "d/A_2.csv", table);
    g_autoptr(TraceReference) suite = make(place, measured);
    const TraceReferenceRow *median = trace_reference_row(suite, 5);
    static const bool expected[] = {true, true, false, true, false, false};

    assert_int_equal(trace_reference_row_count(suite), 12);
    for (guint i = 0; i < 12; i++) {
        assert_int_equal(
            trace_reference_is_member(median, trace_reference_row(suite, i)),
            i < 6 && expected[i]);
    }
    assert_string_equal(trace_reference_row(suite, 6)->runs.run,
                        "gridloom x --api 1 1 4");
}

static void a_quick_validation_has_some_of_the_rows(void **state)
{
    Place *place = *state;
    g_autoptr(TraceMeasured) measured = parse(rules, NULL);
    g_autoptr(GString) text = g_string_new("Size,N,Kind,Took (us)\n");
    guint quick = 0;

    for (guint i = 0; i < 9; i++) {
        g_string_append(text, "8,1,even,10\n8,1,odd,10\n");
    }
    put(place, "d/A_1.csv", text->str);
    g_autoptr(TraceReference) suite = make(place, measured);

    assert_int_equal(trace_reference_row_count(suite), 19);
    for (guint i = 0; i < 19; i++) {
        const TraceReferenceRow *row = trace_reference_row(suite, i);

        quick += !row->is_long;
        assert_true(row->is_long || row->is_judged);
        assert_int_equal(!row->is_long, i == 0 || i == 8 || i == 16);
    }
    assert_int_equal(quick, 3); /* each (9 / 2)th of nine */
}

static void sizes_are_parts_of_names(void **state)
{
    Place *place = *state;
    g_autoptr(TraceMeasured) measured = parse(
        "d/*,,{n},time,us,t,1 %,predicted,1,g {width}x{height},cycles,,,,,,\n", NULL);
    static const char one[] = "N,T\n1,1\n";

    put(place, "d/All_4x3_Sizes.csv", one);
    put(place, "d/All_12x10.csv", one);
    put(place, "d/All_x4x3.csv", one);
    put(place, "d/All_4x3b.csv", one);
    put(place, "d/All_0x3.csv", one);
    g_autoptr(TraceReference) suite = make(place, measured);

    assert_int_equal(trace_reference_row_count(suite), 2);
    assert_string_equal(trace_reference_row(suite, 0)->runs.run, "g 4x3");
    assert_string_equal(trace_reference_row(suite, 1)->runs.run, "g 12x10");
    assert_int_equal(trace_measured_left_count(measured), 3);
}

static void sizes_are_parts_of_columns(void **state)
{
    Place *place = *state;
    g_autoptr(TraceMeasured) measured =
        parse("d/A_*,,{n},time,us,t,1 %,predicted,1,g {n/(grid_size_width*"
              "grid_size_height)} {grid_size},cycles,,,,,,\n",
              NULL);

    /* A blank in a name counts as an underscore. */
    put(place, "d/A B.csv", "N,Grid Size,T\n8,2x2,1\n18,3 x 2,1\n5,none,1\n");
    g_autoptr(TraceReference) suite = make(place, measured);

    assert_int_equal(trace_reference_row_count(suite), 2);
    assert_string_equal(trace_reference_row(suite, 0)->runs.run, "g 2 2x2");
    assert_string_equal(trace_reference_row(suite, 1)->runs.run, "g 3 '3 x 2'");
    assert_string_equal(trace_measured_left(measured, 0), "A B.csv (1 of 3 rows)");
}

static void traces_are_one_record_each(void **state)
{
    Place *place = *state;
    g_autoptr(TraceMeasured) measured = parse(rules, NULL);
    static const char trace[] =
        "[{\"proc\":\"BRISC\",\"noc\":\"NOC_0\",\"sx\":1,\"sy\":1,\"dx\":2,\"dy\":2,"
        "\"num_bytes\":64,\"type\":\"READ\",\"timestamp\":100},"
        "{\"proc\":\"BRISC\",\"noc\":\"NOC_0\",\"sx\":1,\"sy\":1,"
        "\"type\":\"READ_BARRIER_END\",\"timestamp\":620}]";

    put(place, "d/T_1.json", trace);
    put(place, "d/T_2.json", trace);
    g_autoptr(TraceReference) suite = make(place, measured);
    const TraceReferenceRow *mean = trace_reference_row(suite, 2);
    g_autofree char *run = g_strdup_printf("gridloom y %s/d/T_1.json", place->folder);

    assert_int_equal(trace_reference_row_count(suite), 3);
    assert_true(trace_reference_row(suite, 0)->published == 500);
    assert_string_equal(trace_reference_row(suite, 0)->source, "T_1.json");
    assert_string_equal(trace_reference_row(suite, 0)->runs.run, run);
    assert_int_equal(mean->combine, TRACE_REFERENCE_MEAN_ERROR);
    assert_string_equal(mean->source, "traces");
    assert_true(trace_reference_is_member(mean, trace_reference_row(suite, 0)));
    assert_true(trace_reference_is_member(mean, trace_reference_row(suite, 1)));
}

static void damaged_files_are_named(void **state)
{
    Place *place = *state;
    static const struct {
        const char *file;
        const char *text;
        const char *message;
    } files[] = {
        {"d/A_1.csv", "a,b\n1\n", ":2: 1 fields, expected 2 as in the first line"},
        {"d/T_1.json", "{", "d/T_1.json"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autoptr(TraceMeasured) measured = parse(rules, NULL);
        g_autoptr(GError) error = NULL;

        put(place, files[i].file, files[i].text);
        assert_false(
            trace_measured_add(measured, place->folder, files[i].file, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_non_null(strstr(error->message, files[i].message));
        assert_null(strchr(error->message, '\n'));
    }
}

static void without_files_every_row_is_skipped(void **state)
{
    (void) state;
    g_autoptr(TraceMeasured) measured = parse(rules, NULL);
    g_autofree char *text = trace_measured_nothing(measured, "no \"data\"");
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceReference) suite =
        trace_reference_parse("made", text, strlen(text), &error);

    assert_null(error);
    assert_int_equal(trace_reference_row_count(suite), 4);
    for (guint i = 0; i < 4; i++) {
        assert_string_equal(trace_reference_row(suite, i)->skip, "no \"data\"");
        assert_true(isnan(trace_reference_row(suite, i)->published));
    }
    assert_string_equal(trace_reference_row(suite, 0)->name, "kind=odd");
    assert_string_equal(trace_reference_row(suite, 3)->name, "every row");
}

static void malformed_rules_are_refused_with_their_line(void **state)
{
    (void) state;
    static const struct {
        const char *rule;
        const char *message;
    } cases[] = {
        {",,c,q,u,p,1,predicted,1,r,f,,,,,,",
         "file = '', expected patterns for names of files"},
        {"f,n,c,q,u,p,1,predicted,1,r,f,,,,,,",
         "where = 'n', expected a condition: 'n': expected =, <, <=, > or >= in a "
         "condition"},
        {"f,,c,q,u,p,1,predicted,x,r,f,,,,,,",
         "quick = 'x', expected a whole number of rows"},
        {"f,,c,q,u,p,1,predicted,1,r,f,,,value,5,,",
         "combine = 'value', expected mean_error, median_error or nothing"},
        {"f,,c,q,u,p,1,predicted,1,r,f,,,mean_error,,,",
         "limit = '', expected one where combine is, and else none"},
        {"f,,c,q,u,p,1,predicted,1,r,f,,,,5,,",
         "limit = '5', expected one where combine is, and else none"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *message = g_strconcat("r.csv:3: ", cases[i].message, NULL);

        assert_null(parse(cases[i].rule, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, message);
    }
}

static void rules_are_told_from_rows(void **state)
{
    (void) state;
    g_autoptr(GError) error = NULL;

    assert_true(trace_measured_is_rules("file,where\n"));
    assert_true(trace_measured_is_rules("# a\n\r\n#b\nfile,where\n"));
    assert_false(trace_measured_is_rules("source,case\n"));
    assert_false(trace_measured_is_rules("# file,where"));
    assert_false(trace_measured_is_rules(""));
    assert_null(trace_measured_parse("r.csv", "file,where\n", 11, &error));
    assert_string_equal(error->message, "r.csv: no column case");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(records_become_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_median_counts_the_judged_rows_of_its_file,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_quick_validation_has_some_of_the_rows, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(sizes_are_parts_of_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes_are_parts_of_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(traces_are_one_record_each, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_files_are_named, set_up, tear_down),
        cmocka_unit_test(without_files_every_row_is_skipped),
        cmocka_unit_test(malformed_rules_are_refused_with_their_line),
        cmocka_unit_test(rules_are_told_from_rows),
    };

    return cmocka_run_group_tests_name("traces.measured", tests, NULL, NULL);
}
