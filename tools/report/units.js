// How busy each unit was, and what it waited for.
"use strict";

gridloom.units = (() => {
    const { make, section, note, legend } = gridloom.element;
    const { percent, count, isNumber } = gridloom.number;

    const spaced = (name) => name.replace(/_/g, " ");
    const fillOf = (name) => ({ busy: "var(--accent)", idle: "var(--idle)" }[name]
        || gridloom.colour.of(name));
    const kindOf = (name) => (name === "busy" || name === "idle" ? "" : "hatched");

    /** Cycles of each unit by what it did; null where the result does not say. */
    const unitTimes = (run) => {
        const { units } = run.metrics;
        if (!units || typeof units !== "object") return null;
        const rows = Object.entries(units)
            .filter(([, times]) => times && typeof times === "object" && isNumber(times.busy));
        return rows.length ? rows : null;
    };

    const detailed = (run, rows) => {
        const names = [...new Set(rows.flatMap(([, times]) => Object.keys(times)))]
            .sort((a, b) => (a === "idle") - (b === "idle") || (b === "busy") - (a === "busy"));
        return [make("div", { class: "bars" }, rows.map(([unit, times]) => {
            const whole = d3.sum(Object.values(times).filter(isNumber)) || 1;
            return [make("span", { class: "bar-name" }, spaced(unit)),
                gridloom.split.bar(names.filter((name) => isNumber(times[name]))
                    .map((name) => ({ name: spaced(name), value: times[name] / whole,
                        fill: fillOf(name), kind: kindOf(name) })), 1, percent),
                make("span", { class: "bar-value" }, percent(times.busy / whole))];
        })),
        legend(names.map((name) => ({ name: spaced(name), fill: fillOf(name),
            kind: kindOf(name) }))),
        note("Of all cycles of all places with that unit: busy (the figure), waiting by reason, idle.")];
    };

    const plainBars = (values, write, whole, fill) => make("div", { class: "bars" },
        Object.entries(values).filter(([, value]) => isNumber(value)).map(([name, value]) => [
            make("span", { class: "bar-name" }, spaced(name)),
            gridloom.split.bar([{ name, value, fill: fill(name), kind: kindOf(name) === "hatched"
                && fill !== accent ? "hatched" : "" }], whole, write),
            make("span", { class: "bar-value" }, write(value))]));
    const accent = () => "var(--accent)";

    /** Parts of one whole: busy, and idle for this or that reason. */
    const isSplit = (values) => "busy" in values && Object.keys(values).length > 1
        && Object.keys(values).every((name) => name === "busy" || /idle$/.test(name));

    const busy = (run) => {
        const values = run.result.busy || {};
        if (isSplit(values)) {
            const names = Object.keys(values);
            const parts = names.map((name) => ({ name: spaced(name), value: values[name],
                fill: fillOf(name), kind: kindOf(name) }));
            return [make("div", { class: "bar-row" }, gridloom.split.bar(parts, 1, percent),
                make("div", { class: "parts" }, parts.map((part) => {
                    const swatch = make("span", { class: `swatch ${part.kind}` });
                    swatch.style.setProperty("--fill", part.fill);
                    return make("span", { class: "part" }, swatch, part.name, " ",
                        make("b", {}, percent(part.value)));
                }))),
            note("Part of the measured time, mean of all places.")];
        }
        return Object.keys(values).length
            ? [plainBars(values, percent, 1, accent),
                note("Part of the measured time, mean of all places with that unit.")]
            : note("The result does not say how busy units were.");
    };

    const stalls = (run) => {
        const values = run.result.stalls || {};
        const entries = Object.entries(values).filter(([, value]) => isNumber(value) && value > 0)
            .sort((a, b) => b[1] - a[1]);
        const most = entries.length ? entries[0][1] : 1;
        return entries.length
            ? [plainBars(Object.fromEntries(entries), count, most, gridloom.colour.of),
                note("Cycles of all places together, by what was waited for.")]
            : note("Nothing was waited for, or the result does not say.");
    };

    /** What each reason means, those that cost most first. */
    const meanings = (run) => {
        const cycles = (name) => (run.result.stalls || {})[name] || 0;
        const names = Object.keys(run.meanings).filter((name) => name !== "busy" && name !== "idle"
            && cycles(name) > 0).sort((a, b) => cycles(b) - cycles(a));
        return names.length && make("dl", { class: "meanings" }, names.map((name) =>
            [make("dt", {}, spaced(name)), make("dd", {}, run.meanings[name])]));
    };

    const build = (runs) => {
        const known = runs.filter((run) => run.isWhole && (unitTimes(run)
            || Object.keys({ ...run.result.busy, ...run.result.stalls }).length));
        if (!known.length) return null;
        const box = make("div", {});
        const draw = () => box.replaceChildren(...known.flatMap((run) => {
            const rows = unitTimes(run);
            return [known.length > 1 && make("h3", {}, gridloom.runs.head(runs, run)),
                make("div", { class: "columns" },
                    make("div", { class: "panel" }, make("h3", {}, "Busy"),
                        rows ? detailed(run, rows) : busy(run)),
                    make("div", { class: "panel" }, make("h3", {}, "Waits"), stalls(run),
                        meanings(run) || null))];
        }).filter(Boolean));
        draw();
        gridloom.theme.onChange(draw);
        return section("units", "Units", box);
    };

    return { build, spaced };
})();
