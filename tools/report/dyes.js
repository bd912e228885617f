// Colours of rows by one of their columns: a few values have a colour each, many numbers a
// ramp.
"use strict";

gridloom.dyes = (() => {
    const { make, legend } = gridloom.element;
    const { plain } = gridloom.number;
    const FEW = 6; // colours of runs
    const SHOWN = 18; // in a legend
    const SHAPES = [d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond];

    /** { of(row): colour, shapeOf(row): a symbol, legend: element or null }; column may be
     * null. */
    const build = (column) => {
        if (!column) {
            return { of: () => gridloom.theme.colour("accent"), shapeOf: () => SHAPES[0], legend: null };
        }
        if (column.isNumeric && column.values.length > FEW) {
            const low = column.values[0];
            const high = column.values[column.values.length - 1];
            const scale = (column.isWide ? d3.scaleLog : d3.scaleLinear)([low, high], [0.18, 1]);
            const ramp = make("span", { class: "ramp-bar" });
            ramp.style.background = `linear-gradient(90deg, ${d3.range(0, 1.01, 0.1).map((part) =>
                gridloom.colour.heat(0.18 + 0.82 * part)).join(", ")})`;
            return {
                of: (row) => (column.cells[row] === null ? gridloom.theme.colour("muted")
                    : gridloom.colour.heat(scale(column.cells[row]))),
                shapeOf: () => SHAPES[0],
                legend: make("div", { class: "ramp" }, column.name, plain(low), ramp, plain(high)),
            };
        }
        const order = new Map(column.values.map((value, i) => [value, i]));
        const at = (row) => order.get(column.cells[row]);
        const colours = column.values.map((value, i) => gridloom.colour.run(i));
        return {
            of: (row) => colours[at(row)] || gridloom.theme.colour("muted"),
            shapeOf: (row) => SHAPES[Math.floor((at(row) || 0) / FEW) % SHAPES.length],
            legend: legend([...column.values.slice(0, SHOWN).map((value, i) => ({
                name: column.isNumeric ? `${column.name} ${plain(value, 6)}` : String(value),
                fill: colours[i],
                kind: ["round", "", "", "diamond"][Math.floor(i / FEW) % SHAPES.length],
            })), ...(column.values.length > SHOWN
                ? [{ name: `${column.values.length - SHOWN} more`, fill: "transparent" }] : [])]),
        };
    };

    return { build };
})();
