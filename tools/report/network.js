// Traffic on a network: latency, throughput and saturation.
"use strict";

gridloom.network = (() => {
    const { make, section, note, table, card, legend } = gridloom.element;
    const { isNumber, plain, count, tick } = gridloom.number;

    const isOne = (run) => run.workload === "noc traffic";

    /** The results of each routing, where several were compared. */
    const routingsOf = (run) => (Array.isArray(run.metrics.routings) ? run.metrics.routings : []);

    /** "west_first.lua" of a file, which need not be west_first. */
    const shortName = ({ routing }) => `${routing}`.replace(/^.*\//, "");

    /** "uniform traffic, 6x4 mesh, xy routing" */
    const title = (run) => `${run.parameters.pattern} traffic, ${run.parameters.size} `
        + `${run.parameters.topology}, ${run.parameters.routing} routing${routingsOf(run).length > 1 ? "s" : ""}`;

    /** Runs with a routing each, as those that were compared would be. */
    const alone = (runs) => (runs.some((run) => routingsOf(run).length)
        ? runs.flatMap((run) => (routingsOf(run).length
            ? routingsOf(run).map((metrics) => ({ ...run, metrics, letter: shortName(metrics), label: shortName(metrics) }))
            : [run])).map((run, index) => ({ ...run, index }))
        : runs);

    /** One for each rate; a saturated one has no latency, also in results of older programs. */
    const pointsOf = (run) => (Array.isArray(run.metrics.points) ? run.metrics.points : [])
        .filter((point) => point && isNumber(point.rate));
    const latencyOf = (point) => (point.saturated ? null : point.latency_mean);
    const throughputOf = (run) => d3.max([run.metrics, ...pointsOf(run)], (point) => point.accepted_rate);
    const saturationOf = (run) => (isNumber(run.metrics.saturation_rate) ? run.metrics.saturation_rate : null);
    const RATE = "flits per node and cycle";

    const latencyCard = ({ metrics }) => (metrics.saturated
        ? card("Latency", "saturated", `no steady latency at rate ${plain(metrics.rate)}: packets wait ever longer`)
        : card("Latency", isNumber(metrics.latency_mean) ? `${plain(metrics.latency_mean)} cycles` : "\u2013",
            `mean${isNumber(metrics.rate) ? ` at rate ${plain(metrics.rate)}` : ""}; p99 ${plain(metrics.latency_p99)}, `
            + `${plain(metrics.latency_zero_load)} without load`));

    const saturationCard = (run) => {
        const rate = saturationOf(run);
        const highest = d3.max(pointsOf(run), (point) => point.rate);
        return rate === null ? card("Saturation", "not reached", `up to rate ${plain(highest)}`)
            : card("Saturation", `at rate ${plain(rate)}`, `the lowest rate of those tried, in ${RATE}`);
    };

    /** What leads the page of a run; of several routings, it is the first. */
    const cards = (run) => [...(routingsOf(run).length > 1
        ? [card("Routing", routingsOf(run)[0].routing, `the first of ${count(routingsOf(run).length)}; all are below`)] : []),
    latencyCard(run),
        card("Throughput", plain(throughputOf(run)), `${RATE} arrive${pointsOf(run).length > 1 ? ", at most" : ""}`),
        isNumber(run.metrics.batch_cycles)
            ? card("Batch", `${count(run.metrics.batch_cycles)} cycles`, "until the last packet arrived")
            : saturationCard(run)];

    /** Lines over the rate, one for each run; a dashed one where it saturates. */
    const curves = (runs, valueOf, label) => gridloom.chart.build(300, label,
        ({ svg, width, height, axes }) => {
            const lines = runs.map((run) => ({ run, points: pointsOf(run).filter((point) => valueOf(point) > 0) }));
            const values = lines.flatMap(({ points }) => points.map(valueOf));
            if (!values.length) return;
            const rates = lines.flatMap(({ run, points }) => [...points.map((point) => point.rate), saturationOf(run)]);
            const x = d3.scaleLinear([0, d3.max(rates)], [0, width]).nice();
            const y = d3.scaleLinear([0, d3.max(values)], [height, 0]).nice();
            axes(x, y, `rate, ${RATE}`, label, { xText: tick, yText: tick, yTicks: 5 });
            lines.forEach(({ run, points }) => {
                const colour = gridloom.colour.run(run.index);
                const rate = saturationOf(run);
                svg.append("path").attr("class", "line").attr("stroke", colour).attr("fill", "none")
                    .attr("d", d3.line().x((p) => x(p.rate)).y((p) => y(valueOf(p)))(points));
                svg.selectAll(null).data(points).enter().append("circle").attr("r", 3.5).attr("fill", colour)
                    .attr("cx", (p) => x(p.rate)).attr("cy", (p) => y(valueOf(p)))
                    .append("title").text((p) => `rate ${plain(p.rate)}: ${plain(valueOf(p))}`);
                if (rate === null) return;
                svg.append("line").attr("class", "saturation").attr("stroke", colour)
                    .attr("x1", x(rate)).attr("x2", x(rate)).attr("y1", 0).attr("y2", height);
                const isRight = x(rate) > width / 2;
                svg.append("text").attr("class", "saturation-name").attr("y", 12 + 16 * run.index)
                    .attr("x", x(rate) + (isRight ? -6 : 6)).attr("text-anchor", isRight ? "end" : "start")
                    .text(`${runs.length > 1 ? `${run.letter} ` : ""}saturated from ${plain(rate)}`);
            });
        });

    const pointTable = (run) => table(["Rate", "Injected", "Accepted", "Mean latency", "p50", "p99", "Largest", "Hops"],
        pointsOf(run).map((point) => [plain(point.rate), plain(point.injected_rate), plain(point.accepted_rate),
            ...(point.saturated ? [make("span", { class: "badge warn" }, "saturated"), "\u2013", "\u2013", "\u2013", "\u2013"]
                : [plain(point.latency_mean), count(point.latency_p50), count(point.latency_p99),
                    count(point.latency_max), plain(point.hops_mean)])]), { class: "figures" });

    const build = (all) => {
        const results = all.filter((run) => isOne(run) && pointsOf(run).length);
        if (!results.length) return null;
        const runs = alone(results);
        const isSweep = runs.some((run) => pointsOf(run).length > 1);
        return section("network", "Network",
            isSweep && make("div", { class: "columns" },
                make("div", { class: "panel" }, make("h3", {}, "Latency"),
                    curves(runs, latencyOf, "mean latency, cycles")),
                make("div", { class: "panel" }, make("h3", {}, "Throughput"),
                    curves(runs, (point) => point.accepted_rate, `accepted, ${RATE}`))),
            isSweep && runs.length > 1 && legend(runs.map((run) =>
                ({ name: run.label, fill: `var(--run-${run.index % 6})` }))),
            runs.map((run) => make("div", { class: "panel" }, runs === results ? gridloom.runs.head(all, run)
                : make("h3", {}, run.label), pointTable(run))),
            note(`Rates are ${RATE}, latencies cycles from a packet's making to its tail's arrival. A saturated `
                + "rate has no latency: those packets that arrive are the ones with short ways."));
    };

    return { isOne, title, cards, build, throughputOf, saturationOf, latencyOf };
})();
