// How the residual of a solver went down.
"use strict";

gridloom.residual = (() => {
    const { make, section, note, legend } = gridloom.element;
    const { plain, tick, isNumber } = gridloom.number;

    const historyOf = (run) => {
        const history = run.metrics.residual_history;
        return Array.isArray(history) && history.filter((v) => isNumber(v) && v > 0).length > 1
            ? history : null;
    };

    const draw = (runs) => ({ svg, width, height, axes }) => {
        const values = runs.flatMap(historyOf).filter((v) => isNumber(v) && v > 0);
        const longest = Math.max(...runs.map((run) => historyOf(run).length));
        const x = d3.scaleLinear([0, longest - 1], [0, width]);
        const y = d3.scaleLog(gridloom.chart.decades(values), [height, 0]);
        axes(x, y, "iteration", "norm of the residual", { yFormat: tick, xFormat: "d", xTicks: Math.max(1, Math.min(longest - 1, Math.round(width / 90))) });
        runs.forEach((run) => {
            const points = historyOf(run).map((value, i) => [i, value])
                .filter(([, value]) => isNumber(value) && value > 0);
            const colour = gridloom.colour.run(run.index);
            svg.append("path").attr("class", "line").attr("stroke", colour)
                .attr("d", d3.line().x((p) => x(p[0])).y((p) => y(p[1]))(points));
            if (points.length <= 200) {
                svg.selectAll(null).data(points).enter().append("circle").attr("r", 3)
                    .attr("cx", (p) => x(p[0])).attr("cy", (p) => y(p[1])).attr("fill", colour)
                    .append("title").text((p) => `iteration ${p[0]}: ${plain(p[1])}`);
            }
        });
    };

    const build = (runs) => {
        const known = runs.filter(historyOf);
        if (!known.length) return null;
        const last = known.map((run) => {
            const history = historyOf(run);
            return `${runs.length > 1 ? `${run.letter}: ` : ""}${plain(history[0])} to `
                + `${plain(history[history.length - 1])} in ${history.length - 1} iterations`;
        });
        return section("residual", "Residual", make("div", { class: "panel" },
            gridloom.chart.build(300, "Norm of the residual by iteration", draw(known)),
            runs.length > 1 && legend(known.map((run) => ({ name: run.label,
                fill: `var(--run-${run.index % 6})` }))),
            note(last.join("; "), ".")));
    };

    return { build };
})();
