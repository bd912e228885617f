// Runs of a sweep as points: one column over another, coloured by a third, with their front.
"use strict";

gridloom.cloud = (() => {
    const { make, select } = gridloom.element;
    const { isNumber, tick } = gridloom.number;
    const { text } = gridloom.table;
    const REACH = 16; // pixels from the pointer to a point
    const EDGE = 8; // around the points, for those at an end

    /** A place along an axis: { of(row): pixels or NaN, scale, isLog }. */
    const axisOf = (column, isLogWanted, range) => {
        if (!column.isNumeric) {
            const scale = d3.scalePoint(column.values.map(text), range).padding(0.5);
            return { of: (row) => scale(text(column.cells[row])) ?? NaN, scale, isLog: false };
        }
        const low = column.values[0];
        const high = column.values[column.values.length - 1];
        const isLog = isLogWanted && low > 0;
        const pad = low === high ? Math.abs(low) / 10 || 1 : 0;
        const scale = (isLog ? d3.scaleLog([low / (pad ? 2 : 1.1), high * (pad ? 2 : 1.1)], range)
            : d3.scaleLinear([low > 0 && low < high / 2 ? 0 : low - pad, high + pad], range).nice());
        return { of: (row) => (isNumber(column.cells[row]) ? scale(column.cells[row]) : NaN), scale, isLog,
            isWhole: column.values.every(Number.isInteger) };
    };

    /** A label for each decade, and between them where there are few. */
    const textOf = (axis, most) => {
        if (!axis.scale.ticks) return (name) => (name.length > most ? `${name.slice(0, most - 1)}\u2026` : name);
        if (!axis.isLog) return (value) => (axis.isWhole && !Number.isInteger(value) ? "" : tick(value));
        const [low, high] = axis.scale.domain();
        const isLong = Math.log10(high / low) > 3;
        return (value) => {
            const lead = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
            return Math.abs(lead - 1) < 1e-6 || (!isLong && [2, 5].some((one) => Math.abs(lead - one) < 1e-6))
                ? tick(value) : "";
        };
    };

    /** What is known of a run, as a list. */
    const tip = (table, row) => [make("div", { class: "tip-name" }, `run ${text(table.runOf(row))}`),
        make("dl", {}, [...table.parameters.filter((column) => column.isVaried), ...table.metrics]
            .filter((column) => column.cells[row] !== null)
            .map((column) => [make("dt", {}, column.name),
                make("dd", {}, gridloom.longtable.word(column.cells[row]))]),
        table.statusOf(row) !== "done" && [make("dt", {}, table.statusOf(row)),
            make("dd", {}, table.errorOf(row))])];

    const stroke = (context, path, colour, width) => {
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.stroke(path);
    };

    /** state: table, kept(row), dyes(), x, y, isLogX, isLogY, hasFront, isMostX, isMostY,
     * chosen; choose(row). Gives node, tools, redraw() of all and repaint() of the points. */
    const build = (state) => {
        const { table } = state;
        const box = make("div", { class: "tip", hidden: true });
        const place = make("div", { class: "scatter", tabindex: "0", role: "group",
            "aria-label": "Runs as points; arrows go from one to the next, Enter chooses" });
        const words = make("p", { class: "note", role: "status" });
        const keys = make("div", {});
        let points = [];
        let paint = () => {};
        let pointed = null;

        const show = (point) => {
            pointed = point ? point.row : null;
            box.hidden = !point;
            paint();
            if (!point) return;
            box.replaceChildren(...tip(table, point.row));
            const { left, top } = gridloom.chart.MARGIN;
            const wide = place.clientWidth - box.offsetWidth;
            box.style.left = `${Math.max(0, Math.min(point.x + left + 14, wide))}px`;
            box.style.top = `${point.y + top + 14}px`;
        };

        const near = (event) => {
            const side = place.querySelector(".chart").getBoundingClientRect();
            const { left, top } = gridloom.chart.MARGIN;
            const x = event.clientX - side.left - left;
            const y = event.clientY - side.top - top;
            const best = d3.least(points.filter((point) => point.isKept),
                (point) => (point.x - x) ** 2 + (point.y - y) ** 2);
            return best && Math.hypot(best.x - x, best.y - y) <= REACH ? best : null;
        };

        const marks = (dyes) => {
            const ways = new Map();
            return (row) => {
                const shape = dyes.shapeOf(row);
                if (!ways.has(shape)) ways.set(shape, new Path2D(d3.symbol().type(shape).size(46)()));
                return ways.get(shape);
            };
        };

        /** The front as stairs, level first; the runs of it have rings. */
        const paintFront = (context, front) => {
            const line = new Path2D();
            front.forEach((point, i) => {
                if (i === 0) line.moveTo(point.x, point.y);
                else {
                    line.lineTo(point.x, front[i - 1].y);
                    line.lineTo(point.x, point.y);
                }
            });
            const ink = gridloom.theme.colour("text");
            context.globalAlpha = 1;
            stroke(context, line, ink, 1.6);
            front.forEach((point) => {
                const ring = new Path2D();
                ring.arc(point.x, point.y, 6.5, 0, 7);
                stroke(context, ring, ink, 1.6);
            });
        };

        const paintCross = (context, point, colour) => {
            const cross = new Path2D();
            cross.moveTo(point.x - 4, point.y - 4);
            cross.lineTo(point.x + 4, point.y + 4);
            cross.moveTo(point.x + 4, point.y - 4);
            cross.lineTo(point.x - 4, point.y + 4);
            stroke(context, cross, colour, 1.8);
        };

        /** Where runs stand: those that have one number of two on the other axis, and those
         * with none nowhere. */
        const locate = (x, y, height) => d3.range(table.count).map((row) => {
            const at = { row, x: x.of(row), y: y.of(row), isKept: state.kept(row) };
            at.isWhole = !Number.isNaN(at.x) && !Number.isNaN(at.y);
            at.isLost = Number.isNaN(at.x) && Number.isNaN(at.y);
            if (Number.isNaN(at.y)) at.y = height;
            if (Number.isNaN(at.x)) at.x = 0;
            return at;
        }).filter((at) => !at.isLost);

        const say = (front) => {
            const shown = points.filter((point) => point.isKept);
            const broken = shown.filter((point) => !point.isWhole).length;
            words.textContent = `${shown.length - broken} of ${table.count} runs. `
                + (state.hasFront ? `${front.length} on the front: no other run is as good in both and better in one. ` : "")
                + (broken ? `${broken} that have only one of both are crosses on its axis.` : "");
        };

        const draw = ({ svg, width, height, axes }) => {
            const x = axisOf(state.x, state.isLogX, [0, width]);
            const y = axisOf(state.y, state.isLogY, [height, 0]);
            axes(x.scale, y.scale, state.x.name, state.y.name,
                { xText: textOf(x, Math.floor(width / 7 / state.x.values.length)), yText: textOf(y, 8),
                    yTicks: y.isLog ? 10 : 6 });
            const chart = svg.node().closest(".chart");
            const ratio = window.devicePixelRatio || 1;
            const { left, top } = gridloom.chart.MARGIN;
            const wide = width + left + EDGE;
            const high = height + top + EDGE;
            const canvas = make("canvas", { class: "cloud", width: Math.round(wide * ratio),
                height: Math.round(high * ratio), style: { width: `${wide}px`, height: `${high}px` } });
            const context = canvas.getContext("2d");
            const overlay = make("div", { class: "cloud-reach",
                style: { left: `${left - EDGE}px`, top: `${top - EDGE}px`, width: `${width + 2 * EDGE}px`,
                    height: `${height + 2 * EDGE}px` } });
            chart.append(canvas, overlay);

            paint = () => {
                const dyes = state.dyes();
                const markOf = marks(dyes);
                const quiet = gridloom.theme.colour("line");
                const bad = gridloom.theme.colour("bad");
                points = locate(x, y, height);
                context.setTransform(ratio, 0, 0, ratio, 0, 0);
                context.clearRect(0, 0, wide, high);
                context.translate(left, top);
                const blob = (point, colour, alpha) => {
                    context.save();
                    context.globalAlpha = alpha;
                    context.translate(point.x, point.y);
                    context.fillStyle = colour;
                    context.fill(markOf(point.row));
                    context.restore();
                };
                points.filter((point) => !point.isKept && point.isWhole)
                    .forEach((point) => blob(point, quiet, 0.9));
                const alpha = points.length > 2000 ? 0.55 : 0.85;
                points.filter((point) => point.isKept).forEach((point) => (point.isWhole
                    ? blob(point, dyes.of(point.row), alpha) : paintCross(context, point, bad)));
                const rows = points.filter((point) => point.isKept && point.isWhole).map((point) => point.row);
                const byRow = new Map(points.map((point) => [point.row, point]));
                const front = state.hasFront && state.x.isNumeric && state.y.isNumeric
                    ? gridloom.table.front(rows, state.x, state.y, state.isMostX, state.isMostY) : [];
                paintFront(context, front.map((row) => byRow.get(row)));
                [[state.chosen, "accent"], [pointed, "text"]].forEach(([row, colour]) => {
                    const at = byRow.get(row);
                    if (!at) return;
                    const ring = new Path2D();
                    ring.arc(at.x, at.y, 9, 0, 7);
                    stroke(context, ring, gridloom.theme.colour(colour), 2.4);
                });
                place.dataset.points = points.filter((point) => point.isKept && point.isWhole).length;
                keys.replaceChildren(...(dyes.legend ? [dyes.legend] : []));
                place.dataset.front = front.map((row) => text(table.runOf(row))).join(" ");
                say(front);
            };
            overlay.addEventListener("mousemove", (event) => show(near(event)));
            overlay.addEventListener("mouseleave", () => show(null));
            overlay.addEventListener("click", () => state.choose(pointed));
            pointed = null;
            box.hidden = true;
            paint();
        };

        place.addEventListener("keydown", (event) => {
            const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
            if (event.key === "Escape") show(null);
            else if (event.key === "Enter") state.choose(pointed);
            if (!step) return;
            event.preventDefault();
            const order = points.filter((point) => point.isKept).sort((a, b) => a.x - b.x || a.y - b.y);
            const at = order.findIndex((point) => point.row === pointed);
            if (order.length) show(order[at < 0 ? 0 : (at + step + order.length) % order.length]);
        });

        const redraw = () => place.replaceChildren(gridloom.chart.build(460,
            `${state.y.name} over ${state.x.name}`, draw), box);
        redraw();
        return { node: [place, keys, words], redraw, repaint: () => paint(), tools: () => tools(state, redraw) };
    };

    /** What is drawn: a select for each of x, y and colour, and switches. */
    const tools = (state, redraw) => {
        const { table } = state;
        const drawn = [...table.parameters, ...table.metrics].filter((column) => column.values.length);
        const options = drawn.map((column) => [String(column.index), column.name]);
        const pick = (key) => (value) => {
            state[key] = table.columns[Number(value)] || null;
            if (key === "x") state.isLogX = state.x.isWide;
            if (key === "y") state.isLogY = state.y.isWide;
            state.refresh();
        };
        const toggle = (key, name) => {
            const button = make("button", {
                type: "button",
                "aria-pressed": String(state[key]),
                onclick: () => {
                    state[key] = !state[key];
                    button.setAttribute("aria-pressed", String(state[key]));
                    redraw();
                },
            }, name);
            return button;
        };
        const labelled = (name, node) => make("label", { class: "labelled" }, name, " ", node);
        const way = (key, axis) => select(`What is better of ${axis}`, [["", `less ${axis} is better`],
            ["most", `more ${axis} is better`]], state[key] ? "most" : "", (value) => {
            state[key] = value === "most";
            redraw();
        });
        return [
            labelled("x", select("Horizontal", options, String(state.x.index), pick("x"))),
            labelled("y", select("Vertical", options, String(state.y.index), pick("y"))),
            labelled("colour", select("Colour", [["", "one for all"], ...options],
                state.colour ? String(state.colour.index) : "", pick("colour"))),
            toggle("isLogX", "log x"), toggle("isLogY", "log y"), toggle("hasFront", "Front"),
            way("isMostX", "x"), way("isMostY", "y")];
    };

    return { build, tip };
})();
