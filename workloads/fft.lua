-- Fourier transforms in 1, 2 and 3 dimensions on a wafer: lib/wafer/fft.lua.

return {
    summary = "complex Fourier transform in 1, 2 or 3 dimensions, transposed by all-to-all along rows and columns",
    chips = { "wse" },
    parameters = {
        { name = "n", type = "integer", default = 16, min = 2, max = 32768,
            help = "numbers of a line, a power of two, and PEs of a row; 1 and 2 dimensions have n x n numbers, 3 have n x n x n" },
        { name = "dims", type = "choice", default = "3", choices = { "1", "2", "3" },
            help = "dimensions; 1 and 2 take a row of PEs, 3 take n x n" },
    },
    run = require("wafer/fft").run,
}
