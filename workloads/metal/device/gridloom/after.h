// Comes after the text of every kernel: where its processor starts.
#pragma once

extern "C" __attribute__((section(".text.start"), used)) void _start()
{
    gridloom::begin();
#ifdef MAIN
    if (kernel_main == nullptr) {
        NAMESPACE::MAIN;
    } else {
        kernel_main();
    }
#else
    kernel_main();
#endif
    gridloom::call(gridloom::Call::end);
}
