// Parallel coordinates: a line for each run through all of its columns; brushes keep some.
"use strict";

gridloom.parallel = (() => {
    const { make } = gridloom.element;
    const { plain, tick } = gridloom.number;
    const { text } = gridloom.table;
    const HEIGHT = 300; // of an axis
    const TOP = 62;
    const FOOT = 34;
    const SIDE = 60;
    const NARROWEST = 92; // between two axes
    const LACKING = 16; // below an axis, where a run without a number goes through
    const STEP = 0.05; // of an axis, by key
    const BEYOND = 6; // pixels that a brush reaches past the ends of an axis

    /** Where rows stand on an axis, 0 at the top to 1; NaN without a value. */
    const axisOf = (column) => {
        if (!column.isNumeric) {
            const scale = d3.scalePoint(column.values.map(text), [0, 1]).padding(0.3);
            return { column, scale, place: (row) => (column.cells[row] === null ? NaN
                : scale(text(column.cells[row])) ?? NaN) };
        }
        const ends = [column.values[column.values.length - 1], column.values[0]];
        const scale = (column.isWide ? d3.scaleLog : d3.scaleLinear)(ends, [0, 1]);
        return { column, scale, place: (row) => (column.cells[row] === null ? NaN
            : scale(column.cells[row])) };
    };

    const shorten = (name, most) => (name.length > most ? `${name.slice(0, Math.max(1, most - 1))}\u2026` : name);

    /** state: table, kept(row), dyes(), brushes: column -> [top, bottom], chosen, update().
     * Gives node, tools, redraw(), repaint(). */
    const build = (state) => {
        const { table } = state;
        const axes = [...table.parameters, ...table.metrics].filter((column) => column.isVaried).map(axisOf);
        const hasGap = d3.range(table.count).some((row) => axes.some((axis) => Number.isNaN(axis.place(row))));
        const inner = make("div", { class: "parallel" });
        const box = make("div", { class: "scroll-x", tabindex: "0", role: "region",
            "aria-label": "Parallel coordinates" }, inner);
        const words = make("p", { class: "note", role: "status" });
        let paint = () => {};
        let brushes = [];
        let last = 0;

        const isIn = (row, axis) => {
            const span = state.brushes.get(axis.column);
            const place = axis.place(row);
            return !span || (place >= span[0] - 1e-9 && place <= span[1] + 1e-9);
        };
        state.brushed = (row) => axes.every((axis) => isIn(row, axis));

        const reach = (axis) => {
            const span = state.brushes.get(axis.column);
            const { column } = axis;
            if (!span) return "all values";
            if (!column.isNumeric) {
                return column.values.filter((value) => axis.scale(text(value)) >= span[0]
                    && axis.scale(text(value)) <= span[1]).join(", ") || "none";
            }
            const at = (part) => plain(axis.scale.invert(Math.max(0, Math.min(1, part))), 4);
            return `${at(span[1])} to ${at(span[0])}`;
        };
        const say = () => {
            const chosen = axes.filter((axis) => state.brushes.has(axis.column))
                .map((axis) => `${axis.column.name} ${reach(axis)}`);
            words.textContent = `${d3.range(table.count).filter(state.kept).length} of ${table.count} runs. `
                + (chosen.length ? `Kept: ${chosen.join("; ")}.`
                    : "Draw along an axis to keep some; with the keyboard: arrows move the upper end, with Shift the lower one, Escape keeps all.");
        };

        const draw = () => {
            const whole = box.clientWidth;
            if (!whole || axes.length < 2) return;
            last = whole;
            const width = Math.max(whole, 2 * SIDE + NARROWEST * (axes.length - 1));
            const gap = (width - 2 * SIDE) / (axes.length - 1);
            const height = TOP + HEIGHT + FOOT;
            const ratio = window.devicePixelRatio || 1;
            const canvas = make("canvas", { width: Math.round(width * ratio), height: Math.round(height * ratio),
                style: { width: `${width}px`, height: `${height}px` } });
            inner.style.width = `${width}px`;
            inner.style.height = `${height}px`;
            const root = d3.create("svg").attr("width", width).attr("height", height)
                .attr("role", "group").attr("aria-label", "Axes of parallel coordinates");
            inner.replaceChildren(canvas, root.node());
            const context = canvas.getContext("2d");
            const xOf = (i) => SIDE + gap * i;
            const lines = d3.range(table.count).map((row) => {
                const path = new Path2D();
                axes.forEach((axis, i) => {
                    const place = axis.place(row);
                    const y = TOP + (Number.isNaN(place) ? HEIGHT + LACKING : place * HEIGHT);
                    if (i === 0) path.moveTo(xOf(i), y);
                    else path.lineTo(xOf(i), y);
                });
                return path;
            });

            paint = () => {
                const dyes = state.dyes();
                const bad = gridloom.theme.colour("bad");
                const kept = d3.range(table.count).map(state.kept);
                const count = kept.filter(Boolean).length;
                context.setTransform(ratio, 0, 0, ratio, 0, 0);
                context.clearRect(0, 0, width, height);
                context.lineWidth = 1;
                context.strokeStyle = gridloom.theme.colour("line");
                context.globalAlpha = 0.5;
                lines.forEach((path, row) => {
                    if (!kept[row]) context.stroke(path);
                });
                context.lineWidth = count > 400 ? 1 : 1.5;
                context.globalAlpha = Math.max(0.12, Math.min(0.85, 60 / Math.max(1, count) + 0.1));
                lines.forEach((path, row) => {
                    if (!kept[row]) return;
                    const isDone = table.statusOf(row) === "done";
                    context.strokeStyle = isDone ? dyes.of(row) : bad;
                    context.setLineDash(isDone ? [] : [5, 4]);
                    context.stroke(path);
                });
                context.setLineDash([]);
                context.globalAlpha = 1;
                if (state.chosen !== null) {
                    context.lineWidth = 3;
                    context.strokeStyle = gridloom.theme.colour("accent");
                    context.stroke(lines[state.chosen]);
                }
                say();
            };

            brushes = axes.map((axis, i) => drawAxis(root, axis, xOf(i), gap, i));
            if (hasGap) {
                root.append("text").attr("class", "axis-label").attr("x", 4)
                    .attr("y", TOP + HEIGHT + LACKING + 4).text("no value");
            }
            paint();
        };

        /** One axis with its brush; the brush is kept as parts of the axis. */
        const drawAxis = (root, axis, x, gap, index) => {
            const { column } = axis;
            const group = root.append("g").attr("class", "axis").attr("transform", `translate(${x},${TOP})`)
                .attr("tabindex", "0").attr("role", "group");
            const scale = axis.scale.copy().range([0, HEIGHT]);
            const few = d3.axisLeft(scale).tickSizeOuter(0);
            if (!column.isNumeric) few.tickFormat((name) => shorten(name, Math.floor(gap / 7.5)));
            else if (column.values.length <= 8) few.tickValues(column.values).tickFormat(tick);
            else few.ticks(6).tickFormat((value) => (column.isWide && Math.abs(Math.log10(value) % 1) > 1e-6 ? "" : tick(value)));
            group.call(few);
            group.selectAll(".tick text").attr("class", "axis-text");
            const name = group.append("text").attr("class", "axis-name").attr("text-anchor", "middle")
                .attr("y", index % 2 ? -38 : -18).text(shorten(column.name, Math.floor(2 * gap / 7.2)));
            name.append("title").text(column.name);
            const brush = d3.brushY().extent([[-14, -BEYOND], [14, HEIGHT + BEYOND]]).on("brush end", () => {
                const { event } = d3;
                if (!event.sourceEvent) return;
                keep(event.selection ? event.selection.map((y) => y / HEIGHT) : null);
            });
            const holder = group.append("g").attr("class", "brush").call(brush);
            const label = () => group.attr("aria-label", `${column.name}: ${reach(axis)}`);
            const keep = (span) => {
                if (span) state.brushes.set(column, span);
                else state.brushes.delete(column);
                label();
                state.update();
            };
            const move = (span) => holder.call(brush.move, span ? span.map((part) => part * HEIGHT) : null);
            group.node().addEventListener("keydown", (event) => {
                const way = { ArrowUp: -STEP, ArrowDown: STEP }[event.key];
                const [top, bottom] = state.brushes.get(column) || [0, 1];
                let span = null;
                if (way === undefined && event.key !== "Escape") return;
                event.preventDefault();
                if (way !== undefined) {
                    span = event.shiftKey ? [top, Math.min(1, Math.max(top, bottom + way))]
                        : [Math.max(0, Math.min(bottom, top + way)), bottom];
                    if (span[0] === 0 && span[1] === 1) span = null;
                }
                move(span);
                keep(span);
            });
            if (state.brushes.has(column)) move(state.brushes.get(column));
            label();
            return { move };
        };

        const clear = make("button", {
            type: "button",
            onclick: () => {
                state.brushes.clear();
                brushes.forEach((brush) => brush.move(null));
                draw();
                state.update();
            },
        }, "Keep all");
        new ResizeObserver(() => {
            if (Math.abs(box.clientWidth - last) > 1) draw();
        }).observe(box);
        gridloom.theme.onChange(draw);
        requestAnimationFrame(draw);
        return { node: [box, words], tools: [clear], isThere: axes.length >= 2,
            repaint: () => paint() };
    };

    return { build };
})();
