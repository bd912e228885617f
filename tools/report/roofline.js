// How fast runs were, and how fast the machine would have let them be.
"use strict";

gridloom.roofline = (() => {
    const { make, section, note, table } = gridloom.element;
    const { isNumber, plain, scaled, percent } = gridloom.number;

    const UNITS = { "FLOP per second": "FLOP/s", "bytes per second": "B/s" };
    const roofsOf = (run) => (Array.isArray(run.result.roofs) ? run.result.roofs : [])
        .filter((roof) => roof && isNumber(roof.value) && roof.value > 0);
    const isFlops = (roof) => /^FLOP/i.test(roof.unit);
    const isBytes = (roof) => /^bytes per s/i.test(roof.unit);

    /** A point for each memory or network that the run moved bytes through. */
    const pointsOf = (run) => {
        const rate = gridloom.summary.flopRate(run);
        return rate ? roofsOf(run).filter((roof) => isBytes(roof) && roof.achieved > 0)
            .map((roof) => ({ run, roof, rate, intensity: rate / roof.achieved })) : [];
    };

    /** Roofs of several runs, those with one name and value once. */
    const different = (roofs) => [...new Map(roofs.map((roof) =>
        [`${roof.name} ${roof.value}`, roof])).values()];

    const draw = (runs, points) => ({ svg, width, height, axes }) => {
        const peaks = different(runs.flatMap((run) => roofsOf(run).filter(isFlops)));
        const slopes = different(points.map((point) => point.roof));
        const ridge = slopes.map((roof) => (d3.max(peaks, (peak) => peak.value) || roof.value)
            / roof.value);
        const x = d3.scaleLog(gridloom.chart.decades(
            [...points.map((p) => p.intensity / 3), ...points.map((p) => p.intensity * 3), ...ridge]),
        [0, width]);
        const y = d3.scaleLog(gridloom.chart.decades(
            [...points.map((p) => p.rate / 3), ...peaks.map((roof) => roof.value * 1.5)]), [height, 0]);
        const inside = (value) => Math.max(y.domain()[0], Math.min(y.domain()[1], value));
        const clip = `clip-${Math.random().toString(36).slice(2)}`;
        axes(x, y, "operations per byte, FLOP/B", "rate, FLOP/s",
            { xFormat: (v) => powers(v, width), yFormat: (v) => powers(v, 900), xTicks: 8 });
        svg.append("clipPath").attr("id", clip).append("rect").attr("width", width)
            .attr("height", height);
        const body = svg.append("g").attr("clip-path", `url(#${clip})`);
        const top = d3.max(peaks, (roof) => roof.value) || y.domain()[1];
        slopes.forEach((roof, order) => {
            const from = x.domain()[0];
            const to = top / roof.value;
            body.append("line").attr("class", "roof").attr("x1", x(from)).attr("x2", x(to))
                .attr("y1", y(from * roof.value)).attr("y2", y(to * roof.value))
                .attr("stroke", gridloom.colour.of(roof.name));
            const start = Math.max(from, y.domain()[0] / roof.value) * 1.3 * 2.4 ** order;
            const angle = Math.atan2(y(roof.value) - y(10 * roof.value), x(10) - x(1));
            body.append("text").attr("class", "roof-name")
                .attr("transform", `translate(${x(start)},${y(start * roof.value) - 6})`
                    + ` rotate(${(-angle * 180) / Math.PI})`).text(roof.name);
        });
        peaks.forEach((roof) => {
            body.append("line").attr("class", "roof flat").attr("x1", 0).attr("x2", width)
                .attr("y1", y(roof.value)).attr("y2", y(roof.value));
            body.append("text").attr("class", "roof-name").attr("x", width - 6)
                .attr("y", y(roof.value) - 6).attr("text-anchor", "end").text(roof.name);
        });
        points.forEach((point) => {
            const mark = svg.append("g")
                .attr("transform", `translate(${x(point.intensity)},${y(inside(point.rate))})`);
            mark.append("circle").attr("class", "point").attr("r", 6)
                .attr("fill", gridloom.colour.of(point.roof.name));
            if (runs.length > 1) {
                mark.append("text").attr("class", "roof-name").attr("y", -10)
                    .attr("text-anchor", "middle").text(point.run.letter);
            }
            mark.append("title").text(`${point.run.label}, ${point.roof.name}: `
                + `${plain(point.intensity)} FLOP/B, ${scaled(point.rate, "FLOP/s")}`);
        });
    };

    /** 1, 10, 100, then powers: a label for each decade only. */
    const powers = (value) => {
        const power = Math.log10(value);
        return Math.abs(power - Math.round(power)) > 1e-6 ? ""
            : Math.abs(power) < 3.5 ? plain(value) : d3.format(".0e")(value).replace("e+", "e");
    };

    /** One limit where all runs have the same, else that of each. */
    const limits = (runs, text) => (new Set(runs.map(text)).size === 1 ? text(runs[0])
        : runs.map((run) => `${run.letter} ${text(run)}`).join(", "));

    const roofTable = (runs) => {
        const names = [...new Set(runs.flatMap((run) => roofsOf(run).map((roof) => roof.name)))];
        const find = (run, name) => roofsOf(run).find((roof) => roof.name === name);
        return table(["Roof", "Limit", ...runs.map((run) => (runs.length > 1
            ? `Achieved, ${run.letter}` : "Achieved")), "Source"],
        names.map((name) => {
            const first = runs.map((run) => find(run, name)).find(Boolean);
            const unit = UNITS[first.unit] || ` ${first.unit}`;
            return [name, limits(runs.filter((run) => find(run, name)), (run) =>
                scaled(find(run, name).value, unit)), ...runs.map((run) => {
                const roof = find(run, name);
                return roof && isNumber(roof.achieved)
                    ? [scaled(roof.achieved, unit), make("span", { class: "ratio" },
                        percent(roof.achieved / roof.value))] : "\u2013";
            }), make("span", { class: "muted source" }, String(first.source || ""))];
        }), { class: "figures" });
    };

    const build = (runs) => {
        const known = runs.filter((run) => roofsOf(run).length);
        if (!known.length) return null;
        const points = known.flatMap(pointsOf);
        return section("roofline", "Roofline",
            points.length ? make("div", { class: "panel" },
                gridloom.chart.build(380, "Roofline: rate by operations per byte",
                    draw(known, points)),
                gridloom.element.legend([...new Set(points.map((point) => point.roof.name))]
                    .map((name) => ({ name: `bytes of ${name}`, fill: gridloom.colour.of(name) }))),
                note("Rates are what the run's counters say over the time in which programs ran."))
                : note("No point: the run counted no operations, or moved no bytes."),
            make("div", { class: "panel" }, roofTable(known)));
    };

    return { build };
})();
