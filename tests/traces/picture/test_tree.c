/* Trees over rows of leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "traces/picture/tree.h"

/* (A1 A2) A3, the first product fused into the second. */
static void nodes_leaves_and_bold_ways_are_drawn(void **state G_GNUC_UNUSED)
{
    static const TraceTreeLeaf leaves[] = {
        {"A1", "2 x 3"}, {"A2", "3 x 4"}, {"A3", "4 x 5"}};
    static const TraceTreeNode nodes[] = {
        {.name = "T1",
         .note = "not written",
         .title = "F = 1",
         .first = 1,
         .last = 2,
         .left = TRACE_TREE_LEAF,
         .right = TRACE_TREE_LEAF,
         .is_hollow = true},
        {.name = "T2",
         .note = "7 x 8",
         .title = "F = 9",
         .first = 1,
         .last = 3,
         .left = 0,
         .right = TRACE_TREE_LEAF,
         .bold = TRACE_TREE_LEFT},
    };
    g_autofree char *svg = trace_tree_to_svg(&(TraceTree){.title = "Two products",
                                                          .bold_note = "fused",
                                                          .note = "tiles",
                                                          .leaves = leaves,
                                                          .leaf_count = 3,
                                                          .nodes = nodes,
                                                          .node_count = 2});
    const char *bold = strstr(svg, "class=\"chain-fused\"");

    assert_non_null(strstr(svg, "<title>F = 9</title>"));
    assert_non_null(strstr(svg, ">3 x 4<"));
    assert_non_null(strstr(svg, ">not written<"));
    assert_non_null(bold);
    /* One way and the sign beside its note. */
    bold = strstr(bold + 1, "class=\"chain-fused\"");
    assert_non_null(bold);
    assert_null(strstr(bold + 1, "class=\"chain-fused\""));
    bold = strstr(svg, "class=\"chain-inside\"");
    assert_non_null(bold);
    assert_null(strstr(bold + 1, "class=\"chain-inside\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_leaves_and_bold_ways_are_drawn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
