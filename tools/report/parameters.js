// Every number of the chip, with where it comes from.
"use strict";

gridloom.parameters = (() => {
    const { make, section, note } = gridloom.element;

    const COLUMNS = [["name", "Parameter"], ["value", "Value"], ["unit", "Unit"],
        ["confidence", "Confidence"], ["source", "Source"]];

    const linesOf = (run) => (Array.isArray(run.result.chip_parameters)
        ? run.result.chip_parameters : []).map((line) => ({
        name: `${line.section}.${line.key}`,
        value: String(line.value),
        unit: String(line.unit),
        confidence: String(line.confidence),
        source: String(line.source),
        isOverridden: `${line.section}.${line.key}` in run.overrides,
    }));

    const build = (runs) => {
        const known = runs.filter((run) => linesOf(run).length);
        if (!known.length) {
            return section("parameters", "Chip parameters",
                note("The result does not carry the numbers of its chip: it was made by an older gridloom, or by a command without a chip."));
        }
        const state = { run: known[0] };
        /** The values of other runs on the same chip. */
        const others = () => known.filter((run) => run !== state.run && run.chip === state.run.chip)
            .map((run) => new Map(linesOf(run).map((line) => [line.name, line.value])));
        const lines = () => {
            const values = others();
            return linesOf(state.run).map((line) => ({ ...line,
                differs: values.some((other) => other.has(line.name)
                    && other.get(line.name) !== line.value) }));
        };
        const row = (line) => make("tr", { class: line.isOverridden ? "marked" : "" },
            make("th", { scope: "row" }, line.name,
                line.isOverridden && make("span", { class: "badge warn" }, "overridden"),
                line.differs && make("span", { class: "badge plain" }, "differs")),
            make("td", { class: "value" }, line.value),
            make("td", {}, line.unit),
            make("td", {}, make("span", { class: `confidence ${line.confidence}` },
                line.confidence)),
            make("td", { class: "source" }, line.source));
        const ledger = gridloom.ledger.build({
            label: "Chip parameters",
            noun: "numbers",
            placeholder: "Filter: noc, assumed",
            columns: COLUMNS,
            lines,
            row,
            keeps: (line, text) => COLUMNS.some(([key]) => line[key].toLowerCase().includes(text))
                && (!text.startsWith("overridden") || line.isOverridden),
        });
        return section("parameters", "Chip parameters", make("div", { class: "panel" },
            make("div", { class: "tools" }, gridloom.runs.chooser(known, state.run, (run) => {
                state.run = run;
                ledger.draw();
            }), ledger.tools), ledger.table));
    };

    return { build };
})();
