// The timeline: what each lane did when, to zoom into, search and point at.
"use strict";

gridloom.timeline = (() => {
    const { make, section, note } = gridloom.element;
    const { count } = gridloom.number;
    const AXIS = 40;
    const TALLEST = 560;
    const UNITS = [[1, "s"], [1e-3, "ms"], [1e-6, "\u00b5s"], [1e-9, "ns"]];

    class Timeline {
        constructor(run) {
            this.run = run;
            this.isCycles = !run.trace.hz;
            this.build();
            this.setTrace(run);
            new ResizeObserver(() => this.resize()).observe(this.stage);
            gridloom.theme.onChange(() => this.resize(true));
        }

        // ---- what there is on the page

        build() {
            const button = (text, label, act) => make("button", { type: "button", title: label,
                "aria-label": label, onclick: act }, text);
            this.input = make("input", {
                type: "search",
                placeholder: "Search operations",
                "aria-label": "Search the timeline",
                oninput: () => this.search(this.input.value),
                onkeydown: (event) => {
                    if (event.key === "Enter") {
                        event.preventDefault();
                        this.step(event.shiftKey ? -1 : 1);
                    }
                },
            });
            this.found = make("span", { class: "muted found", role: "status" });
            this.unitButton = button("cycles", "Switch between time and cycles", () => {
                this.isCycles = !this.isCycles;
                this.draw();
            });
            this.toolbar = make("div", { class: "tools" }, this.input,
                button("\u2039", "Previous match", () => this.step(-1)),
                button("\u203a", "Next match", () => this.step(1)), this.found,
                make("span", { class: "gap" }),
                button("\u2212", "Zoom out", () => this.zoomBy(0.5)),
                button("+", "Zoom in", () => this.zoomBy(2)),
                button("Fit", "Show all that happens", () => this.zoomTo(...this.home)),
                button("Whole run", "Show the whole run", () => this.zoomTo(this.trace.begin, this.trace.end)),
                button("Fold", "Fold all places", () => this.fold(false)),
                button("Unfold", "Unfold all places", () => this.fold(true)),
                this.unitButton);
            this.overviewBox = make("div", { class: "overview-box" });
            this.overview = new gridloom.overview.Overview(this.overviewBox,
                (from, to) => this.zoomTo(from, to));
            this.canvas = make("canvas", { role: "img",
                "aria-label": "Timeline of lanes; arrow keys or W, A, S, D move and zoom" });
            this.labels = make("div", { class: "labels" });
            this.spacer = make("div", { class: "spacer" }, this.canvas);
            this.lanes = make("div", { class: "lanes", tabindex: "0", role: "group",
                "aria-label": "Timeline" }, this.labels, this.spacer);
            this.tip = make("div", { class: "tip", role: "tooltip", hidden: true });
            this.stage = make("div", { class: "stage" }, this.lanes, this.tip);
            this.axis = d3.select(this.stage).insert("svg", ":first-child")
                .attr("class", "time-axis").attr("height", AXIS);
            this.overlay = d3.select(this.stage).append("svg").attr("class", "pointed");
            this.detail = make("div", { class: "details", "aria-live": "polite" });
            this.context = this.canvas.getContext("2d");
            this.zoom = d3.zoom().on("zoom", () => this.zoomed());
            this.zoom.filter((given) => {
                const event = given && given.type ? given : d3.event;
                return event.type === "wheel" ? event.ctrlKey || event.metaKey || event.altKey
                    : !event.button;
            });
            d3.select(this.canvas).call(this.zoom);
            this.listen();
        }

        listen() {
            this.lanes.addEventListener("scroll", () => this.draw());
            this.canvas.addEventListener("pointermove", (event) => {
                if (event.buttons === 1 && event.pointerType === "mouse") {
                    this.lanes.scrollTop -= event.movementY;
                }
                this.point(event.offsetX, event.offsetY);
            });
            this.canvas.addEventListener("pointerleave", () => this.point(null));
            this.canvas.addEventListener("click", (event) => {
                const hit = this.hit(event.offsetX, event.offsetY);
                this.select(hit && hit.events ? hit : null);
            });
            this.lanes.addEventListener("keydown", (event) => this.key(event));
            this.stage.addEventListener("wheel", (event) => {
                if (event.shiftKey && !event.ctrlKey) {
                    event.preventDefault();
                    this.moveBy((event.deltaY || event.deltaX) / this.width);
                }
            }, { passive: false });
        }

        setTrace(run) {
            this.run = run;
            this.trace = run.trace;
            this.rows = new gridloom.rows.Rows(this.trace);
            this.isCycles = this.isCycles || !this.trace.hz;
            this.unitButton.hidden = !this.trace.hz;
            this.matches = null;
            this.selected = null;
            this.pointer = null;
            const spare = (this.trace.busyTo - this.trace.busyFrom) / 100;
            this.home = [Math.max(this.trace.begin, this.trace.busyFrom - spare),
                Math.min(this.trace.end, this.trace.busyTo + spare)];
            [this.from, this.to] = this.home;
            this.detail.replaceChildren();
            this.width = 0;
            this.lanes.scrollTop = 0;
            if (this.input.value) this.search(this.input.value);
            this.resize(true);
        }

        // ---- sizes and zoom

        resize(isForced) {
            const whole = this.stage.clientWidth;
            const gutter = whole < 620 ? 104 : 178;
            const width = whole - gutter - this.scrollbar();
            if (!whole || (!isForced && width === this.width)) return;
            this.gutter = gutter;
            this.width = width;
            this.arrange();
            this.base = d3.scaleLinear([this.trace.begin, this.trace.end], [0, width]);
            const longest = (this.trace.end - this.trace.begin) / 8; // of the deepest zoom, cycles
            this.zoom.extent([[0, 0], [width, this.height]]).scaleExtent([1, Math.max(longest, 1)])
                .translateExtent([[0, -Infinity], [width, Infinity]]);
            this.colours = Object.fromEntries(["line", "band", "text", "surface", "busy", "stalled"]
                .map((name) => [name, gridloom.theme.colour(name)]));
            this.overview.draw(this.trace, this.rows, gutter, width, this.home);
            this.zoomTo(this.from, this.to);
        }

        scrollbar() {
            return this.lanes.offsetWidth - this.lanes.clientWidth;
        }

        arrange() {
            const ratio = window.devicePixelRatio || 1;
            this.height = Math.max(80, Math.min(TALLEST, this.rows.height));
            this.lanes.style.height = `${this.height}px`;
            this.labels.style.width = `${this.gutter}px`;
            this.labels.style.height = `${this.rows.height}px`;
            this.spacer.style.height = `${this.rows.height}px`;
            this.spacer.style.marginLeft = `${this.gutter}px`;
            this.canvas.width = Math.round(this.width * ratio);
            this.canvas.height = Math.round(this.height * ratio);
            this.canvas.style.width = `${this.width}px`;
            this.canvas.style.height = `${this.height}px`;
            this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
            this.axis.attr("width", this.gutter + this.width);
            this.overlay.attr("width", this.width).attr("height", this.height)
                .style("left", `${this.gutter}px`).style("top", `${AXIS}px`);
        }

        zoomed() {
            const view = d3.zoomTransform(this.canvas).rescaleX(this.base).domain();
            [this.from, this.to] = view;
            this.overview.mark(this.from, this.to);
            this.draw();
        }

        /** Shows from one time to another. */
        zoomTo(from, to) {
            const whole = this.trace.end - this.trace.begin;
            const [, deepest] = this.zoom.scaleExtent();
            const span = Math.min(whole, Math.max(to - from, whole / deepest));
            const middle = (from + to) / 2;
            const begin = Math.max(this.trace.begin, Math.min(this.trace.end - span, middle - span / 2));
            const scale = whole / span;
            d3.select(this.canvas).call(this.zoom.transform,
                d3.zoomIdentity.scale(scale).translate(-this.base(begin), 0));
        }

        zoomBy(factor) {
            const middle = this.pointer ? this.time(this.pointer[0]) : (this.from + this.to) / 2;
            const part = (middle - this.from) / (this.to - this.from);
            const span = (this.to - this.from) / factor;
            this.zoomTo(middle - part * span, middle + (1 - part) * span);
        }

        moveBy(part) {
            const step = part * (this.to - this.from);
            this.zoomTo(this.from + step, this.to + step);
        }

        key(event) {
            const acts = {
                w: () => this.zoomBy(1.5), "+": () => this.zoomBy(1.5), "=": () => this.zoomBy(1.5),
                s: () => this.zoomBy(1 / 1.5), "-": () => this.zoomBy(1 / 1.5),
                a: () => this.moveBy(-0.15), ArrowLeft: () => this.moveBy(-0.15),
                d: () => this.moveBy(0.15), ArrowRight: () => this.moveBy(0.15),
                0: () => this.zoomTo(...this.home),
                n: () => this.step(1), N: () => this.step(-1),
                "/": () => this.input.focus(),
                Escape: () => this.select(null),
            };
            if (acts[event.key] && !event.ctrlKey && !event.metaKey
                && !event.target.closest("input")) {
                event.preventDefault();
                acts[event.key]();
            }
        }

        toggle(row) {
            this.rows.toggle(row);
            this.arrange();
            this.draw();
        }

        fold(isOpen) {
            this.rows.setAll(isOpen);
            this.arrange();
            this.draw();
        }

        // ---- drawing

        /** Draws all of it; gives back how long that took, in ms. */
        draw() {
            const began = performance.now();
            if (!this.width) return 0;
            this.drawAxis();
            this.painted = gridloom.painter.paint(this.context, {
                trace: this.trace,
                rows: this.rows,
                top: this.lanes.scrollTop,
                width: this.width,
                height: this.height,
                from: this.from,
                to: this.to,
                ticks: this.ticks,
                colours: this.colours,
                matches: this.matches ? this.matches.shapes : null,
            });
            this.drawLabels();
            gridloom.overlay.draw(this);
            return performance.now() - began;
        }

        drawAxis() {
            const span = gridloom.trace.seconds(this.trace, this.to - this.from);
            const [factor, unit] = this.isCycles ? [null, "cycles"]
                : UNITS.find(([one]) => span >= one * 1.5) || UNITS[UNITS.length - 1];
            const perCycle = this.isCycles ? 1 : 1 / this.trace.hz / factor;
            const scale = d3.scaleLinear([this.from * perCycle, this.to * perCycle], [0, this.width]);
            const few = Math.max(2, Math.round(this.width / 130));
            const digits = Math.max(0, Math.ceil(-Math.log10((scale.domain()[1] - scale.domain()[0]) / few)));
            this.ticks = scale.ticks(few).map((tick) => tick / perCycle);
            this.axis.selectAll("*").remove();
            this.axis.append("g").attr("class", "axis")
                .attr("transform", `translate(${this.gutter},${AXIS - 1})`)
                .call(d3.axisTop(scale).ticks(few, `,.${Math.min(digits, 9)}f`).tickSizeOuter(0));
            this.axis.append("text").attr("class", "axis-label").attr("x", 4).attr("y", AXIS - 10)
                .text(this.isCycles ? "time in cycles" : `time in ${unit}`);
            this.unitButton.textContent = this.isCycles ? "time" : "cycles";
        }

        drawLabels() {
            const top = this.lanes.scrollTop;
            const key = `${top} ${this.height} ${this.gutter}`;
            if (this.labelled === this.rows.list && this.labelledAt === key) return;
            this.labelled = this.rows.list;
            this.labelledAt = key;
            this.labels.replaceChildren(...this.rows.between(top - 100, top + this.height + 100)
                .map((row) => {
                    const style = { top: `${row.y}px`, height: `${row.height}px` };
                    if (row.type === "lane" || row.type === "counter") {
                        const text = row.type === "counter" && row.of.unit
                            ? `${row.label}, ${row.of.unit}` : row.label;
                        const most = row.type === "counter" ? ` \u2264\u2009${count(row.of.most)}` : "";
                        return make("div", { class: `label ${row.type}`, style, title: text + most,
                            "data-lane": row.type === "lane" ? row.of.name : null }, text,
                        most && make("span", { class: "muted" }, most));
                    }
                    return make("button", { type: "button", class: `label ${row.type}`, style,
                        "aria-expanded": String(row.isOpen), title: row.label,
                        onclick: () => this.toggle(row) },
                    make("span", { class: "arrow", "aria-hidden": "true" }, row.isOpen ? "\u25be" : "\u25b8"),
                    row.label, row.count !== undefined
                        && make("span", { class: "muted" }, ` \u00d7${count(row.count)}`));
                }));
        }

        x(time) {
            return ((time - this.from) / (this.to - this.from)) * this.width;
        }

        time(x) {
            return this.from + (x / this.width) * (this.to - this.from);
        }

        // ---- pointing at things

        /** What is at a point of the canvas. */
        hit(x, y) {
            const row = this.rows.at(y + this.lanes.scrollTop);
            const time = this.time(x);
            if (!row) return null;
            if (row.type === "lane") {
                const found = this.hitLane(row, time, y + this.lanes.scrollTop - row.y);
                if (found) return found;
            }
            if (row.type === "counter") {
                const place = d3.bisectRight(row.of.at, time) - 1;
                return place < 0 ? null : { row, counter: row.of, value: row.of.value[place] };
            }
            if (row.type === "counters") return null;
            const cut = this.trace.shown.to;
            const isHeat = row.type !== "lane" || !(row.of.depths.length || row.of.stalls.length)
                || (cut !== undefined && time >= cut);
            if (!isHeat) return null;
            const bin = gridloom.trace.binAt(this.trace, time);
            if (bin < 0 || bin >= this.trace.bins) return null;
            const { busy, stalled } = this.rows.heat(row);
            return { row, label: row.type === "lane" ? row.of.name : row.label, busy: busy[bin],
                stalled: stalled[bin], from: Math.round(gridloom.trace.binTime(this.trace, bin)),
                to: Math.round(gridloom.trace.binTime(this.trace, bin + 1)) };
        }

        hitLane(row, time, y) {
            const reach = 3 * ((this.to - this.from) / this.width);
            const { slices, marks } = this.trace;
            const nearest = (events, items, slack) => {
                const place = gridloom.painter.firstAbove(events.end, items, time);
                const candidates = [place - 1, place].filter((i) => i >= 0 && i < items.length);
                const off = (i) => Math.max(events.begin[items[i]] - time, time - events.end[items[i]], 0);
                const best = candidates.sort((a, b) => off(a) - off(b))[0];
                return best !== undefined && off(best) <= slack ? items[best] : null;
            };
            const depth = y < gridloom.rows.HEIGHT.lane ? 0
                : 1 + Math.floor((y - gridloom.rows.HEIGHT.lane) / gridloom.rows.HEIGHT.nested);
            const tries = [["marks", row.of.marks, 2 * reach, marks],
                ["slices", row.of.depths[depth] || [], 0, slices],
                ["marks", row.of.stalls, 0, marks],
                ["slices", row.of.depths[depth] || [], reach, slices]];
            for (const [events, items, slack, from] of tries) {
                const index = items.length ? nearest(from, items, slack) : null;
                if (index !== null) return { row, events, index };
            }
            return null;
        }

        point(x, y) {
            this.pointer = x === null ? null : [x, y];
            this.hovered = x === null ? null : this.hit(x, y);
            gridloom.overlay.draw(this);
            this.tip.hidden = !this.hovered;
            if (this.hovered) {
                this.tip.replaceChildren(...gridloom.details.ofHit(this.trace, this.hovered));
                const left = this.gutter + x + 14;
                const isTight = left + this.tip.offsetWidth > this.stage.clientWidth;
                this.tip.style.left = `${Math.max(0, isTight
                    ? Math.min(left - 28 - this.tip.offsetWidth, this.stage.clientWidth - this.tip.offsetWidth)
                    : left)}px`;
                const isLow = AXIS + y + 24 + this.tip.offsetHeight > this.stage.clientHeight;
                this.tip.style.top = `${Math.max(0, isLow ? AXIS + y - 12 - this.tip.offsetHeight
                    : AXIS + y + 16)}px`;
            }
        }

        select(hit) {
            this.selected = hit;
            this.detail.replaceChildren(...(hit
                ? gridloom.details.panel(this.trace, hit, (other) => this.jump(other)) : [])
                .filter(Boolean));
            gridloom.overlay.draw(this);
        }

        /** Shows an event with some time around it, and selects it. */
        jump(hit) {
            const events = this.trace[hit.events];
            const begin = events.begin[hit.index];
            const end = events.end[hit.index];
            const lane = this.trace.lanes[events.lane[hit.index]];
            const span = Math.min(Math.max((end - begin) * 12, (this.to - this.from) / 1.0001 > (end - begin) * 40
                ? (end - begin) * 40 : this.to - this.from, 60), this.trace.end - this.trace.begin);
            this.rows.show(lane);
            this.arrange();
            this.scrollTo(lane);
            this.zoomTo((begin + end) / 2 - span / 2, (begin + end) / 2 + span / 2);
            this.select({ ...hit, row: this.rows.byLane.get(lane) });
        }

        scrollTo(lane) {
            const row = this.rows.byLane.get(lane);
            const top = this.lanes.scrollTop;
            if (row.y < top || row.y + row.height > top + this.height) {
                this.lanes.scrollTop = row.y - this.height / 2;
            }
        }

        // ---- search

        search(text) {
            this.matches = gridloom.search.find(this.trace, text);
            this.match = -1;
            this.found.textContent = !this.matches ? ""
                : this.matches.hits.length ? `${count(this.matches.hits.length)} found` : "none found";
            if (this.matches && !this.matches.hits.length) {
                const lane = gridloom.search.findLane(this.trace, text);
                this.matches = null;
                if (lane) {
                    this.rows.show(lane);
                    this.arrange();
                    this.scrollTo(lane);
                    this.found.textContent = lane.name;
                }
            }
            this.draw();
        }

        step(by) {
            const hits = this.matches ? this.matches.hits : [];
            if (!hits.length) return;
            if (this.match < 0) { // from what is shown on
                const next = hits.findIndex((hit) => hit.begin >= this.from);
                this.match = next < 0 ? 0 : next;
            } else {
                this.match = (this.match + by + hits.length) % hits.length;
            }
            this.found.textContent = `${count(this.match + 1)} of ${count(hits.length)}`;
            this.jump(hits[this.match]);
        }

        // ---- what lies over the canvas

        box(hit) {
            const events = this.trace[hit.events];
            const lane = this.trace.lanes[events.lane[hit.index]];
            const row = this.rows.byLane.get(lane);
            const depth = hit.events === "slices"
                ? this.trace.shapes[events.shape[hit.index]].more : 0;
            const isLane = row.type === "lane";
            const { lane: high, nested } = gridloom.rows.HEIGHT;
            return {
                left: this.x(events.begin[hit.index]),
                right: this.x(events.end[hit.index]),
                top: row.y - this.lanes.scrollTop + (isLane && depth ? high + (depth - 1) * nested : 2),
                height: isLane ? (depth ? nested - 2 : high - 4) : row.height - 4,
            };
        }
    }

    const shownText = (trace) => {
        const { shown, slices, marks } = trace;
        if (shown.to === undefined && shown.edge === undefined) {
            return `${count(shown.slices)} slices and ${count(shown.marks)} waits and marks.`;
        }
        const some = `${count(slices.count)} of ${count(shown.slices)} slices and ${count(marks.count)} of `
            + `${count(shown.marks)} waits and marks fit on this page: `;
        return shown.edge === undefined
            ? `${some}those that begin before cycle ${count(shown.to)}. From there on lanes show how busy they were.`
            : `${some}those of places with x and y below ${count(shown.edge)}. Other lanes show how busy they were.`;
    };

    const build = (runs) => {
        const traced = runs.filter((run) => run.trace);
        if (!traced.length) {
            return section("timeline", "Timeline",
                note("No trace was given, so there is no timeline: run with --trace FILE.pftrace or --out DIR, and report that."));
        }
        const view = new Timeline(traced[0]);
        const about = note(shownText(view.trace));
        gridloom.timeline.view = view;
        return section("timeline", "Timeline", make("div", { class: "panel timeline" },
            make("div", { class: "tools" }, gridloom.runs.chooser(traced, traced[0], (run) => {
                view.setTrace(run);
                about.textContent = shownText(view.trace);
            })),
            view.toolbar, view.overviewBox, view.stage, view.detail, about,
            note(make("span", { class: "screen-only" }, "Drag to move, Ctrl and wheel to zoom, click to select and see flows. "
                + "Keys: W S zoom, A D move, N next match, / search, 0 all. "),
            "Stripes are waits, with their reason; diamonds are arrivals.")));
    };

    return { build, view: null };
})();
