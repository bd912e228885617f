// The chip from above: how busy each place was, and each link, at a time.
"use strict";

gridloom.map = (() => {
    const { make, section, note, select } = gridloom.element;
    const { percent, seconds, count } = gridloom.number;
    const STEPS = { east: [1, 0], west: [-1, 0], south: [0, 1], north: [0, -1] };

    /** Kinds of places with coordinates: {kind, places, columns, rows, quantities, links}. */
    const gridsOf = (trace) => {
        const kinds = d3.group(trace.places.filter((place) => place.box), (place) => place.kind);
        return [...kinds].map(([kind, places]) => {
            const units = [...new Set(places.flatMap((place) => place.lanes.filter(gridloom.rows.isUnit)
                .map((lane) => lane.unit)))];
            const plainUnits = units.filter((unit) => !(unit in STEPS));
            const has = (unit, name) => places.some((place) => place.lanes.some((lane) =>
                lane.unit === unit && lane[name].some((cell) => cell > 0)));
            const active = plainUnits.filter((unit) => has(unit, "busy"));
            const isLinked = units.some((unit) => unit in STEPS);
            const quantities = [];
            const stalled = plainUnits.filter((unit) => has(unit, "stalled"));
            if (isLinked && !active.length) {
                quantities.push({ name: "links, busy", units: units.filter((u) => u in STEPS), of: "busy" });
            }
            active.sort((a, b) => (b === "ce") - (a === "ce"));
            active.forEach((unit) => quantities.push({ name: `${unit || kind}, busy`, units: [unit], of: "busy" }));
            if (active.length > 1) {
                const all = { name: "all units, busy", units: active, of: "busy" };
                if (active[0] === "ce") quantities.push(all);
                else quantities.unshift(all);
            }
            stalled.forEach((unit) => quantities.push({ name: `${unit || kind}, waiting`, units: [unit], of: "stalled" }));
            return { kind, places, quantities, isLinked,
                columns: d3.max(places, (place) => place.box[2]) + 1,
                rows: d3.max(places, (place) => place.box[3]) + 1 };
        }).filter((grid) => grid.quantities.length);
    };

    /** The mean of lanes in a bin, of 1; of all bins for null. */
    const meanOf = (lanes, name, bin) => {
        if (!lanes.length) return 0;
        const sum = d3.sum(lanes, (lane) => (bin === null ? d3.mean(lane[name]) : lane[name][bin]));
        return sum / 255 / lanes.length;
    };

    class ChipMap {
        constructor(run, runs) {
            this.run = run;
            this.trace = run.trace || gridloom.links.read(run);
            this.grids = gridsOf(this.trace);
            this.canvas = make("canvas", { role: "img", "aria-label": "Map of the chip" });
            this.tip = make("div", { class: "tip", hidden: true });
            this.lack = note("");
            this.box = make("div", { class: "map" }, gridloom.runs.head(runs, run), this.lack,
                make("div", { class: "map-canvas" }, this.canvas, this.tip));
            this.canvas.addEventListener("pointermove", (event) => this.point(event.offsetX, event.offsetY));
            this.canvas.addEventListener("pointerleave", () => {
                this.tip.hidden = true;
            });
            new ResizeObserver(() => this.draw()).observe(this.box);
        }

        set(kind, quantity) {
            this.grid = this.grids.find((grid) => grid.kind === kind);
            this.quantity = this.grid
                && (this.grid.quantities.find((one) => one.name === quantity) || this.grid.quantities[0]);
            this.canvas.hidden = !this.grid;
            this.lack.textContent = this.grid ? "" : `It has no ${kind}: choose ${
                this.grids.map((grid) => grid.kind).join(" or ")} above.`;
            if (!this.grid) return;
            this.cells = this.grid.places.map((place) => ({
                place,
                lanes: place.lanes.filter((lane) => this.quantity.units.includes(lane.unit)),
            }));
            this.links = this.grid.isLinked ? this.grid.places.flatMap((place) => place.lanes
                .filter((lane) => lane.unit in STEPS).map((lane) => ({ place, lane, step: STEPS[lane.unit] }))) : [];
        }

        /** The highest values of places and links: at any time, and of all the time. */
        most() {
            if (!this.grid) return { cells: [0, 0], links: [0, 0] };
            const bins = d3.range(this.trace.bins);
            const highest = (things, value) => [
                d3.max(things, (thing) => d3.max(bins, (bin) => value(thing, bin))) || 0,
                d3.max(things, (thing) => value(thing, null)) || 0];
            return {
                cells: highest(this.cells, (cell, bin) => meanOf(cell.lanes, this.quantity.of, bin)),
                links: highest(this.links, (link, bin) => meanOf([link.lane], "busy", bin)),
            };
        }

        /** `most` has what the strongest colours of cells and links stand for. */
        draw(bin = this.bin, most = this.scale) {
            const ratio = window.devicePixelRatio || 1;
            const room = this.canvas.parentNode.clientWidth;
            this.bin = bin;
            this.scale = most;
            if (!room || !this.grid || !most) return;
            const { columns, rows } = this.grid;
            const size = Math.max(2, Math.min(Math.floor((room - 44) / columns), 84, Math.floor(520 / rows)));
            const left = 28;
            const top = 20;
            const width = left + size * columns + 14;
            const height = top + size * rows + 10;
            const context = this.canvas.getContext("2d");
            this.canvas.width = width * ratio;
            this.canvas.height = height * ratio;
            this.canvas.style.width = `${width}px`;
            this.canvas.style.height = `${height}px`;
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            this.geometry = { size, left, top };
            const gap = this.links.length ? size * 0.2 : size > 8 ? 1.5 : size > 4 ? 0.5 : 0;
            // Places that did nothing may not be in the trace.
            context.fillStyle = gridloom.theme.colour("band");
            for (let i = 0; i < columns * rows && columns * rows <= 4096; i++) {
                context.fillRect(left + (i % columns) * size + gap,
                    top + Math.floor(i / columns) * size + gap, size - 2 * gap, size - 2 * gap);
            }
            this.cells.forEach(({ place, lanes }) => {
                const [x, y, lastX, lastY] = place.box;
                const value = meanOf(lanes, this.quantity.of, bin);
                context.fillStyle = gridloom.colour.heat(value / most.cells);
                context.beginPath();
                const [w, h] = [(lastX - x + 1) * size - 2 * gap, (lastY - y + 1) * size - 2 * gap];
                if (size > 12 && context.roundRect) context.roundRect(left + x * size + gap, top + y * size + gap, w, h, 3);
                else context.rect(left + x * size + gap, top + y * size + gap, w, h);
                context.fill();
            });
            this.drawLinks(context, bin, most.links);
            this.drawNumbers(context);
        }

        drawLinks(context, bin, most) {
            const { size, left, top } = this.geometry;
            this.links.forEach(({ place, lane, step }) => {
                const [x, y, lastX, lastY] = place.box;
                const value = meanOf([lane], "busy", bin);
                const [dx, dy] = step;
                // From the edge of its place, on its own side, to the edge of the next.
                const middle = [left + ((x + lastX + 1) / 2) * size, top + ((y + lastY + 1) / 2) * size];
                const wide = [(lastX - x + 1) * size, (lastY - y + 1) * size];
                const side = size * 0.14;
                const from = [middle[0] + dx * (wide[0] / 2 - size * 0.17) - dy * side,
                    middle[1] + dy * (wide[1] / 2 - size * 0.17) + dx * side];
                const to = [from[0] + dx * size * 0.34, from[1] + dy * size * 0.34];
                context.strokeStyle = gridloom.colour.heat(value / most);
                context.lineWidth = Math.max(1, size * 0.17);
                context.beginPath();
                context.moveTo(...from);
                context.lineTo(...to);
                context.stroke();
            });
        }

        drawNumbers(context) {
            const { size, left, top } = this.geometry;
            const { columns, rows } = this.grid;
            const every = Math.ceil(26 / size);
            const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((one) => one >= every) || 1000;
            context.fillStyle = gridloom.theme.colour("muted");
            context.font = "12px system-ui, sans-serif";
            context.textAlign = "center";
            context.textBaseline = "middle";
            for (let x = 0; x < columns; x += step) context.fillText(x, left + (x + 0.5) * size, 9);
            for (let y = 0; y < rows; y += step) context.fillText(y, 13, top + (y + 0.5) * size);
        }

        point(px, py) {
            if (!this.geometry) return;
            const { size, left, top } = this.geometry;
            const [x, y] = [Math.floor((px - left) / size), Math.floor((py - top) / size)];
            const cell = this.cells.find(({ place: { box } }) =>
                x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]);
            this.tip.hidden = !cell;
            if (!cell) return;
            const links = this.links.filter((link) => link.place === cell.place);
            this.tip.replaceChildren(make("div", { class: "tip-name" }, cell.place.name),
                make("dl", {}, make("dt", {}, this.quantity.name),
                    make("dd", {}, percent(meanOf(cell.lanes, this.quantity.of, this.bin))),
                    links.map((link) => [make("dt", {}, link.lane.unit),
                        make("dd", {}, percent(meanOf([link.lane], "busy", this.bin)))])));
            this.tip.style.left = `${Math.max(0, Math.min(px + 14, this.canvas.parentNode.clientWidth - this.tip.offsetWidth))}px`;
            this.tip.style.top = `${py + 16}px`;
        }
    }

    const build = (runs) => {
        const traced = runs.filter((run) => run.trace || gridloom.links.read(run));
        const maps = traced.map((run) => new ChipMap(run, runs)).filter((map) => map.grids.length);
        if (!maps.length) {
            return section("map", "Chip map", note(traced.length
                ? "The trace has no places with coordinates."
                : "No trace was given and the result has no links, so there is no map of the chip."));
        }
        const kinds = [...new Set(maps.flatMap((map) => map.grids.map((grid) => grid.kind)))];
        const bins = maps[0].trace.bins;
        const state = { kind: kinds[0], quantity: null, bin: null, timer: null };
        const quantityBox = make("span", {});
        const when = make("output", { class: "muted when" });
        const legend = make("div", { class: "ramps" });
        const slider = make("input", { type: "range", min: 0, max: bins - 1, value: 0,
            "aria-label": "Time of the map", oninput: () => show(Number(slider.value)) });
        const whole = make("button", { type: "button", "aria-pressed": "true",
            onclick: () => show(null) }, "All the time");
        const play = make("button", { type: "button", onclick: () => toggle() }, "Play");

        const toggle = () => {
            const isPlaying = state.timer !== null;
            clearInterval(state.timer);
            state.timer = isPlaying ? null : setInterval(() => show(((state.bin ?? -1) + 1) % bins, true), 90);
            play.textContent = isPlaying ? "Play" : "Pause";
        };
        const show = (bin, isPlayed) => {
            if (state.timer !== null && !isPlayed) toggle();
            state.bin = bin;
            whole.setAttribute("aria-pressed", String(bin === null));
            if (bin !== null) slider.value = bin;
            const { trace } = maps[0];
            const at = (n) => {
                const cycles = gridloom.trace.binTime(trace, n);
                const time = gridloom.trace.seconds(trace, cycles);
                return time === null ? `${count(cycles)} cycles` : seconds(time);
            };
            when.textContent = bin === null ? `mean of ${at(0)} to ${at(bins)}`
                : maps.length > 1 ? `${percent(bin / bins)} of each run` : `${at(bin)} to ${at(bin + 1)}`;
            drawLegend();
            redraw();
        };
        const scale = () => ({ cells: Math.max(0.001, state.cells[state.bin === null ? 1 : 0]),
            links: Math.max(0.001, state.links[state.bin === null ? 1 : 0]) });
        const redraw = () => {
            maps.forEach((map) => map.draw(
                state.bin === null ? null : Math.floor((state.bin / bins) * map.trace.bins), scale()));
        };
        const choose = (kind, quantity) => {
            state.kind = kind;
            maps.forEach((map) => map.set(kind, quantity));
            const first = maps.find((map) => map.grid);
            const most = maps.map((map) => map.most());
            ["cells", "links"].forEach((what) => {
                state[what] = [0, 1].map((i) => d3.max(most, (one) => one[what][i]));
            });
            state.hasLinks = maps.some((map) => map.links && map.links.length);
            state.hasMeans = maps.some((map) => map.quantity && map.quantity.units.some((unit) => unit in STEPS));
            quantityBox.replaceChildren(select("What the map shows",
                first.grid.quantities.map(({ name }) => [name, name]), first.quantity.name,
                (name) => choose(state.kind, name)));
            show(state.bin);
        };
        const drawLegend = () => {
            const stops = d3.range(0, 1.01, 0.1).map((part) => gridloom.colour.heat(part));
            const { cells, links } = scale();
            const ramp = (name, most) => {
                const bar = make("span", { class: "ramp-bar" });
                bar.style.background = `linear-gradient(90deg, ${stops.join()})`;
                return make("span", { class: "ramp" }, name && make("span", { class: "muted" }, name),
                    make("span", {}, percent(0)), bar, make("span", {}, percent(most)));
            };
            legend.replaceChildren(...(state.hasLinks
                ? [ramp(state.hasMeans ? "places, mean of their links" : "places", cells), ramp("links", links)]
                : [ramp(null, cells)]));
        };
        gridloom.theme.onChange(() => {
            drawLegend();
            redraw();
        });
        choose(kinds[0], null);
        gridloom.map.maps = maps;
        return section("map", "Chip map", make("div", { class: "panel" },
            make("div", { class: "tools shown" },
                kinds.length > 1 && select("Kind of place", kinds.map((kind) => [kind, kind]), kinds[0],
                    (kind) => choose(kind, null)), quantityBox, legend),
            make("div", { class: "tools shown time-tools", hidden: bins === 1 }, whole, play, slider, when),
            make("div", { class: "maps" }, maps.map((map) => map.box)),
            note("Colour is the part of the time that places, and the links that leave them, were in use; the strongest one is that of the busiest. x goes right and y down.")));
    };

    return { build, maps: null };
})();
