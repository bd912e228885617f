-- A sweep whose runs have several threads.
return {
    summary = "dot products on several threads",
    script = "dot",
    fixed = { rows = 2, cols = 3, tiles = 2 },
    axes = { { name = "threads", values = { 2, 4 } } },
    record = { "cycles" },
}
