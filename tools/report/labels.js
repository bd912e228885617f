// Places for labels of a chart: none on another, few on lines. As traces/picture/roofline/labels.c.
"use strict";

gridloom.labels = (() => {
    const SIDE = 13;
    const STEP = 6;
    const NEAR = 6;
    const CROSSED = 0.5;

    /** Middles of squares of a text that begins at x, y and goes on in a direction. */
    const spots = ({ x, y, angle }, length) => d3.range(0, length + 0.1, STEP).map((along) => ({
        x: x + along * Math.cos(angle) + (SIDE / 2 - 1) * Math.sin(angle),
        y: y + along * Math.sin(angle) - (SIDE / 2 - 1) * Math.cos(angle),
    }));

    const distance = (spot, [from, to]) => {
        const dx = to.x - from.x;
        const dy = to.y - from.y;
        const square = dx * dx + dy * dy;
        const part = square ? Math.max(0, Math.min(1,
            ((spot.x - from.x) * dx + (spot.y - from.y) * dy) / square)) : 0;
        return Math.hypot(spot.x - from.x - part * dx, spot.y - from.y - part * dy);
    };

    /** An area of width and height with marks, points, and lines, pairs of points. */
    const create = (width, height, marks, lines) => {
        const taken = marks.slice();
        const isFree = (spot) => spot.x > SIDE / 2 && spot.x < width - SIDE / 2
            && spot.y > SIDE / 2 && spot.y < height - SIDE / 2
            && !taken.some((one) => Math.abs(one.x - spot.x) < SIDE && Math.abs(one.y - spot.y) < SIDE);
        /** The best of the places for a text of that length, or nothing. */
        const take = (places, length) => {
            let best = null;
            let least = 3 + (CROSSED * length) / STEP;
            places.forEach((place) => {
                const row = spots(place, length);
                if (!row.every(isFree)) return;
                const cost = d3.sum(row, (spot) =>
                    lines.filter((line) => distance(spot, line) < NEAR).length);
                if (cost < least) {
                    least = cost;
                    best = place;
                }
            });
            if (best) taken.push(...spots(best, length));
            return best;
        };
        return { take };
    };

    return { create };
})();
