// A trace, from the numbers that traces/report/report.c packs: lanes with rows of events by time.
"use strict";

gridloom.trace = (() => {
    /** Numbers of 7 bits a byte, lowest first. */
    class Bytes {
        constructor(text) {
            const raw = atob(text);
            this.bytes = new Uint8Array(raw.length);
            for (let i = 0; i < raw.length; i++) this.bytes[i] = raw.charCodeAt(i);
            this.place = 0;
        }

        get isOver() {
            return this.place >= this.bytes.length;
        }

        next() {
            let value = 0;
            let factor = 1;
            let byte;
            do {
                byte = this.bytes[this.place++];
                value += (byte & 127) * factor;
                factor *= 128;
            } while (byte & 128);
            return value;
        }

        signed() {
            const value = this.next();
            return value % 2 ? -(value + 1) / 2 : value / 2;
        }
    }

    /** Slices, or stalls and marks: arrays of the same length. */
    const readEvents = (text, trace) => {
        const bytes = new Bytes(text);
        const begin = [];
        const end = [];
        const shape = [];
        const lane = [];
        const first = []; // its first argument
        const values = [];
        for (let i = 0; i < trace.lanes.length; i++) {
            let time = trace.begin;
            for (let left = bytes.next(); left > 0; left--) {
                time += bytes.next();
                begin.push(time);
                end.push(time + bytes.next());
                const which = bytes.next();
                shape.push(which);
                lane.push(i);
                first.push(values.length);
                for (let a = trace.shapes[which].names.length; a > 0; a--) {
                    values.push(bytes.signed());
                }
            }
        }
        return {
            count: begin.length,
            begin: Float64Array.from(begin),
            end: Float64Array.from(end),
            shape: Uint32Array.from(shape),
            lane: Uint32Array.from(lane),
            first,
            values,
        };
    };

    /** Of each lane a row for each depth, and one each of stalls and marks: by time. */
    const makeRows = (trace) => {
        const { slices, marks } = trace;
        trace.lanes.forEach((lane) => Object.assign(lane, { depths: [], stalls: [], marks: [] }));
        for (let i = 0; i < slices.count; i++) {
            const lane = trace.lanes[slices.lane[i]];
            const depth = trace.shapes[slices.shape[i]].more;
            while (lane.depths.length <= depth) lane.depths.push([]);
            lane.depths[depth].push(i);
        }
        for (let i = 0; i < marks.count; i++) {
            const lane = trace.lanes[marks.lane[i]];
            (trace.shapes[marks.shape[i]].more ? lane.stalls : lane.marks).push(i);
        }
        trace.lanes.forEach((lane) => {
            lane.depths = lane.depths.map((row) => Uint32Array.from(row));
            lane.stalls = Uint32Array.from(lane.stalls);
            lane.marks = Uint32Array.from(lane.marks);
        });
    };

    const readSamples = (text, trace) => {
        const bytes = new Bytes(text);
        trace.counters.forEach((counter) => {
            const count = bytes.next();
            let time = trace.begin;
            counter.at = new Float64Array(count);
            counter.value = new Float64Array(count);
            counter.most = 0;
            for (let i = 0; i < count; i++) {
                time += bytes.next();
                counter.at[i] = time;
                counter.value[i] = bytes.signed();
                counter.most = Math.max(counter.most, counter.value[i]);
            }
            if (count) trace.lanes[counter.lane].counters.push(counter);
        });
    };

    /** By end, which is 2 * number, and 1 more for a mark: the ends that it is tied to. */
    const readFlows = (text) => {
        const bytes = new Bytes(text);
        const from = new Map();
        const to = new Map();
        const put = (map, key, value) => {
            if (!map.has(key)) map.set(key, []);
            map.get(key).push(value);
        };
        let count = 0;
        while (!bytes.isOver) {
            const begin = bytes.next();
            const end = bytes.next();
            put(from, begin, end);
            put(to, end, begin);
            count++;
        }
        return { count, from, to };
    };

    const readHeat = (text, lanes, bins, name) => {
        const bytes = new Bytes(text);
        lanes.forEach((lane) => {
            const cells = new Uint8Array(bins);
            for (let bin = 0; bin < bins;) {
                const value = bytes.bytes[bytes.place++];
                if (value === 0) bin += bytes.next();
                else cells[bin++] = value;
            }
            lane[name] = cells;
        });
    };

    const read = (packed) => {
        const text = (index) => packed.strings[index];
        const trace = {
            begin: packed.begin,
            end: Math.max(packed.end, packed.begin + 1),
            hz: packed.clock_hz > 0 ? packed.clock_hz : null,
            warning: packed.warning || null,
            shown: packed.shown,
            bins: packed.heat.bins,
            busyFrom: packed.heat.begin,
            busyTo: Math.max(packed.heat.end, packed.heat.begin + 1),
            shapes: packed.shapes.map(([name, more, ...names]) =>
                ({ name: text(name), more, names: names.map(text) })),
            places: packed.places.map(([name, kind, ...place], index) => ({
                index,
                name: text(name),
                kind: text(kind),
                box: place.length ? place : null,
                lanes: [],
            })),
        };
        trace.lanes = packed.lanes.map(([unit, place], index) => {
            const owner = trace.places[place];
            const lane = { index, unit: text(unit), place: owner, counters: [] };
            lane.name = lane.unit ? `${owner.name}.${lane.unit}` : owner.name;
            owner.lanes.push(lane);
            return lane;
        });
        trace.counters = packed.counters.map(([name, unit, lane]) =>
            ({ name: text(name), unit: text(unit), lane }));
        trace.slices = readEvents(packed.slices, trace);
        trace.marks = readEvents(packed.marks, trace);
        makeRows(trace);
        readSamples(packed.samples, trace);
        trace.flows = readFlows(packed.flows);
        readHeat(packed.heat.busy, trace.lanes, trace.bins, "busy");
        readHeat(packed.heat.stalled, trace.lanes, trace.bins, "stalled");
        return trace;
    };

    /** Name and arguments of an event. */
    const describe = (trace, events, index) => {
        const shape = trace.shapes[events.shape[index]];
        return {
            name: shape.name,
            more: shape.more,
            lane: trace.lanes[events.lane[index]],
            begin: events.begin[index],
            end: events.end[index],
            values: shape.names.map((name, i) => [name, events.values[events.first[index] + i]]),
        };
    };

    /** When a bin of heat begins. */
    const binTime = (trace, bin) =>
        trace.busyFrom + (bin / trace.bins) * (trace.busyTo - trace.busyFrom);

    /** Which one a time is in; it may lie outside of them. */
    const binAt = (trace, time) =>
        Math.floor(((time - trace.busyFrom) / (trace.busyTo - trace.busyFrom)) * trace.bins);

    /** Seconds of so many cycles, or null where the clock is not known. */
    const seconds = (trace, cycles) => (trace.hz ? cycles / trace.hz : null);

    return { read, describe, seconds, binTime, binAt };
})();
