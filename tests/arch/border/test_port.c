/* Ports between chips: the bytes that a message takes on the wire. */
#include "tests/arch/border/fabric_pair.h"

/* 50 bytes for each packet of at most 1024. */
static void full_packets_need_no_other(void **state G_GNUC_UNUSED)
{
    static const ArchPort ethernet = {.kind = ARCH_PORT_ETHERNET,
                                      .channel = PAIR_CHANNEL};
    static const guint sizes[][2] = {
        {1008, 1008 + 50}, {1024, 1024 + 50}, {1040, 1040 + 100}, {4096, 4096 + 200}};

    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        Pair pair;
        pair_open(&pair, 1);
        pair_set(&pair, "ethernet.payload_limit_bytes=1024");
        pair_connect(&pair, ethernet);
        call_send(rig_kernel(&pair.chips[0], 0, 0, ARCH_MOVER_BRISC, 0, 0),
                  pair_message(0x10000, sizes[i][0]));

        rig_run(&pair.chips[0]);

        assert_int_equal(pair_carried(&pair, 0)->message.wire_bytes, sizes[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_packets_need_no_other),
    };

    return cmocka_run_group_tests_name("arch.border_port", tests, NULL, NULL);
}
