// Colours of things: of operations and reasons by their name, of heat by how much.
"use strict";

gridloom.colour = (() => {
    // Hues far apart from each other come first.
    const HUES = [255, 35, 150, 320, 85, 200, 10, 285, 120, 225, 60, 345, 175, 305];
    const given = new Map();
    const patterns = new Map();
    const pixels = new Map();

    const hueOf = (name) => {
        if (!given.has(name)) given.set(name, given.size);
        return given.get(name);
    };

    /** Of a name. The same one always has the same. */
    const of = (name) => {
        const order = hueOf(name);
        const round = Math.floor(order / HUES.length);
        const isDark = gridloom.theme.isDark();
        const light = (isDark ? 70 : 75) + (round % 3 === 1 ? -9 : round % 3 === 2 ? 9 : 0);
        return String(d3.hcl(HUES[order % HUES.length] + 9 * round, isDark ? 42 : 44, light));
    };

    /** The same as a pixel of an ImageData, with so much opacity. */
    const pixel = (name, opacity) => {
        const key = `${name} ${opacity} ${gridloom.theme.isDark()}`;
        if (!pixels.has(key)) {
            const { r, g, b } = d3.rgb(of(name));
            const bytes = Uint8ClampedArray.of(r, g, b, 255 * opacity);
            pixels.set(key, new Uint32Array(bytes.buffer)[0]);
        }
        return pixels.get(key);
    };

    /** Text on a fill of that kind: they are all light enough. */
    const ink = "#14171c";

    /** Stripes for what stands still, as a pattern of a canvas. */
    const hatch = (context, name) => {
        const key = `${name} ${gridloom.theme.isDark()}`;
        if (!patterns.has(key)) {
            const tile = document.createElement("canvas");
            tile.width = 6;
            tile.height = 6;
            const pen = tile.getContext("2d");
            pen.fillStyle = of(name);
            pen.globalAlpha = 0.22;
            pen.fillRect(0, 0, 6, 6);
            pen.globalAlpha = 0.75;
            pen.strokeStyle = of(name);
            pen.lineWidth = 1;
            pen.beginPath();
            [-3, 3, 9].forEach((x) => {
                pen.moveTo(x - 3, 9);
                pen.lineTo(x + 6, 0);
            });
            pen.stroke();
            patterns.set(key, context.createPattern(tile, "repeat"));
        }
        return patterns.get(key);
    };

    const LIGHT = d3.interpolateRgbBasis(["#e9eef5", "#a9d3dc", "#4ca7bd", "#2a6fb0", "#2b3a8f",
        "#2a1458"]);
    const DARK = d3.interpolateRgbBasis(["#1d2530", "#1f4a66", "#22808f", "#4fb98a", "#c9d96a",
        "#fff3b8"]);

    /** Of 0 to 1. */
    const heat = (part) => (gridloom.theme.isDark() ? DARK : LIGHT)(Math.max(0, Math.min(1, part)));

    /** Of the runs of a report, strong enough for lines. */
    const run = (index) => {
        const lines = gridloom.theme.isDark()
            ? ["#7aa2ff", "#f2a65a", "#5fd0a5", "#e583c7", "#d7c95b", "#9fb0c4"]
            : ["#2f5bd8", "#b85c00", "#0f7a55", "#a92d86", "#746400", "#55606f"];
        return lines[index % lines.length];
    };

    return { of, pixel, ink, hatch, heat, run };
})();
