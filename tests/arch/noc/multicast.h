/* A multicast, as tests of its tree and of its time issue it. */
#pragma once

#include "tests/arch/noc/chip.h"

/* 8 KiB to the rectangle from `to` to `corner`. */
static inline ArchNocCommand
multicast(guint noc, ArchTile from, ArchTile to, ArchTile corner, bool is_loopback)
{
    return (ArchNocCommand){
        .op = ARCH_NOC_MULTICAST,
        .noc = noc,
        .from = from,
        .to = to,
        .corner = corner,
        .is_loopback = is_loopback,
        .bytes = 8192,
    };
}
