// The script's own figures, as it reported them.
"use strict";

gridloom.metrics = (() => {
    const { make, section, table } = gridloom.element;
    const { plain, seconds, ratio, isNumber } = gridloom.number;

    const ELSEWHERE = /^((host|transfer|launch|device)_seconds|units|residual_history|kernels|sources)$/;
    const isPlain = (value) => isNumber(value) || typeof value === "string" || typeof value === "boolean";

    /** Members that are one value, those of objects as a.b; lists of a few numbers, too. */
    const flat = (metrics, before = "") => Object.entries(metrics).flatMap(([name, value]) => {
        const path = before + name;
        if (ELSEWHERE.test(path)) return [];
        if (isPlain(value)) return [[path, value]];
        if (Array.isArray(value)) {
            return value.length <= 4 && value.every(isPlain) ? [[path, value.join(" ")]] : [];
        }
        return value && typeof value === "object" ? flat(value, `${path}.`) : [];
    });

    const build = (runs) => {
        const known = runs.map((run) => new Map(flat(run.metrics)));
        const names = [...new Set(known.flatMap((values) => [...values.keys()]))].slice(0, 200);
        if (!names.length) return null;
        const write = (name, value) => (value === undefined ? "\u2013"
            : !isNumber(value) ? String(value)
                : /seconds(_|$)/.test(name) ? seconds(value, 6) : plain(value, 7));
        const cell = (name, value, first, i) => [write(name, value),
        i > 0 && isNumber(value) && isNumber(first) && first !== 0
            && make("span", { class: "ratio" }, ratio(value / first))];
        return section("metrics", "Metrics", make("div", { class: "panel" },
            table(["", ...runs.map((run) => (runs.length > 1 ? gridloom.runs.head(runs, run) : "Value"))],
                names.map((name) => [gridloom.units.spaced(name), ...known.map((values, i) =>
                    cell(name, values.get(name), known[0].get(name), i))]), { class: "figures" })));
    };

    return { build };
})();
