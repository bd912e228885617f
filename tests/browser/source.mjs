// Writes a result with the source of a kernel and the time of its lines: node source.mjs RESULT.json
import { readFileSync } from "node:fs";

const result = JSON.parse(readFileSync(process.argv[2], "utf8"));
const times = (cycles, reasons) => ({ cycles, reasons, least: 0, most: cycles, most_on: "core[0,0]" });
const text = ["// A kernel.", "", "", "", "", "", "", "void kernel_main() {", "    cb_wait_front(0, 1); // <b>", "}"];

result.metrics.sources = { "/home/kernel.cpp": text };
result.metrics.kernels = [
    { kernel: "kernel", processor: "NCRISC", cores: 2, runs: 2,
        ...times(1000, { instructions: 240, circular_buffer: 760 }),
        lines: [{ ...times(20, { instructions: 20 }) },
            { file: "/home/kernel.cpp", line: 8, ...times(60, { instructions: 60 }) },
            { file: "/home/kernel.cpp", line: 9, ...times(920, { instructions: 160, circular_buffer: 760 }) }] },
    { kernel: "other", processor: "BRISC", cores: 1, runs: 1, ...times(70, { instructions: 70 }),
        lines: [{ file: "/home/other.cpp", line: 3, ...times(70, { instructions: 70 }) }] },
];
process.stdout.write(JSON.stringify(result));
