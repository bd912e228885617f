// What ran on what, what came out, and whether it is right.
"use strict";

gridloom.summary = (() => {
    const { make, section, note, table, card } = gridloom.element;
    const { isNumber, plain, seconds, count, scaled, ratio } = gridloom.number;

    const deviceSeconds = (run) => run.metrics.device_seconds || run.result.seconds;
    const flopRate = (run) => {
        const time = deviceSeconds(run);
        return isNumber(run.counters.flops) && run.counters.flops > 0 && time > 0
            ? run.counters.flops / time : null;
    };
    const positive = (value) => (isNumber(value) && value > 0 ? value : null);

    /** As `gridloom compare` has it: runs differ in whether they measure launches. */
    const withoutLaunches = (run) => {
        const { measured_launch_seconds: launches, seconds_graph: graph } = run.metrics;
        const whole = isNumber(graph) ? graph : run.result.seconds - (isNumber(launches) ? launches : NaN);
        return positive(whole / run.result.iterations);
    };

    /** Name, value of a run, how it is written, whether less is better. */
    const ofNetwork = (value) => (run) => (gridloom.network.isOne(run) ? value(run) : null);
    const ofOther = (value) => (run) => (gridloom.network.isOne(run) ? null : value(run));
    const FIGURES = [
        ["Mean latency, cycles", ofNetwork((run) => gridloom.network.latencyOf(run.metrics)), plain],
        ["Throughput, flits per node and cycle", ofNetwork(gridloom.network.throughputOf), plain],
        ["Saturation, rate", ofNetwork(gridloom.network.saturationOf), plain],
        ["Measured time", (run) => run.result.seconds, seconds],
        ["Cycles", ofOther((run) => run.result.cycles), count],
        ["Iterations", ofOther((run) => run.result.iterations), count],
        ["Time per iteration, as measured", (run) => run.result.seconds_per_iteration, seconds],
        ["Time per iteration, without launches", withoutLaunches, seconds],
        ["Time of programs", (run) => positive(run.metrics.device_seconds), seconds],
        ["Operations", (run) => positive(run.counters.flops), (v) => scaled(v, "FLOP")],
        ["Rate", flopRate, (v) => scaled(v, "FLOP/s")],
        ["Bytes of local memory", (run) => positive(run.counters.sram_bytes), (v) => scaled(v, "B")],
        ["Bytes of networks", (run) => positive(run.counters.noc_bytes), (v) => scaled(v, "B")],
        ["Bytes of DRAM", (run) => positive(run.counters.dram_bytes), (v) => scaled(v, "B")],
        ["Energy", (run) => positive(run.result.energy_joules), (v) => scaled(v, "J")],
    ];

    const badge = (run) => {
        const status = String(run.check.status || "unknown");
        const kind = { pass: "good", fail: "bad" }[status] || "plain";
        return make("span", { class: `badge ${kind}` }, status);
    };

    const checkText = (run) => {
        const { check } = run;
        if (!check.status) return "the run left no check";
        if (check.status === "skipped") return String(check.reference || "");
        return `largest error ${plain(check.max_abs_error)}, tolerance ${plain(check.tolerance)}`
            + `, against ${check.reference}`;
    };

    /** Of commands without a chip nothing is known. */
    const saysWhatLimits = (run) => run.limit && ((run.result.roofs || []).length > 0
        || Object.keys(run.result.busy || {}).length > 0);

    /** Where the chip file has ranges for the power of its parts, most of them are assumed. */
    const energyText = ({ metrics }) => (positive(metrics.energy_high_joules)
        ? `${scaled(metrics.energy_low_joules, "J")} to ${scaled(metrics.energy_high_joules, "J")}`
            + ", as parts are assumed"
        : "as modelled");

    const cards = (run) => {
        const { result } = run;
        const rate = flopRate(run);
        return [make("div", { class: "cards" },
            gridloom.network.isOne(run) ? gridloom.network.cards(run) : isNumber(result.seconds)
                ? card("Measured", seconds(result.seconds), `${count(result.cycles)} cycles`)
                : card("Measured", `${count(result.cycles)} cycles`),
            result.iterations > 1 && card("Per iteration", seconds(result.seconds_per_iteration),
                `${count(result.iterations)} iterations`),
            rate && card("Rate", scaled(rate, "FLOP/s"),
                `${scaled(run.counters.flops, "FLOP")} while programs ran`),
            positive(result.energy_joules)
                && card("Energy", scaled(result.energy_joules, "J"), energyText(run))),
        make("div", { class: "cards pair" },
            card("Check", badge(run), checkText(run)),
            saysWhatLimits(run) && card("What limits it", make("span", { class: "words" }, run.limit)))];
    };

    const sideBySide = (runs) => {
        const rows = FIGURES
            .map(([name, value, write]) => [name, runs.map(value), write])
            .filter(([, values]) => values.some(isNumber))
            .map(([name, values, write]) => [name, ...values.map((value, i) => [
                make("span", {}, isNumber(value) ? write(value) : "\u2013"),
                i > 0 && isNumber(value) && isNumber(values[0]) && values[0] !== 0
                    && make("span", { class: "ratio" }, ratio(value / values[0]))])]);
        if (runs.some((run) => run.used)) {
            rows.unshift(["Chip used", ...runs.map((run) => run.used || "\u2013")]);
        }
        rows.push(["Check", ...runs.map(badge)]);
        rows.push(["What limits", ...runs.map((run) => (saysWhatLimits(run) ? run.limit : "\u2013"))]);
        return [table(["", ...runs.map((run) => gridloom.runs.head(runs, run))], rows,
            { class: "figures" }),
        note("Small figures are ratios to the first run.")];
    };

    const words = (values, marked) => make("ul", { class: "words-list" },
        Object.entries(values).map(([name, value]) => make("li", marked ? { class: "marked" } : {},
            make("span", { class: "muted" }, name), "\u00a0",
            make("b", {}, value === null ? "null" : String(value)))));

    const identity = (runs, run) => {
        const { result } = run;
        const digest = String(result.chip_digest || "");
        const line = (name, ...value) => [make("dt", {}, name), make("dd", {}, value)];
        const overridden = Object.keys(run.overrides).length;
        return make("div", { class: "panel" },
            runs.length > 1 && make("h3", {}, gridloom.runs.head(runs, run)),
            make("dl", { class: "identity" },
                line("Workload", make("b", {}, run.workload)),
                run.chip && line(gridloom.network.isOne(run) ? "Network" : "Chip", make("b", {}, run.chip), " ",
                    digest && make("code", { class: "digest", title: digest }, digest.slice(0, 12))),
                run.used && line("Chip used", run.used),
                run.mark && line("Time", make("b", {}, run.mark)),
                line("Parameters", Object.keys(run.parameters).length
                    ? words(run.parameters) : "none"),
                !gridloom.network.isOne(run) && line("Overrides", overridden ? words(run.overrides, true)
                    : "none: all numbers are those of the chip file"),
                line("Seed", String(result.seed ?? "\u2013")),
                line("Gridloom", String(result.gridloom || "\u2013")),
                line("Read from", make("code", {}, run.file))));
    };

    const warnings = (runs) => runs.flatMap((run) => [
        !run.isWhole && `${run.file}: the trace ends before its result; only what was known before the run is shown.`,
        run.trace && run.trace.warning,
    ].filter(Boolean)).map((text) => make("p", { class: "warning", role: "status" }, text));

    const build = (runs) => {
        const whole = runs.filter((run) => run.isWhole);
        const title = runs.length === 1 ? runs[0].title : `${runs.length} runs side by side`;
        const hero = make("section", { id: "summary", "data-title": "Summary", class: "hero" },
            make("h1", {}, title),
            make("p", { class: "lead" }, runs.length === 1
                ? "A simulated run: where its time went, what the chip did, and what the numbers rest on."
                : runs.map((run) => make("span", { class: "run-line" },
                    gridloom.runs.head(runs, run)))),
            warnings(runs),
            runs.length === 1 ? (whole.length === 1 && cards(runs[0])) : sideBySide(runs));
        const identities = section("what", "What ran",
            make("div", { class: runs.length > 1 ? "columns" : "" },
                runs.map((run) => identity(runs, run))));
        return [hero, identities];
    };

    return { build, deviceSeconds, flopRate };
})();
