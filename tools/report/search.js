// Finds events of a trace by their name.
"use strict";

gridloom.search = (() => {
    /** {shapes: which match, hits: events by time}, or null for no text. */
    const find = (trace, text) => {
        const wanted = text.trim().toLowerCase();
        if (!wanted) return null;
        const spaced = (name) => gridloom.units.spaced(name.toLowerCase());
        const shapes = Uint8Array.from(trace.shapes, (shape) =>
            (shape.name.toLowerCase().includes(wanted) || spaced(shape.name).includes(wanted) ? 1 : 0));
        const hits = [];
        ["slices", "marks"].forEach((events) => {
            const { shape, count, begin } = trace[events];
            for (let index = 0; index < count; index++) {
                if (shapes[shape[index]]) hits.push({ events, index, begin: begin[index] });
            }
        });
        hits.sort((a, b) => a.begin - b.begin);
        return { shapes, hits };
    };

    /** The first lane whose name has the text in it. */
    const findLane = (trace, text) => {
        const wanted = text.trim().toLowerCase();
        return trace.lanes.find((lane) => lane.name.toLowerCase().includes(wanted)) || null;
    };

    return { find, findLane };
})();
