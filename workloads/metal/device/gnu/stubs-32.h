// glibc's list of functions that a 32-bit system lacks: kernels have no C library.
