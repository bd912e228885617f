/* Arrays that scripts declare, and the files that users name for them. */
#include "tests/workloads/declared.h"

#define START "return { summary = 's', chips = { 'tensix', 'wse' }, parameters = {}, "
#define ARRAYS                                                                         \
    START "inputs = { { name = 'rhs', help = 'h' }, "                                  \
          "{ name = 'start', chips = { 'wse' }, help = 'h' } }, "                      \
          "outputs = { { name = 'x', help = 'the solution' } }," DECLARED_RUN

static WlScript *load(Folder *folder)
{
    g_autoptr(GError) error = NULL;
    WlScript *script = declared_load(folder, ARRAYS, &error);

    if (script == NULL) {
        fail_msg("%s", error->message);
    }
    return script;
}

static void each_family_has_its_arrays(void **state)
{
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = load(&folder);

    (void) state;
    assert_int_equal(wl_script_array_count(script, WL_INPUTS), 1);
    assert_null(wl_script_find_array(script, WL_INPUTS, "start"));
    assert_true(wl_script_choose_family(script, "wse"));
    assert_int_equal(wl_script_array_count(script, WL_INPUTS), 2);
    assert_string_equal(wl_script_array(script, WL_INPUTS, 1)->name, "start");
    assert_string_equal(wl_script_find_array(script, WL_OUTPUTS, "x")->help,
                        "the solution");
    assert_null(wl_script_find_array(script, WL_OUTPUTS, "x")->file);
    assert_null(wl_script_find_array(script, WL_OUTPUTS, "rhs"));
}

static void a_word_names_the_file(void **state)
{
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = load(&folder);
    g_autoptr(GError) error = NULL;

    (void) state;
    assert_true(wl_script_set_file(script, WL_OUTPUTS, "x=a=b.npy", &error));
    assert_string_equal(wl_script_find_array(script, WL_OUTPUTS, "x")->file, "a=b.npy");
}

static void assert_refused(WlArrayWay way, const char *word, const char *message)
{
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = load(&folder);
    g_autoptr(GError) error = NULL;

    assert_true(wl_script_set_file(script, WL_OUTPUTS, "x=a.npy", NULL));
    assert_false(wl_script_set_file(script, way, word, &error));
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_KEY));
    assert_string_equal(error->message, message);
}

static void other_words_are_refused(void **state)
{
    (void) state;
    assert_refused(WL_INPUTS, "rsh=a.npy",
                   "vecadd on tensix: no input 'rsh'; known: rhs");
    assert_refused(WL_INPUTS, "start=a.npy",
                   "vecadd on tensix: no input 'start'; known: rhs");
    assert_refused(WL_OUTPUTS, "x=b.npy",
                   "vecadd on tensix: the output 'x' has two files");
    assert_refused(WL_OUTPUTS, "x",
                   "vecadd on tensix: 'x' is not of the form name=FILE.npy");
    assert_refused(WL_OUTPUTS,
                   "x=", "vecadd on tensix: 'x=' is not of the form name=FILE.npy");
    assert_refused(WL_INPUTS, "rhs=/nowhere/a.npy",
                   "/nowhere/a.npy: No such file or directory");
}

static void a_script_without_arrays_has_none(void **state)
{
    g_auto(Folder) folder = folder_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(WlScript) script = declared_load(&folder, START DECLARED_RUN, &error);

    (void) state;
    assert_non_null(script);
    assert_false(wl_script_set_file(script, WL_INPUTS, "rhs=a.npy", &error));
    assert_string_equal(error->message,
                        "vecadd on tensix: no input 'rhs'; it has none");
}

static void malformed_declarations_are_named_with_their_place(void **state)
{
    (void) state;
    assert_declaration_refused(START "inputs = 1," DECLARED_RUN,
                               "inputs is not a list of tables");
    assert_declaration_refused(START "inputs = { x = {} }," DECLARED_RUN,
                               "inputs is not a plain list");
    assert_declaration_refused(START "outputs = { 'x' }," DECLARED_RUN,
                               "outputs[1]: is not a table");
    assert_declaration_refused(START "outputs = { { name = 'x' } }," DECLARED_RUN,
                               "outputs[1]: help is missing, expected a string");
    assert_declaration_refused(
        START "inputs = { { name = '9', help = 'h' } }," DECLARED_RUN,
        "inputs[1]: name = '9', expected letters, digits and _, a letter first");
    assert_declaration_refused(START
                               "inputs = { { name = 'x', help = '' } }," DECLARED_RUN,
                               "inputs[1]: help must be one line of text");
    assert_declaration_refused(
        START "inputs = { { name = 'x', help = 'h', shape = {} } }," DECLARED_RUN,
        "inputs[1]: unknown field 'shape'; known: name, chips, help");
    assert_declaration_refused(
        START "inputs = { { name = 'x', help = 'h' }, { name = 'x', help = 'h' } "
              "}," DECLARED_RUN,
        "inputs[2]: name = 'x' is declared twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_family_has_its_arrays),
        cmocka_unit_test(a_word_names_the_file),
        cmocka_unit_test(other_words_are_refused),
        cmocka_unit_test(a_script_without_arrays_has_none),
        cmocka_unit_test(malformed_declarations_are_named_with_their_place),
    };

    return cmocka_run_group_tests_name("workloads.arrays", tests, NULL, NULL);
}
