// Kernels' source, with the time of each line beside it.
"use strict";

gridloom.source = (() => {
    const { make, section, note, legend, select } = gridloom.element;
    const { count, percent, isNumber } = gridloom.number;
    const { spaced } = gridloom.units;

    const AROUND = 3; // lines without time that are shown next to one that takes some
    const HOT = 0.1; // a line's share of its kernel's time from which on it is marked

    const isKernel = (kernel) => kernel && typeof kernel === "object" && isNumber(kernel.cycles)
        && kernel.cycles > 0 && Array.isArray(kernel.lines);

    /** Those of a run, the slowest first. */
    const kernelsOf = ({ metrics }) => (Array.isArray(metrics.kernels) ? metrics.kernels : [])
        .filter(isKernel).sort((a, b) => b.most - a.most);

    const baseOf = (file) => String(file).replace(/^.*\//, "");
    const fillOf = (reason) => (reason === "instructions" ? "var(--accent)" : gridloom.colour.of(reason));
    const kindOf = (reason) => (reason === "instructions" ? "" : "hatched");

    /** Reasons of a kernel, instructions first, then those that cost most. */
    const reasonsOf = (kernel) => Object.entries(kernel.reasons || {})
        .sort((a, b) => (b[0] === "instructions") - (a[0] === "instructions") || b[1] - a[1])
        .map(([reason]) => reason);

    /** Numbers of a text's lines that are shown; null stands for those left out. */
    const shown = (length, used) => {
        const near = new Set(used.flatMap((line) =>
            d3.range(Math.max(1, line - AROUND), Math.min(length, line + AROUND) + 1)));
        const lines = [...near].sort((a, b) => a - b);
        return lines.flatMap((line, i) => (i > 0 && line > lines[i - 1] + 1 ? [null, line] : [line]));
    };

    const table = (kernel, sources) => {
        const reasons = reasonsOf(kernel);
        const mean = (cycles) => cycles / (kernel.cores || 1);
        const figures = (times) => reasons.map((reason) => make("td", { class: "number" },
            times.reasons[reason] ? count(mean(times.reasons[reason])) : ""));
        const bar = (times) => gridloom.split.bar(reasons.map((reason) => ({ name: spaced(reason),
            value: times.reasons[reason] || 0, fill: fillOf(reason), kind: kindOf(reason) })),
        kernel.cycles, (cycles) => percent(cycles / kernel.cycles));
        const row = (number, text, times) => {
            const share = times ? times.cycles / kernel.cycles : 0;
            const head = [make("th", { scope: "row", class: "line-number" }, number)];
            if (!times) {
                return make("tr", {}, head, make("td", { colspan: 3 }), make("td", { class: "code" }, text),
                    make("td", { colspan: reasons.length }));
            }
            return make("tr", {
                class: share >= HOT && times !== kernel && "hot",
                title: kernel.cores > 1 && times.most_on && `${count(times.least)} to ${count(times.most)} cycles, `
                    + `most on ${times.most_on}`,
            }, head, make("td", { class: "number" }, count(mean(times.cycles))),
            make("td", { class: "number" }, percent(share)), make("td", { class: "line-bar" }, bar(times)),
            make("td", { class: "code" }, text), figures(times));
        };
        const files = [...new Set(kernel.lines.map((line) => line.file).filter(Boolean))];
        const part = (file) => {
            const lines = new Map(kernel.lines.filter((line) => line.file === file)
                .map((line) => [line.line, line]));
            const text = Array.isArray(sources[file]) ? sources[file] : [];
            const length = Math.max(text.length, ...lines.keys());
            return make("tbody", {}, make("tr", {}, make("th", { class: "file", scope: "rowgroup",
                colspan: 5 + reasons.length, title: file }, baseOf(file))),
            shown(length, [...lines.keys()]).map((line) => (line === null
                ? make("tr", {}, make("td", { class: "gap", colspan: 5 + reasons.length }, "\u22ee"))
                : row(line, text[line - 1] || "", lines.get(line)))));
        };
        const others = kernel.lines.filter((line) => !line.file);
        return make("div", { class: "scroll-x" }, make("table", { class: "source" },
            make("thead", {}, make("tr", {}, ["Line", "Cycles", "Share", "", "Source", ...reasons.map(spaced)]
                .map((name, i) => make("th", { scope: "col", class: i !== 3 && i !== 4 && i > 0 && "number" },
                    name)))),
            files.map(part),
            others.length > 0 && make("tbody", {}, others.map((times) =>
                row("", times.text || "start, end and library", times))),
            make("tfoot", {}, row("", "all lines", kernel))));
    };

    const name = (kernel) => `${kernel.kernel}, ${kernel.processor}`;

    const view = (run) => {
        const kernels = kernelsOf(run);
        const sources = run.metrics.sources || {};
        const box = make("div", {});
        let chosen = 0;
        const draw = () => {
            const kernel = kernels[chosen];
            box.replaceChildren(table(kernel, sources),
                legend(reasonsOf(kernel).map((reason) => ({ name: spaced(reason), fill: fillOf(reason),
                    kind: kindOf(reason) }))),
                note(`Cycles of a core, the mean of ${kernel.cores}, in ${count(kernel.runs)} `
                    + `${kernel.runs === 1 ? "run" : "runs"} of the kernel; instructions first, then what `
                    + `they wait for.${kernel.most_on ? ` ${kernel.most_on} took longest, ${count(kernel.most)} cycles.` : ""}`));
        };
        draw();
        gridloom.theme.onChange(draw);
        return [make("div", { class: "tools" }, select("Kernel", kernels.map((kernel, i) =>
            [String(i), `${name(kernel)}: ${count(kernel.most)} cycles`]), "0", (value) => {
            chosen = Number(value);
            draw();
        })), box];
    };

    const build = (runs) => {
        const known = runs.filter((run) => kernelsOf(run).length);
        return known.length === 0 ? null : section("source", "Source", known.map((run) =>
            make("div", { class: "panel" }, known.length > 1 && make("h3", {}, gridloom.runs.head(runs, run)),
                view(run))));
    };

    return { build };
})();
