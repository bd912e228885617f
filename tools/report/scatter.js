// Published against simulated, both logarithmic: a point for each row of a validation.
"use strict";

gridloom.scatter = (() => {
    const { make, choice, legend } = gridloom.element;
    const { isNumber, plain, tick } = gridloom.number;

    const SHAPES = { calibrated: d3.symbolCircle, predicted: d3.symbolDiamond };
    const MINUS = "\u2212";

    /** Can it be placed? Words and what is not positive have no logarithm. */
    const isPlaced = (row) => isNumber(row.published) && isNumber(row.simulated)
        && row.published > 0 && row.simulated > 0;

    const colourOf = (suites, name) => gridloom.colour.run(suites.indexOf(name));
    const signed = (value) => `${value < 0 ? MINUS : "+"}${plain(Math.abs(value), 3)}`;
    const errorUnit = (row) => (row.error_is_relative ? "%"
        : { "%": "points", 1: "" }[row.unit] ?? row.unit);
    const errorText = (row) => (isNumber(row.error)
        ? `${signed(row.error)} ${errorUnit(row)}`.trim() : "\u2013");
    const valueText = (value, unit) => (isNumber(value) ? `${plain(value)}${unit === "1" ? "" : ` ${unit}`}`
        : value ?? "\u2013");

    const tip = (row) => [make("div", { class: "tip-name" }, row.case),
        make("dl", {}, [["suite", row.suite], ["source", row.source], ["quantity", row.quantity],
            ["published", valueText(row.published, row.unit)],
            ["simulated", valueText(row.simulated, row.unit)],
            ["error", errorText(row)],
            ["allowed", isNumber(row.tolerance) ? `\u00b1 ${plain(row.tolerance)} ${errorUnit(row)}` : "not judged"],
            ["kind", row.kind], ["status", row.status], ["note", row.note]]
            .filter(([, text]) => text)
            .map(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]))];

    /** What is simulated where the error is all that is allowed, low and high. */
    const allowed = (row) => (row.error_is_relative
        ? [row.published * (1 - row.tolerance / 100), row.published * (1 + row.tolerance / 100)]
        : [row.published - row.tolerance, row.published + row.tolerance]);

    const shape = (row) => d3.symbol().type(SHAPES[row.kind] || d3.symbolSquare)
        .size(row.status === "fail" ? 110 : 52)();

    /** A label for each decade, at most so many of them. */
    const decade = (scale, most) => (value) => {
        const power = Math.log10(value);
        const [low, high] = scale.domain().map(Math.log10);
        const step = Math.ceil((high - low) / most);
        if (Math.abs(power - Math.round(power)) > 1e-6 || Math.round(power) % step) return "";
        return tick(value);
    };

    const draw = (state, box) => ({ svg, width, height, axes }) => {
        const placed = state.rows().filter(isPlaced);
        const isError = state.view === "error";
        if (!placed.length) {
            svg.append("text").attr("class", "axis-label").attr("x", width / 2).attr("y", height / 2)
                .attr("text-anchor", "middle").text("No row of this choice has two positive numbers.");
            return;
        }
        const ratios = placed.map((row) => 100 * (row.simulated / row.published - 1));
        const most = Math.max(1, ...ratios.map(Math.abs)) * 1.1;
        const domain = gridloom.chart.decades(placed.flatMap((row) => [row.published, row.simulated]));
        const x = d3.scaleLog(isError ? gridloom.chart.decades(placed.map((row) => row.published))
            : domain, [0, width]);
        const y = isError ? d3.scaleLinear([-most, most], [height, 0]).nice()
            : d3.scaleLog(domain, [height, 0]);
        const high = (row) => (isError ? y(100 * (row.simulated / row.published - 1)) : y(row.simulated));
        axes(x, y, "published", isError ? "error of the simulated value, %" : "simulated",
            isError ? { xFormat: decade(x, width / 70) }
                : { xFormat: decade(x, width / 70), yFormat: decade(y, height / 26), yTicks: 12 });
        const band = Math.max(0, ...placed.filter((row) => row.error_is_relative && isNumber(row.tolerance))
            .map((row) => row.tolerance)) / 100;
        const body = svg.append("g").attr("clip-path", "url(#scatter-clip)");
        svg.append("clipPath").attr("id", "scatter-clip").append("rect").attr("width", width)
            .attr("height", height);
        const [low, top] = x.domain();
        const edge = (value, part) => (isError ? y(100 * part)
            : y(Math.max(value * (1 + part), y.domain()[0])));
        body.append("path").attr("class", "band").attr("d", `M${x(low)},${edge(low, -band)}`
            + `L${x(top)},${edge(top, -band)}L${x(top)},${edge(top, band)}L${x(low)},${edge(low, band)}Z`);
        body.append("line").attr("class", "diagonal").attr("x1", x(low)).attr("y1", edge(low, 0))
            .attr("x2", x(top)).attr("y2", edge(top, 0));
        const reach = body.append("line").attr("class", "reach");
        const point = (row) => `translate(${x(row.published)},${high(row)})`;
        const hide = () => {
            reach.attr("visibility", "hidden");
            box.hidden = true;
        };
        const show = (row, event) => {
            const side = svg.node().closest(".chart").parentElement.getBoundingClientRect();
            if (isNumber(row.tolerance)) {
                const [bottom, up] = allowed(row);
                const place = (value) => (isError ? y(100 * (value / row.published - 1))
                    : y(Math.max(value, y.domain()[0])));
                reach.attr("visibility", "visible").attr("x1", x(row.published)).attr("x2", x(row.published))
                    .attr("y1", place(bottom)).attr("y2", place(up));
            }
            box.hidden = false;
            box.replaceChildren(...tip(row));
            const left = event.clientX - side.left;
            box.style.left = `${Math.max(0, Math.min(left + 14, side.width - box.offsetWidth))}px`;
            box.style.top = `${event.clientY - side.top + 14}px`;
        };
        body.append("g").selectAll("path").data([...placed].sort((a, b) =>
            (a.status === "fail") - (b.status === "fail"))).join("path")
            .attr("class", (row) => `mark ${row.status}`)
            .attr("transform", point)
            .attr("d", shape)
            .attr("fill", (row) => colourOf(state.suites, row.suite))
            .each(function listen(row) {
                this.addEventListener("mousemove", (event) => show(row, event));
                this.addEventListener("mouseleave", hide);
            });
        hide();
    };

    /** state has rows() that are shown, suites, view ("value" or "error"). */
    const build = (state) => {
        const box = make("div", { class: "tip", hidden: true });
        const place = make("div", { class: "scatter" });
        const words = make("p", { class: "note", role: "status" });
        const redraw = () => {
            const rows = state.rows();
            const left = rows.filter((row) => !isPlaced(row)).length;
            words.textContent = `On the ${state.view === "error" ? "line at 0" : "diagonal"} both are the same. `
                + "The band is the widest tolerance of the rows shown; each point tells its own. "
                + (left ? `${left} of ${rows.length} rows are not in the picture: not run, words, or not positive.` : "");
            place.replaceChildren(gridloom.chart.build(520, "Published against simulated values",
                draw(state, box)), box);
        };
        const view = choice("What the picture shows", [["value", "Values"], ["error", "Errors"]],
            state.view, (value) => {
                state.view = value;
                redraw();
            });
        redraw();
        return { view, redraw, node: [place, legendOf(state), words] };
    };

    const legendOf = (state) => legend([
        ...state.suites.map((name) => ({ name, fill: colourOf(state.suites, name) })),
        { name: "calibrated: a number of the model was fitted to it", fill: "var(--muted)", kind: "round" },
        { name: "predicted", fill: "var(--muted)", kind: "diamond" },
        { name: "outside its tolerance", fill: "var(--bad)", kind: "ring" },
    ]);

    return { build, errorText, valueText, errorUnit };
})();
