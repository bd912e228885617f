// The rows of a timeline: kinds, their places, the lanes and counters of those; folded or not.
"use strict";

gridloom.rows = (() => {
    const HEIGHT = { kind: 28, place: 22, lane: 21, nested: 14, counter: 34 };
    const OPEN_LANES = 26; // so many lanes at the start, about

    const COUNTERS = 4; // more than so many of a lane are folded

    /** Zones and positions of switches are states, and no hardware that is busy. */
    const isUnit = (lane) => !/^(zones|switch)/.test(lane.unit);

    /** Those that say how busy a place is: of a PE the one that issues, else all units. */
    const mainLanes = (place) => {
        const issuing = place.lanes.filter((lane) => lane.unit === "ce");
        return issuing.length ? issuing : place.lanes.filter(isUnit);
    };

    const total = (cells) => cells.reduce((sum, cell) => sum + cell, 0);

    class Rows {
        constructor(trace) {
            const kinds = new Map();
            trace.places.forEach((place) => {
                if (!kinds.has(place.kind)) kinds.set(place.kind, { name: place.kind, places: [] });
                kinds.get(place.kind).places.push(place);
            });
            this.trace = trace;
            this.kinds = [...kinds.values()];
            this.open = new Set();
            this.means = new Map();
            this.openSome();
        }

        /** Whether a place is its only lane, so that there is nothing to fold. */
        static isAlone(place) {
            return place.lanes.length === 1 && !place.lanes[0].unit
                && !place.lanes[0].counters.length;
        }

        /** Kinds with slices, and their first places. */
        openSome() {
            let lanes = 0;
            this.kinds.forEach((kind) => {
                const hasSlices = kind.places.some((place) =>
                    place.lanes.some((lane) => lane.depths.length || lane.stalls.length));
                if (!hasSlices && this.kinds.length > 1) return;
                this.open.add(kind);
                kind.places.forEach((place) => {
                    if (!lanes) place.lanes.forEach((lane) => this.open.add(lane.counters));
                    if (lanes < OPEN_LANES) this.open.add(place);
                    lanes += place.lanes.length;
                });
            });
            this.layout();
        }

        setAll(isOpen) {
            this.kinds.forEach((kind) => {
                if (isOpen) this.open.add(kind);
                kind.places.forEach((place) => {
                    if (isOpen) this.open.add(place);
                    else this.open.delete(place);
                });
            });
            this.layout();
        }

        toggle(row) {
            if (this.open.has(row.of)) this.open.delete(row.of);
            else this.open.add(row.of);
            this.layout();
        }

        /** Unfolds what a lane is in. */
        show(lane) {
            const kind = this.kinds.find((one) => one.name === lane.place.kind);
            if (this.open.has(kind) && this.open.has(lane.place)) return;
            this.open.add(kind);
            this.open.add(lane.place);
            this.layout();
        }

        layout() {
            let y = 0;
            this.list = [];
            this.byLane = new Map();
            const add = (type, of, height, more) => {
                const row = { type, of, y, height, isOpen: this.open.has(of), ...more };
                this.list.push(row);
                y += height;
                return row;
            };
            const addLane = (lane, label) => {
                const depth = Math.max(lane.depths.length, 1);
                const hasEvents = lane.depths.length || lane.stalls.length || lane.marks.length;
                if (hasEvents || !lane.counters.length) {
                    this.byLane.set(lane, add("lane", lane,
                        HEIGHT.lane + (depth - 1) * HEIGHT.nested, { label }));
                }
                const isMany = lane.counters.length > COUNTERS;
                if (isMany) {
                    add("counters", lane.counters, HEIGHT.place,
                        { label: label, count: lane.counters.length });
                    if (!this.open.has(lane.counters)) {
                        if (!this.byLane.has(lane)) this.byLane.set(lane, this.list[this.list.length - 1]);
                        return;
                    }
                }
                lane.counters.forEach((counter) => {
                    const row = add("counter", counter, HEIGHT.counter, { label: counter.name });
                    if (!this.byLane.has(lane)) this.byLane.set(lane, row);
                });
            };
            const addPlace = (place, fold) => {
                if (Rows.isAlone(place)) {
                    addLane(place.lanes[0], place.name);
                    return;
                }
                const row = fold || add("place", place, HEIGHT.place, { label: place.name });
                if (row.isOpen) place.lanes.forEach((lane) => addLane(lane, lane.unit || place.name));
                else place.lanes.forEach((lane) => this.byLane.set(lane, row));
            };
            this.kinds.forEach((kind) => {
                const isBare = kind.places.length === 1 && Rows.isAlone(kind.places[0]);
                if (isBare) {
                    addPlace(kind.places[0]);
                    return;
                }
                const row = add("kind", kind, HEIGHT.kind,
                    { label: kind.name, count: kind.places.length });
                if (row.isOpen) kind.places.forEach((place) => addPlace(place));
                else {
                    kind.places.forEach((place) =>
                        place.lanes.forEach((lane) => this.byLane.set(lane, row)));
                }
            });
            this.height = y;
        }

        /** The row at a height, or null. */
        at(y) {
            const index = d3.bisector((row) => row.y).right(this.list, y) - 1;
            const row = this.list[index];
            return row && y < row.y + row.height ? row : null;
        }

        /** Those between two heights. */
        between(top, bottom) {
            const first = Math.max(0, d3.bisector((row) => row.y).right(this.list, top) - 1);
            const rows = [];
            for (let i = first; i < this.list.length && this.list[i].y < bottom; i++) {
                rows.push(this.list[i]);
            }
            return rows;
        }

        /** How busy and how often waiting the lanes of a row were, of 1, by bin. */
        heat(row) {
            if (!this.means.has(row.of)) {
                const lanes = row.type === "lane" ? [row.of]
                    : (row.type === "kind" ? row.of.places : [row.of])
                        .flatMap(mainLanes)
                        .filter((lane) => total(lane.busy) + total(lane.stalled) > 0);
                const mean = (name) => {
                    const cells = new Float32Array(this.trace.bins);
                    lanes.forEach((lane) => lane[name].forEach((cell, bin) => {
                        cells[bin] += cell / 255 / lanes.length;
                    }));
                    return cells;
                };
                this.means.set(row.of, { busy: mean("busy"), stalled: mean("stalled") });
            }
            return this.means.get(row.of);
        }
    }

    return { Rows, HEIGHT, isUnit };
})();
