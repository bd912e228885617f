/* System descriptions: what loads, and what each broken file is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "sim/error.h"
#include "sim/platform.h"

static const char sound[] =
    "<?xml version=\"1.0\"?>\n"
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\">\n"
    "  <zone id=\"system\" routing=\"Full\">\n"
    "    <host id=\"host\" speed=\"1Gf\"/>\n"
    "    <host id=\"card\" speed=\"1Gf\"><prop id=\"chip\" value=\"wse2\"/></host>\n"
    "    <!-- one link\n"
    "         each way -->\n"
    "    <link id=\"up\" bandwidth=\"1GBps\" latency=\"1us\">\n"
    "      <prop id=\"kind\" value=\"host_to_device\"/>\n"
    "    </link>\n"
    "    <link id=\"down\" bandwidth=\"1GBps\" latency=\"1us\">\n"
    "      <prop id=\"kind\" value=\"device_to_host\"/>\n"
    "    </link>\n"
    "    <link id=\"eth\" bandwidth=\"1GBps\" latency=\"1us\">\n"
    "      <prop id=\"kind\" value=\"ethernet\"/>\n"
    "    </link>\n"
    "    <route src=\"host\" dst=\"card\" symmetrical=\"NO\">\n"
    "      <link_ctn id=\"up\"/>\n"
    "    </route>\n"
    "    <route src=\"card\" dst=\"host\" symmetrical=\"NO\">\n"
    "      <link_ctn id=\"down\"/>\n"
    "    </route>\n"
    "  </zone>\n"
    "</platform>\n";

/* A change of the sound file and what must come of it. */
typedef struct {
    const char *from;
    const char *to;
    guint line;
    const char *what;
} Case;

static const Case broken[] = {
    /* Not XML, or not the XML that SimGrid reads. */
    {"<host id=\"host\"", "<host id=\"host", 5, "malformed XML"},
    {"</zone>", "</zoen>", 24, "malformed XML"},
    {"</platform>\n", "", 24, "malformed XML"},
    {"</platform>\n", "</platform>\nmore", 26, "malformed XML"},
    {"one link", "\xff\xfe", 7, "UTF-8 is allowed"},
    {"<?xml", "\xef\xbb\xbf<?xml", 1, "malformed XML"},
    {"<?xml version=\"1.0\"?>", "<?xml version=\"1.1\"?>", 1, "at the start is"},
    {"</zone>", "<?php exit ?></zone>", 24, "at the start is"},
    {"<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">", "", 3,
     "no DOCTYPE"},
    {"https://simgrid.org", "http://simgrid.org", 2, "before platform are"},
    {"<platform", "<!DOCTYPE platform SYSTEM 'x'>\n<platform", 3,
     "before platform are"},
    {"each way", "each -- way", 7, "comment without --"},
    {"way -->", "way --->", 7, "comment without --"},
    {"</zone>", "<![CDATA[x]]></zone>", 24, "before platform are"},
    {"</zone>", "\n\nx\n\n</zone>", 26, "x"},
    {"</zone>", "\f</zone>", 24, "not text"},
    {"id=\"host\"", "id=\"h&#111;st\"", 5, "an entity"},
    {"</zone>", "&#32;</zone>", 24, "an entity"},
    /* Elements and attributes. */
    {"version=\"4.1\"", "version=\"4\"", 3, "version = 4, 4.1"},
    {" version=\"4.1\"", "", 3, "no attribute version of platform"},
    {"<platform version=\"4.1\">", "<system>", 3, "element system in the file"},
    {"routing=\"Full\"", "routing=\"Dijkstra\"", 4, "routing = Dijkstra, Full"},
    {"</zone>", "<cluster id=\"c\"/></zone>", 24, "one of host link route"},
    {"<host id=\"host\" speed=\"1Gf\"/>",
     "<host id=\"host\" speed=\"1Gf\" core=\"4\"/>", 5,
     "unknown attribute core of host"},
    {"id=\"up\"", "id=\"up\" id=\"up\"", 9, "second attribute id of link"},
    {" latency=\"1us\"", "", 9, "no attribute latency of link"},
    {"</zone>", "</zone>\n<zone id=\"b\" routing=\"Full\"/>", 25, "a second zone"},
    {"</platform>\n", "</platform>\n<platform version=\"4.1\"/>", 26,
     "a second platform"},
    {"<prop id=\"chip\" value=\"wse2\"/>",
     "<prop id=\"chip\" value=\"wse2\"><prop id=\"x\" value=\"y\"/></prop>", 6,
     "element prop in prop, none"},
    {"</zone>", "<host id=\"late\" speed=\"1Gf\"/></zone>", 24, "a host after a route"},
    {"</zone>", "<link id=\"late\" bandwidth=\"1Bps\" latency=\"1s\"/></zone>", 24,
     "a link after a route"},
    /* Names. */
    {"id=\"card\"", "id=\"host\"", 6, "id = host as in line 5"},
    {"id=\"eth\"", "id=\"up\"", 15, "id = up as in line 9"},
    {"id=\"eth\"", "id=\"card\"", 15, "id = card as in line 6"},
    {"id=\"eth\"", "id=\"system\"", 15, "id = system as in line 4"},
    {"id=\"eth\"", "id=\"\"", 15, "id = ,"},
    {"id=\"eth\"", "id=\"e th\"", 15, "id = e th"},
    {"id=\"eth\"", "id=\"e\nth\"", 16, "id = e th"},
    {"id=\"eth\"", "id=\"0eth\"", 15, "id = 0eth"},
    {"id=\"eth\"", "id=\"__loopback__\"", 15, "id = __loopback__"},
    {"id=\"eth\"", "id=\"main-1\"", 15, "id = main-1"},
    {"id=\"eth\"", "id=\"\xc3\xa9th\"", 15, "id = \xc3\xa9th"},
    {"id=\"eth\"", "id=\"e\x1bth\"", 15, "id = e th"},
    {"id=\"eth\"",
     "id=\"a1234567890123456789012345678901234567890123456789012345678901234\"", 15,
     "has 65 characters, up to 64"},
    /* Numbers. */
    {"speed=\"1Gf\"", "speed=\"\"", 5, "speed = ,"},
    {"speed=\"1Gf\"", "speed=\"fast\"", 5, "speed = fast"},
    {"speed=\"1Gf\"", "speed=\"1\"", 5, "speed = 1,"},
    {"speed=\"1Gf\"", "speed=\"0f\"", 5, "speed = 0f"},
    {"speed=\"1Gf\"", "speed=\"1.5Gf\"", 5, "speed = 1.5Gf"},
    {"speed=\"1Gf\"", "speed=\"1Gf,2Gf\"", 5, "speed = 1Gf,2Gf"},
    {"bandwidth=\"1GBps\"", "bandwidth=\"-1GBps\"", 9, "bandwidth = -1GBps"},
    {"bandwidth=\"1GBps\"", "bandwidth=\"24GB/s\"", 9, "bandwidth = 24GB/s"},
    {"bandwidth=\"1GBps\"", "bandwidth=\"000GBps\"", 9, "bandwidth = 000GBps"},
    {"bandwidth=\"1GBps\"", "bandwidth=\"1234567890123Bps\"", 9, "up to 12 digits"},
    {"latency=\"1us\"", "latency=\"1 us\"", 9, "latency = 1 us"},
    {"latency=\"1us\"", "latency=\"1e3us\"", 9, "latency = 1e3us"},
    {"latency=\"1us\"", "latency=\"nan\"", 9, "latency = nan"},
    /* Numbers that nothing would come of. */
    {"speed=\"1Gf\"", "speed=\"2Tf\"", 5, "speed = 2Tf, 1Gf is allowed"},
    {"bandwidth=\"1GBps\"", "bandwidth=\"24GBps\"", 11,
     "link up of kind host_to_device with numbers of its own"},
    {"latency=\"1us\"", "latency=\"2us\"", 11,
     "the chip file has: bandwidth = 1GBps, latency = 1us is allowed"},
    /* Properties. */
    {"id=\"chip\"", "id=\"chips\"", 6, "property = chips, chip"},
    {"value=\"wse2\"", "value=\"\"", 6, "chip = ,"},
    {"value=\"wse2\"", "value=\"../wse2\"", 6, "chip = ../wse2"},
    {"<prop id=\"chip\" value=\"wse2\"/>",
     "<prop id=\"chip\" value=\"wse2\"/><prop id=\"chip\" value=\"wse3\"/>", 6,
     "a second property chip"},
    {"id=\"kind\"", "id=\"kinds\"", 10, "property = kinds, one of kind, from_port"},
    {"value=\"ethernet\"", "value=\"infiniband\"", 16, "kind = infiniband, one of"},
    {"<prop id=\"kind\" value=\"ethernet\"/>",
     "<prop id=\"kind\" value=\"ethernet\"/><prop id=\"from_port\" value=\"x\"/>", 16,
     "from_port = x, a whole number of 0 to 255"},
    {"<prop id=\"kind\" value=\"ethernet\"/>",
     "<prop id=\"kind\" value=\"ethernet\"/><prop id=\"lanes\" value=\"0\"/>", 16,
     "lanes = 0, a whole number of 1 to 255"},
    {"<prop id=\"kind\" value=\"ethernet\"/>",
     "<prop id=\"kind\" value=\"ethernet\"/><prop id=\"to_port\" value=\"1\"/>"
     "<prop id=\"to_port\" value=\"2\"/>",
     16, "a second property to_port"},
    {"<prop id=\"kind\" value=\"ethernet\"/>",
     "<prop id=\"kind\" value=\"ethernet\"/><prop id=\"reserved\" value=\"me\"/>", 16,
     "reserved = me, dispatch"},
    {"<prop id=\"kind\" value=\"host_to_device\"/>",
     "<prop id=\"kind\" value=\"host_to_device\"/><prop id=\"from_port\" value=\"1\"/>",
     11, "link up of kind host_to_device with a port"},
    {"<prop id=\"kind\" value=\"ethernet\"/>", "", 17,
     "link eth without property kind"},
    /* Routes. */
    {"src=\"host\"", "src=\"hots\"", 18, "src = hots"},
    {"dst=\"card\"", "dst=\"up\"", 18, "dst = up"},
    {"dst=\"card\"", "dst=\"host\"", 18, "dst = host"},
    {"symmetrical=\"NO\"", "symmetrical=\"YES\"", 18, "symmetrical = YES, NO"},
    {" symmetrical=\"NO\"", "", 18, "no attribute symmetrical of route"},
    {"src=\"card\" dst=\"host\"", "src=\"host\" dst=\"card\"", 21,
     "a second route from host to card as in line 18"},
    {"<link_ctn id=\"up\"/>", "", 20, "a route without link_ctn"},
    {"<link_ctn id=\"up\"/>", "<link_ctn id=\"host\"/>", 19, "link_ctn = host"},
    {"<link_ctn id=\"up\"/>", "<link_ctn id=\"up\"/><link_ctn id=\"up\"/>", 19,
     "link up twice"},
    {"<link_ctn id=\"up\"/>", "<link_ctn id=\"down\"/>", 19,
     "link down of kind device_to_host from host to card"},
    {"<link_ctn id=\"down\"/>", "<link_ctn id=\"up\"/>", 22,
     "link up of kind host_to_device from card to host"},
    {"<prop id=\"chip\" value=\"wse2\"/>", "", 24, "no host with property chip"},
    {"<host id=\"host\" speed=\"1Gf\"/>",
     "<host id=\"host\" speed=\"1Gf\"><prop id=\"chip\" value=\"any\"/></host>", 24,
     "no host without property chip"},
};

/* Changes that leave the file sound. */
static const Case harmless[] = {
    {"<?xml version=\"1.0\"?>\n", "", 0, NULL},
    {"<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='UTF-8'?>", 0, NULL},
    {"<!DOCTYPE platform SYSTEM", "<!-- first --><!DOCTYPE  platform\nSYSTEM", 0, NULL},
    {"\"https://simgrid.org/simgrid.dtd\"", "'https://simgrid.org/simgrid.dtd'", 0,
     NULL},
    {"each way", "PCIe & friends < 3 \xe2\x80\x94", 0, NULL},
    {"id=\"host\" speed=\"1Gf\"", "speed = '1Gf'\r\n\tid='host' ", 0, NULL},
    {"host_to_device", "ethernet", 0, NULL},
    {"host_to_device", "host", 0, NULL},
    {"bandwidth=\"1GBps\" latency=\"1us\">\n      <prop id=\"kind\" "
     "value=\"host_to_device\"",
     "bandwidth=\"50GBps\" latency=\"0us\">\n      <prop id=\"kind\" value=\"host\"", 0,
     NULL},
    {"value=\"wse2\"", "value=\"any\"", 0, NULL},
    {"value=\"wse2\"", "value=\"my-chip_1.0\"", 0, NULL},
    {"</platform>\n", "</platform  ><!-- end -->", 0, NULL},
};

static char *replace_first(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return g_strdup_printf("%.*s%s%s", (int) (at - text), text, to, at + strlen(from));
}

static char *write_platform(const char *text, gssize length)
{
    g_autofree char *path = NULL;
    int file = g_file_open_tmp("platform-XXXXXX.xml", &path, NULL);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    assert_true(g_file_set_contents(path, text, length, NULL));
    return g_steal_pointer(&path);
}

/* The message must be one line "path:line: ...what...". */
static void assert_refused(const char *path, guint line, const char *what)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *place = g_strdup_printf("%s:%u: ", path, line);

    SimPlatform *platform = sim_platform_load(path, &error);

    if (platform != NULL) {
        fail_msg("wanted '%s...%s', but the file loads", place, what);
    }
    assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_PLATFORM));
    if (!g_str_has_prefix(error->message, place) ||
        strstr(error->message, what) == NULL || strchr(error->message, '\n') != NULL) {
        fail_msg("wanted '%s...%s', got '%s'", place, what, error->message);
    }
}

static void loads_a_sound_file(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = write_platform(sound, -1);

    g_autoptr(SimPlatform) platform = sim_platform_load(path, &error);

    assert_null(error);
    assert_string_equal(sim_platform_path(platform), path);
    assert_int_equal(sim_platform_host_count(platform), 2);
    assert_int_equal(sim_platform_link_count(platform), 3);
    assert_string_equal(sim_platform_host(platform, 1)->name, "card");
    assert_string_equal(sim_platform_link(platform, 2)->name, "eth");
    assert_string_equal(sim_platform_link(platform, 2)->kind, "ethernet");
    assert_ptr_equal(sim_platform_main_host(platform), sim_platform_host(platform, 0));
    assert_ptr_equal(sim_platform_first_chip(platform), sim_platform_host(platform, 1));
    assert_null(sim_platform_main_host(platform)->chip);
    assert_string_equal(sim_platform_first_chip(platform)->chip, "wse2");
    assert_true(sim_platform_has_route(platform, "host", "card"));
    assert_true(sim_platform_has_route(platform, "card", "host"));
    assert_false(sim_platform_has_route(platform, "host", "host"));
    assert_false(sim_platform_has_route(platform, "host", "nobody"));
    g_unlink(path);
}

static void loads_the_shipped_systems(void **state G_GNUC_UNUSED)
{
    g_autoptr(SimPlatform) single =
        sim_platform_load(GRIDLOOM_SOURCE_DIR "/arch/systems/default.xml", NULL);
    g_autoptr(SimPlatform) n300 =
        sim_platform_load(GRIDLOOM_SOURCE_DIR "/arch/systems/n300.xml", NULL);

    assert_non_null(single);
    assert_int_equal(sim_platform_host_count(single), 2);
    assert_string_equal(sim_platform_main_host(single)->name, "host");
    assert_string_equal(sim_platform_first_chip(single)->name, "chip0");
    assert_string_equal(sim_platform_first_chip(single)->chip, "any");
    assert_string_equal(sim_platform_link(single, 0)->kind, "host_to_device");
    assert_string_equal(sim_platform_link(single, 1)->kind, "device_to_host");
    assert_non_null(n300);
    assert_int_equal(sim_platform_host_count(n300), 3);
    assert_int_equal(sim_platform_link_count(n300), 6);
    assert_int_equal(sim_platform_link(n300, 2)->from_port, 8);
    assert_int_equal(sim_platform_link(n300, 2)->to_port, 0);
    assert_int_equal(sim_platform_link(n300, 2)->lanes, 1);
    assert_false(sim_platform_link(n300, 2)->is_reserved);
    assert_true(sim_platform_link(n300, 4)->is_reserved);
    assert_string_equal(sim_platform_host(n300, 2)->chip, "wormhole_n300");
    assert_true(sim_platform_has_route(n300, "chip1", "host"));
    assert_true(sim_platform_has_route(n300, "chip1", "chip0"));
}

static void says_where_and_what_is_wrong(void **state G_GNUC_UNUSED)
{
    for (size_t row = 0; row < G_N_ELEMENTS(broken); row++) {
        const Case *test = &broken[row];
        g_autofree char *text = replace_first(sound, test->from, test->to);
        g_autofree char *path = write_platform(text, -1);

        assert_refused(path, test->line, test->what);
        g_unlink(path);
    }
}

static void tolerates_what_simgrid_tolerates(void **state G_GNUC_UNUSED)
{
    for (size_t row = 0; row < G_N_ELEMENTS(harmless); row++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text =
            replace_first(sound, harmless[row].from, harmless[row].to);
        g_autofree char *path = write_platform(text, -1);

        g_autoptr(SimPlatform) platform = sim_platform_load(path, &error);

        if (platform == NULL) {
            fail_msg("'%s' refused: %s", harmless[row].to, error->message);
        }
        g_unlink(path);
    }
}

static void refuses_one_link_for_both_directions(void **state G_GNUC_UNUSED)
{
    g_autofree char *there =
        replace_first(sound, "<link_ctn id=\"up\"/>", "<link_ctn id=\"eth\"/>");
    g_autofree char *both =
        replace_first(there, "<link_ctn id=\"down\"/>", "<link_ctn id=\"eth\"/>");
    g_autofree char *path = write_platform(both, -1);

    assert_refused(path, 22, "link eth from card to host and in line 18 back");
    g_unlink(path);
}

static void refuses_a_chip_without_a_way_there_or_back(void **state G_GNUC_UNUSED)
{
    const char *back = strstr(sound, "    <route src=\"card\"");
    g_autofree char *one_way =
        g_strdup_printf("%.*s  </zone>\n</platform>\n", (int) (back - sound), sound);
    g_autofree char *more = replace_first(sound, "    <!-- one",
                                          "<host id=\"c2\" speed=\"1Gf\"><prop "
                                          "id=\"chip\" value=\"any\"/></host><!-- one");
    g_autofree char *one_way_path = write_platform(one_way, -1);
    g_autofree char *more_path = write_platform(more, -1);

    assert_refused(one_way_path, 6, "no route from card to host");
    assert_refused(more_path, 7, "no route from host to c2");
    g_unlink(one_way_path);
    g_unlink(more_path);
}

/* "from to" as names of links: "a b c". */
static void assert_way(const SimPlatform *platform,
                       const char *from,
                       const char *to,
                       const char *expected)
{
    g_autoptr(GString) links = g_string_new(NULL);
    SimPlatformWay way = {0};

    if (sim_platform_way(platform, from, to, &way)) {
        for (guint i = 0; i < way.count; i++) {
            g_string_append_printf(links, "%s%s", i > 0 ? " " : "",
                                   sim_platform_link(platform, way.links[i])->name);
        }
    }
    assert_string_equal(links->str, expected);
}

static SimPlatform *load_shipped(const char *name)
{
    g_autofree char *path =
        g_strdup_printf("%s/arch/systems/%s.xml", GRIDLOOM_SOURCE_DIR, name);

    return sim_platform_load(path, NULL);
}

static void finds_ways_over_neighbours(void **state G_GNUC_UNUSED)
{
    g_autoptr(SimPlatform) eight = load_shipped("t3000");
    g_autofree char *text = sim_platform_expanded(eight);

    assert_way(eight, "chip0", "chip1", "eth_0_to_1");
    assert_way(eight, "chip1", "chip4", "eth_1_to_0 eth_0_to_3 eth_3_to_4");
    /* Not over the host, which would be two links. */
    assert_way(eight, "chip1", "chip6", "eth_1_to_0 eth_0_to_7 eth_7_to_6");
    assert_way(eight, "host", "chip5", "pcie_up4 dispatch_4_to_5");
    assert_way(eight, "chip6", "host", "dispatch_6_to_7 pcie_down7");
    assert_non_null(strstr(text, "<route src=\"chip1\" dst=\"chip6\""));
}

static void a_galaxy_is_closed_to_rings(void **state G_GNUC_UNUSED)
{
    g_autoptr(SimPlatform) galaxy = load_shipped("galaxy32");
    guint farthest = 0;

    for (guint a = 1; a <= 32; a++) {
        for (guint b = 1; b <= 32; b++) {
            SimPlatformWay way = {0};

            assert_true(a == b ||
                        sim_platform_way(galaxy, sim_platform_host(galaxy, a)->name,
                                         sim_platform_host(galaxy, b)->name, &way));
            farthest = MAX(farthest, way.count);
        }
    }
    assert_int_equal(farthest, 6);
    assert_way(galaxy, "chip7", "chip8", "eth_7_to_8");
    assert_way(galaxy, "chip0", "chip7", "eth_0_to_7");
    assert_way(galaxy, "chip31", "chip0", "eth_31_to_0");
}

static void chips_without_a_way_stay_apart(void **state G_GNUC_UNUSED)
{
    g_autofree char *floyd = replace_first(sound, "\"Full\"", "\"Floyd\"");
    g_autofree char *more = replace_first(floyd, "    <!-- one",
                                          "<host id=\"c2\" speed=\"1Gf\"><prop "
                                          "id=\"chip\" value=\"any\"/></host><!-- one");
    g_autofree char *joined = replace_first(
        more, "  </zone>",
        "<route src=\"card\" dst=\"c2\" symmetrical=\"NO\"><link_ctn id=\"eth\"/>"
        "</route></zone>");
    g_autofree char *path = write_platform(joined, -1);

    /* There is a way to it, over the other chip, but none back. */
    assert_refused(path, 7, "no route from c2 to host");
    g_unlink(path);
}

static void refuses_a_platform_without_a_zone(void **state G_GNUC_UNUSED)
{
    const char *zone = strstr(sound, "  <zone");
    g_autofree char *text =
        g_strdup_printf("%.*s</platform>\n", (int) (zone - sound), sound);
    g_autofree char *path = write_platform(text, -1);

    assert_refused(path, 4, "no zone");
    g_unlink(path);
}

static void refuses_what_is_not_a_readable_file(void **state G_GNUC_UNUSED)
{
    g_autofree char *large = g_strnfill((1 << 20) + 1, ' ');
    g_autofree char *empty_path = write_platform("", -1);
    g_autofree char *zero_path = write_platform("<a>\0</a>", 8);
    g_autofree char *large_path = write_platform(large, -1);
    g_autofree char *pipe_path = g_strdup_printf("%s.pipe", empty_path);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);

    assert_refused("/nonexistent/system.xml", 1, "No such file");
    assert_refused("/tmp", 1, "a directory");
    assert_refused(pipe_path, 1, "not a regular file");
    assert_refused(empty_path, 1, "empty");
    assert_refused(zero_path, 1, "a zero byte");
    assert_refused(large_path, 1, "too large");
    g_unlink(empty_path);
    g_unlink(zero_path);
    g_unlink(large_path);
    g_unlink(pipe_path);
}

static void refuses_a_file_without_permission(void **state G_GNUC_UNUSED)
{
    enum {
        NOBODY = 65534,
    };
    const uid_t user = geteuid();
    g_autofree char *path = write_platform(sound, -1);

    assert_int_equal(g_chmod(path, 0), 0);
    if (user == 0) {
        assert_int_equal(seteuid(NOBODY), 0); /* root reads everything */
    }
    assert_refused(path, 1, "cannot be read");
    assert_int_equal(seteuid(user), 0);
    g_unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_a_sound_file),
        cmocka_unit_test(loads_the_shipped_systems),
        cmocka_unit_test(says_where_and_what_is_wrong),
        cmocka_unit_test(tolerates_what_simgrid_tolerates),
        cmocka_unit_test(refuses_one_link_for_both_directions),
        cmocka_unit_test(refuses_a_chip_without_a_way_there_or_back),
        cmocka_unit_test(finds_ways_over_neighbours),
        cmocka_unit_test(a_galaxy_is_closed_to_rings),
        cmocka_unit_test(chips_without_a_way_stay_apart),
        cmocka_unit_test(refuses_a_platform_without_a_zone),
        cmocka_unit_test(refuses_what_is_not_a_readable_file),
        cmocka_unit_test(refuses_a_file_without_permission),
    };
    return cmocka_run_group_tests_name("sim.platform", tests, NULL, NULL);
}
