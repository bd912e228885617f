// The links of a result without a trace, in the shape that maps draw.
"use strict";

gridloom.links = (() => {
    const { isNumber } = gridloom.number;

    const isLink = (link) => link && Array.isArray(link.from) && link.from.every(isNumber)
        && typeof link.direction === "string" && isNumber(link.utilisation);

    const cells = (values) => Uint8Array.from(values, (value) => Math.min(255, Math.round(255 * value)));

    /** As places with lanes that were so busy in each window; null where there are none. */
    const read = (run) => {
        const links = Array.isArray(run.metrics.links) ? run.metrics.links.filter(isLink) : [];
        const windows = Array.isArray(run.metrics.windows) ? run.metrics.windows : [];
        if (!links.length) return null;
        const isTimed = windows.length > 0 && links.every((link) => Array.isArray(link.windows)
            && link.windows.length === windows.length);
        const bins = isTimed ? windows.length : 1;
        const places = new Map();
        links.forEach((link) => {
            const [x, y] = link.from;
            const kind = `noc${link.noc || 0}`;
            const name = `${kind}[${x},${y}]`;
            if (!places.has(name)) places.set(name, { name, kind, box: [x, y, x, y], lanes: [] });
            places.get(name).lanes.push({ unit: link.direction,
                busy: cells(isTimed ? link.windows : [link.utilisation]),
                stalled: new Uint8Array(bins) });
        });
        return {
            bins,
            hz: null,
            places: [...places.values()],
            busyFrom: isTimed ? windows[0].start : 0,
            busyTo: isTimed ? windows[windows.length - 1].end : run.result.cycles || 1,
        };
    };

    return { read };
})();
