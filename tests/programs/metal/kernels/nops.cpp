// Spends 52 cycles a turn: 50 instructions that do nothing, a count, a branch.
#include <cstdint>

void kernel_main()
{
    for (int i = 0; i < TURNS; i++) {
#pragma GCC unroll 65534
        for (int j = 0; j < 50; j++) {
            asm("nop");
        }
    }
}
