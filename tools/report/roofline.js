// How fast runs were, and how fast their machines would have let them be. The numbers are those of
// `gridloom roofline`; here they are only drawn.
"use strict";

gridloom.roofline = (() => {
    const { make, section, note, table } = gridloom.element;
    const { isNumber, plain, tick, scaled, percent } = gridloom.number;

    const UNITS = { "FLOP per second": "FLOP/s", "bytes per second": "B/s" };
    const LETTER = 6.6;
    const SAME = 0.02;

    const read = (runs, data) => {
        const roofline = data.roofline || {};
        const machines = (roofline.machines || []).map((machine) => ({
            ...machine,
            of: machine.run === null ? null : runs[machine.run] || null,
            roofs: (machine.roofs || []).filter((roof) => isNumber(roof.value) && roof.value > 0),
        }));
        machines.forEach((machine) => {
            machine.isRun = machine.workload !== "";
            machine.letter = machine.of ? machine.of.letter : machine.letter;
            machine.name = machine.isRun ? `${machine.workload} on ${machine.chip}` : machine.chip;
        });
        const unit = roofline.unit || "FLOP/s";
        machines.forEach((machine) => {
            // A machine alone is there for its results, if it has any.
            machine.isBeside = !machine.isRun && machines.some((one) => one.isRun && one.chip === machine.chip);
        });
        return { machines, unit, isEvery: roofline.all_roofs === true, bytes: unit.replace("FLOP", "B"), notes: roofline.notes || [],
            isFirst: roofline.is_first === true };
    };

    /** Machines of one chip whose roofs do not contradict each other: one colour. */
    const groupsOf = (machines) => {
        const groups = [];
        machines.filter((machine) => machine.roofs.length).forEach((machine) => {
            let group = groups.find((one) => one.chip === machine.chip && machine.roofs.every((roof) => {
                const own = one.roofs.get(roof.name);
                return !own || Math.abs(own.value / roof.value - 1) <= SAME;
            }));
            if (!group) {
                group = { chip: machine.chip, roofs: new Map(), machines: [], isQuoted: machine.is_quoted };
                groups.push(group);
            }
            machine.roofs.forEach((roof) => {
                if (!group.roofs.has(roof.name)) group.roofs.set(roof.name, { ...roof, matters: false });
                if (roof.matters && !machine.isBeside) group.roofs.get(roof.name).matters = true;
            });
            group.machines.push(machine);
        });
        groups.forEach((group, index) => {
            group.index = index;
            const isAlone = groups.filter((one) => one.chip === group.chip).length === 1;
            group.name = isAlone || !group.machines[0].letter ? group.chip
                : `${group.chip}, for ${group.machines[0].letter}`;
        });
        return groups;
    };

    /** Groups with those roofs that bind their runs, or with all. */
    const drawnOf = (groups, isEvery) => groups.map((group) => {
        const roofs = [...group.roofs.values()].filter((roof) => isEvery || roof.matters);
        return { ...group, isEvery, peaks: roofs.filter((roof) => roof.is_peak),
            slopes: roofs.filter((roof) => !roof.is_peak) };
    });

    /** A point for the memory that binds a run, or for each that it moved bytes through. */
    const pointsOf = (group) => group.machines.filter((machine) => machine.isRun)
        .flatMap((machine) => machine.roofs.filter((roof) => isNumber(roof.intensity)
            && (group.isEvery || roof.matters))
            .filter((roof, i, all) => all.findIndex((one) =>
                Math.abs(one.intensity / roof.intensity - 1) < 1e-9) === i)
            .map((roof) => ({ group, machine, roof, rate: machine.rate, intensity: roof.intensity })));

    /** A label for each decade only. */
    const powers = (value) => {
        const power = Math.log10(value);
        return Math.abs(power - Math.round(power)) > 1e-6 ? "" : tick(value);
    };

    const SHAPES = [d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond,
        d3.symbolStar, d3.symbolCross, d3.symbolWye];
    const symbol = (machine, machines) => d3.symbol().size(95).type(SHAPES[machines
        .filter((one) => one.isRun).indexOf(machine) % SHAPES.length])();

    /** Of a memory where there is one chip, else of the chip. */
    const colourOf = (groups, group, roof) => (groups.length > 1 || !roof
        ? gridloom.colour.run(group.index) : gridloom.colour.of(roof.name));

    const scales = (groups, marks, width, height) => {
        const points = [...marks, ...marks.flatMap(gridloom.path.stepsOf)];
        const ridges = groups.flatMap((group) => group.slopes.map((roof) =>
            (d3.max(group.peaks, (peak) => peak.value) || roof.value) / roof.value));
        const peaks = groups.flatMap((group) => group.peaks.map((roof) => roof.value));
        return {
            x: d3.scaleLog(gridloom.chart.decades([...points.map((p) => p.intensity / 3),
                ...points.map((p) => p.intensity * 3), ...ridges]), [0, width]),
            y: d3.scaleLog(gridloom.chart.decades([...points.map((p) => p.rate / 3),
                ...points.map((p) => p.rate * 3), ...peaks.map((value) => value * 1.5)]), [height, 0]),
        };
    };

    /** Ends of a roof inside the axes, in pixels; nothing where none of it is. */
    const endsOf = (group, roof, x, y) => {
        const [low, high] = x.domain();
        const [least, most] = y.domain();
        const fastest = d3.max(group.slopes, (one) => one.value);
        const top = d3.max(group.peaks, (one) => one.value) || most;
        const from = roof.is_peak ? Math.max(low, fastest ? roof.value / fastest : low)
            : Math.max(low, least / roof.value);
        const to = roof.is_peak ? high : Math.min(high, Math.min(top, most) / roof.value);
        const at = (value) => ({ x: x(value), y: y(roof.is_peak ? roof.value : value * roof.value) });
        return from < to ? [at(from), at(to)] : null;
    };

    /** Above or below a line, flats from their right end on. */
    const placesAlong = ([from, to], length, isPeak) => {
        const angle = Math.atan2(to.y - from.y, to.x - from.x);
        const room = Math.max(0, Math.hypot(to.x - from.x, to.y - from.y) - length - 12);
        return d3.range(40).flatMap((i) => [6, -15].map((up) => {
            const along = 6 + (room * (isPeak ? 39 - i : i)) / 39;
            return { angle, x: from.x + along * Math.cos(angle) + up * Math.sin(angle),
                y: from.y + along * Math.sin(angle) - up * Math.cos(angle) };
        }));
    };

    const placesAround = ({ x, y }, length) => [1, 2].flatMap((off) =>
        [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1], [-1, 1]].map(([right, down]) => ({
            angle: 0, isLeft: right < 0, length,
            x: x + (right > 0 ? 10 : right < 0 ? -10 - length : -length / 2),
            y: y + 4 + off * 15 * down })));

    const roofWords = (roofline, roof) =>
        `${roof.name} ${scaled(roof.value, roof.is_peak ? roofline.unit : roofline.bytes)}`;
    const pointWords = (roofline, { machine, roof, rate, intensity }) =>
        `${machine.letter} ${machine.name}, ${machine.detail}, ${roof.name}: ${plain(intensity)} FLOP/B, `
        + `${scaled(rate, roofline.unit)}, ${percent(roof.percent / 100)} of this roof`;

    const drawRoofs = (body, groups, roofline, x, y) => groups.flatMap((group) =>
        [...group.slopes, ...group.peaks].flatMap((roof) => {
            const ends = endsOf(group, roof, x, y);
            if (!ends) return [];
            body.append("line").attr("class", roof.is_peak ? "roof flat" : "roof")
                .classed("quoted", group.isQuoted)
                .attr("data-chip", group.index).attr("data-roof", roof.name)
                .attr("x1", ends[0].x).attr("y1", ends[0].y).attr("x2", ends[1].x).attr("y2", ends[1].y)
                .style("stroke", groups.length === 1 && roof.is_peak ? null : colourOf(groups, group, roof))
                .append("title").text(`${group.name}: ${roofWords(roofline, roof)}`);
            return [{ group, roof, ends }];
        }));

    const labelRoofs = (body, labels, lines, roofline) => lines.forEach(({ group, roof, ends }) => {
        const text = roofWords(roofline, roof);
        const place = labels.take(placesAlong(ends, text.length * LETTER, roof.is_peak),
            text.length * LETTER);
        if (!place) return;
        body.append("text").attr("class", "roof-name").attr("data-chip", group.index)
            .attr("transform", `translate(${place.x},${place.y}) rotate(${(place.angle * 180) / Math.PI})`)
            .text(text);
    });

    const draw = (groups, shown, roofline, tell) => ({ svg, width, height, axes }) => {
        const visible = groups.filter((group) => shown.has(group.index));
        const points = visible.flatMap(pointsOf);
        if (!points.length && !visible.some((group) => group.peaks.length)) return;
        const { x, y } = scales(visible, points, width, height);
        axes(x, y, "operations per byte, FLOP/B", `rate, ${roofline.unit}`,
            { xFormat: powers, yFormat: powers, xTicks: 8 });
        const body = svg.append("g");
        const lines = drawRoofs(body, visible, roofline, x, y);
        points.forEach((point) => {
            point.x = x(point.intensity);
            point.y = y(point.rate);
        });
        const labels = gridloom.labels.create(width, height, points, lines.map((line) => line.ends));
        labelRoofs(body, labels, lines, roofline);
        points.forEach((point) => gridloom.path.draw(svg, point, { x, y },
            colourOf(groups, point.group, point.roof), roofline.unit, tell));
        points.forEach((point) => {
            const words = pointWords(roofline, point);
            const mark = svg.append("g").attr("transform", `translate(${point.x},${point.y})`);
            mark.append("path").attr("class", `point ${point.machine.origin}`).attr("tabindex", 0)
                .attr("aria-label", words).attr("d", symbol(point.machine, roofline.machines))
                .attr("fill", colourOf(groups, point.group, point.roof))
                .attr("color", colourOf(groups, point.group, point.roof))
                .on("mouseenter focus", () => {
                    tell(words);
                    body.selectAll(".roof").classed("dim", function isOther() {
                        return this.dataset.chip !== String(point.group.index)
                            || this.dataset.roof !== point.roof.name;
                    });
                })
                .on("mouseleave blur", () => {
                    tell(null);
                    body.selectAll(".roof").classed("dim", false);
                })
                .append("title").text(words);
            const isAlone = points.filter((one) => one.machine === point.machine).length === 1;
            const text = roofline.machines.length === 1 ? point.roof.name
                : isAlone ? point.machine.letter : `${point.machine.letter} ${point.roof.name}`;
            const place = labels.take(placesAround(point, text.length * LETTER), text.length * LETTER);
            if (place) {
                svg.append("text").attr("class", "roof-name").attr("y", place.y)
                    .attr("x", place.isLeft ? place.x + place.length : place.x)
                    .attr("text-anchor", place.isLeft ? "end" : "start").text(text);
            }
        });
    };

    /** Buttons that show and hide chips, each with its colour. */
    const chipButtons = (groups, shown, change) => make("div", { class: "choice chips", role: "group",
        "aria-label": "Chips of the roofline" }, groups.map((group) => {
        const swatch = make("span", { class: "swatch" });
        const button = make("button", { type: "button", "aria-pressed": "true", onclick: () => {
            if (shown.has(group.index) && shown.size === 1) return;
            if (!shown.delete(group.index)) shown.add(group.index);
            button.setAttribute("aria-pressed", String(shown.has(group.index)));
            change();
        } }, swatch, group.name);
        swatch.style.setProperty("--fill", `var(--run-${group.index % 6})`);
        return button;
    }));

    const chartOf = (groups, roofline) => {
        const shown = new Set(groups.map((group) => group.index));
        let { isEvery } = roofline;
        const hint = "Point at a mark, or step to it with the Tab key, to read it.";
        const details = make("p", { class: "roof-details", role: "status" }, hint);
        const tell = (text) => details.replaceChildren(text || hint);
        const holder = make("div");
        const redraw = () => {
            const drawn = drawnOf(groups, isEvery);
            holder.replaceChildren(gridloom.chart.build(groups.length > 1 ? 560 : 420,
                "Roofline: rate by operations per byte", draw(drawn, shown, roofline, tell)),
            groups.length === 1 ? gridloom.element.legend(
                [...new Set(drawn.flatMap(pointsOf).map((point) => point.roof.name))].map((name) =>
                    ({ name: `bytes of ${name}`, fill: gridloom.colour.of(name) }))) : "");
        };
        redraw();
        const which = gridloom.element.choice("Roofs", [[false, "Roofs that bind"], [true, "All roofs"]],
            isEvery, (value) => {
                isEvery = value;
                redraw();
            });
        return make("div", { class: "panel" },
            make("div", { class: "tools" }, groups.length > 1 && chipButtons(groups, shown, redraw), which),
            holder, details,
            note("Rates are what the run's counters say over the time in which programs ran. "
                + "Below half of its nearest roof, a run is limited by something else; the table says by what."),
            roofline.notes.map((text) => note(text)),
            gridloom.path.fold(roofline.machines, roofline.unit));
    };

    const boundTable = (roofline) => table(["Run", "Rate", "Nearest roof", "Allows", "Reached", "What limits"],
        roofline.machines.filter((machine) => machine.isRun).map((machine) => [
            `${machine.letter}  ${machine.name}, ${machine.detail}`,
            scaled(machine.rate, roofline.unit),
            machine.bound ? `${machine.bound} (${machine.bound_kind})` : "no roof is known",
            isNumber(machine.attainable) ? scaled(machine.attainable, roofline.unit) : "\u2013",
            isNumber(machine.percent) ? percent(machine.percent / 100) : "\u2013",
            make("div", { class: "limit" }, machine.limit || "\u2013")]),
        { class: "figures bounds" });

    /** Roofs of a result in its own units, and those that its chip has beside them. */
    const columnsOf = (runs, roofline) => {
        const own = (run) => (Array.isArray(run.result.roofs) ? run.result.roofs : [])
            .filter((roof) => roof && isNumber(roof.value) && roof.value > 0)
            .map((roof) => ({ ...roof, unit: UNITS[roof.unit] || ` ${roof.unit}` }));
        const more = (machine, known) => machine.roofs
            .filter((roof) => !known.some((one) => one.name === roof.name))
            .map((roof) => ({ ...roof, unit: roof.is_peak ? roofline.unit : roofline.bytes }));
        const columns = roofline.unit === "FLOP/s" ? runs.map((run) => {
            const machine = roofline.machines.find((one) => one.of === run);
            const known = machine && machine.key ? [] : own(run);
            return { letter: run.letter, isRun: true,
                roofs: machine ? [...known, ...more(machine, known)] : known };
        }) : [];
        roofline.machines.filter((machine) => roofline.unit !== "FLOP/s" || !machine.of)
            .filter((machine) => machine.isRun || !roofline.machines.some((one) =>
                one.isRun && one.chip === machine.chip))
            .forEach((machine) => columns.push({ letter: machine.letter || machine.chip,
                isRun: machine.isRun, roofs: more(machine, []) }));
        return columns.filter((column) => column.roofs.length);
    };

    /** One limit where all have the same, else that of each. */
    const limits = (columns, text) => (new Set(columns.map(text)).size === 1 ? text(columns[0])
        : [...d3.group(columns, text)].map(([limit, having]) =>
            make("div", {}, `${having.map((column) => column.letter).join(", ")}: ${limit}`)));

    const roofTable = (columns) => {
        const names = [...new Set(columns.flatMap((column) => column.roofs.map((roof) => roof.name)))];
        const find = (column, name) => column.roofs.find((roof) => roof.name === name);
        const ofRuns = columns.filter((column) => column.isRun);
        return table(["Roof", "Limit", ...ofRuns.map((column) => (columns.length > 1
            ? `Achieved, ${column.letter}` : "Achieved")), "Source"],
        names.map((name) => {
            const having = columns.filter((column) => find(column, name));
            return [name, limits(having, (column) =>
                scaled(find(column, name).value, find(column, name).unit)), ...ofRuns.map((column) => {
                const roof = find(column, name);
                return roof && isNumber(roof.achieved)
                    ? [scaled(roof.achieved, roof.unit), make("span", { class: "ratio" },
                        percent(isNumber(roof.percent) ? roof.percent / 100 : roof.achieved / roof.value))]
                    : "\u2013";
            }), make("span", { class: "muted source" }, String(find(having[0], name).source || ""))];
        }), { class: "figures" });
    };

    const build = (runs, data) => {
        const roofline = read(runs, data);
        const columns = columnsOf(runs, roofline);
        if (!columns.length) return null;
        const groups = groupsOf(roofline.machines);
        const hasPoints = drawnOf(groups, true).some((group) => pointsOf(group).length);
        return section("roofline", "Roofline",
            hasPoints ? chartOf(groups, roofline)
                : note("No point: the run counted no operations, or moved no bytes."),
            roofline.machines.some((machine) => machine.isRun)
                && make("div", { class: "panel" }, boundTable(roofline)),
            make("div", { class: "panel" }, roofTable(columns)));
    };

    /** Whether the page is about it. */
    const isFirst = (data) => Boolean(data.roofline && data.roofline.is_first);

    return { build, isFirst };
})();
