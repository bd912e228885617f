// The runs of a report: what they are called, what tells them apart, which one is shown.
"use strict";

gridloom.runs = (() => {
    const { make } = gridloom.element;

    const object = (value) => (value && typeof value === "object" ? value : {});

    /** A, B, ... Z, AA, AB, ... */
    const letterOf = (index) => (index < 26 ? "" : letterOf(Math.floor(index / 26) - 1))
        + String.fromCharCode(65 + (index % 26));

    /** What several runs do not have in common, of their parameters and overrides. */
    const differences = (runs) => {
        const words = runs.map((run) => ({ ...run.parameters, ...run.overrides }));
        const names = [...new Set(words.flatMap((one) => Object.keys(one)))];
        return names.filter((name) => words.some((one) => one[name] !== words[0][name]));
    };

    /** "cores 4 of 56", and a mark where the time contains the unattributed constant. */
    const usedOf = (result) => {
        const { what, used, of } = object(result.chip_used);
        const { isNumber, count } = gridloom.number;
        if (!what || !isNumber(used)) return "";
        return `${what} ${count(used)}${isNumber(of) ? ` of ${count(of)}` : ""}`;
    };
    const markOf = (result) => (object(result.stalls).unattributed > 0
        ? "incl. unattributed constant" : "");

    const read = (data) => {
        const runs = data.runs.map((packed, index) => {
            const result = object(packed.result);
            return {
                index,
                file: packed.name,
                isWhole: packed.is_whole,
                limit: packed.limit || null,
                meanings: object(packed.meanings),
                result,
                workload: String(result.workload || packed.name),
                chip: String(result.chip || ""),
                used: usedOf(result),
                mark: markOf(result),
                parameters: object(result.parameters),
                overrides: object(result.overrides),
                metrics: object(result.metrics),
                counters: object(result.counters),
                check: object(result.check),
                trace: packed.timeline ? gridloom.trace.read(packed.timeline) : null,
            };
        });
        const different = runs.length > 1 ? differences(runs) : [];
        runs.forEach((run) => {
            run.title = gridloom.network.isOne(run) ? gridloom.network.title(run)
                : [run.chip ? `${run.workload} on ${run.chip}` : run.workload,
                    run.used, run.mark].filter(Boolean).join(", ");
            run.detail = different
                .map((name) => [name, run.parameters[name] ?? run.overrides[name]])
                .filter(([, value]) => value !== undefined)
                .slice(0, 4).map(([name, value]) => `${name}=${value}`).join(" ");
            run.letter = letterOf(run.index);
            run.label = runs.length > 1
                ? [run.letter, run.detail ? [run.detail, run.mark].filter(Boolean).join(", ")
                    : run.title].join("  ") : run.title;
        });
        return runs;
    };

    /** Buttons for one of several runs, or nothing for one alone. */
    const chooser = (runs, chosen, change) => (runs.length > 1
        ? gridloom.element.choice("Run", runs.map((run) => [run, run.label]), chosen, change)
        : null);

    /** The head of what belongs to one of several runs. */
    const head = (runs, run) => {
        if (runs.length === 1) return null;
        const tag = make("span", { class: "letter" }, run.letter);
        tag.style.setProperty("--fill", `var(--run-${run.index % 6})`);
        return make("span", { class: "run-head" }, tag, " ",
            run.detail ? `${run.title}, ${run.detail}` : run.title);
    };

    return { read, chooser, head };
})();
