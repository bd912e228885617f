// Where the time of a run went: host, transfers, starting programs, the chip; and zones.
"use strict";

gridloom.split = (() => {
    const { make, section, note, legend } = gridloom.element;
    const { seconds, percent, isNumber } = gridloom.number;

    const PARTS = [["host", "Host"], ["transfer", "Transfer"], ["launch", "Launch"],
        ["device", "Device"]];

    /** A bar of parts, {name, value, fill}, as wide as its sum is of `whole`. */
    const bar = (parts, whole, write) => {
        const node = make("div", { class: "stack", role: "img",
            "aria-label": parts.map((part) => `${part.name} ${write(part.value)}`).join(", ") });
        parts.filter((part) => part.value > 0).forEach((part) => {
            const piece = make("span", { class: part.kind || "",
                title: `${part.name}: ${write(part.value)}`,
                style: { width: `${(100 * part.value) / whole}%` } });
            piece.style.setProperty("--fill", part.fill);
            node.append(piece);
        });
        return node;
    };

    const wholeRun = (runs) => {
        const known = runs.map((run) => PARTS
            .map(([key, name]) => ({ key, name, value: run.metrics[`${key}_seconds`],
                fill: `var(--part-${key})` }))
            .filter((part) => isNumber(part.value)));
        const most = Math.max(...known.map((parts) => d3.sum(parts, (part) => part.value)));
        if (!(most > 0)) return null;
        return make("div", { class: "panel" }, make("h3", {}, "Whole run"),
            known.map((parts, i) => make("div", { class: "bar-row" },
                gridloom.runs.head(runs, runs[i]),
                bar(parts, most, seconds),
                make("div", { class: "parts" }, parts.map((part) => {
                    const swatch = make("span", { class: "swatch" });
                    swatch.style.setProperty("--fill", part.fill);
                    return make("span", { class: "part" }, swatch, part.name, " ",
                        make("b", {}, seconds(part.value)));
                })))));
    };

    const zones = (runs) => {
        const names = [...new Set(runs.flatMap((run) => Object.keys(run.result.zones || {})))];
        if (!names.length) return null;
        const time = (run, name) => (run.result.zones || {})[name];
        const most = Math.max(...runs.flatMap((run) => names.map((name) => time(run, name) || 0)));
        return make("div", { class: "panel" }, make("h3", {}, "Zones"),
            make("div", { class: "bars" }, names.map((name) => runs.map((run) => {
                const value = time(run, name);
                if (!isNumber(value)) return null;
                const fill = runs.length > 1 ? `var(--run-${run.index % 6})` : "var(--accent)";
                return [make("span", { class: "bar-name" },
                    runs.length > 1 ? `${name} ${run.letter}` : name),
                bar([{ name, value, fill }], most || 1, seconds),
                make("span", { class: "bar-value" }, seconds(value), " ",
                    make("span", { class: "muted" }, percent(value / run.result.seconds)))];
            }))),
            note("Time in zones that the script marks, and its share of the measured time."));
    };

    const build = (runs) => {
        const panels = [wholeRun(runs), zones(runs)].filter(Boolean);
        return panels.length ? section("time", "Time", make("div", { class: "columns" }, panels))
            : null;
    };

    return { build, bar, legend };
})();
