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

    const compare = (a, b) => {
        const first = parseFloat(a);
        const second = parseFloat(b);
        return Number.isFinite(first) && Number.isFinite(second) && first !== second
            ? first - second : a.localeCompare(b);
    };

    const build = (runs) => {
        const known = runs.filter((run) => linesOf(run).length);
        if (!known.length) {
            return section("parameters", "Chip parameters",
                note("The result does not carry the numbers of its chip: it was made by an older gridloom, or by a command without a chip."));
        }
        const state = { run: known[0], filter: "", column: null, isUp: true };
        const body = make("tbody", {});
        const shown = make("span", { class: "muted", role: "status" });
        const heads = COLUMNS.map(([key, title]) => make("th", { scope: "col", "aria-sort": "none" },
            make("button", {
                type: "button",
                class: "sort",
                onclick: () => {
                    state.isUp = state.column === key ? !state.isUp : true;
                    state.column = key;
                    draw();
                },
            }, title)));

        const draw = () => {
            const all = linesOf(state.run);
            const others = known.filter((run) => run !== state.run && run.chip === state.run.chip)
                .map((run) => new Map(linesOf(run).map((line) => [line.name, line.value])));
            const lines = all.filter((line) => COLUMNS.some(([key]) =>
                line[key].toLowerCase().includes(state.filter)))
                .filter((line) => !state.filter.startsWith("overridden") || line.isOverridden);
            if (state.column) {
                lines.sort((a, b) => (state.isUp ? 1 : -1)
                    * compare(a[state.column], b[state.column]));
            }
            heads.forEach((head, i) => head.setAttribute("aria-sort",
                COLUMNS[i][0] !== state.column ? "none" : state.isUp ? "ascending" : "descending"));
            body.replaceChildren(...lines.map((line) => {
                const differs = others.some((other) => other.has(line.name)
                    && other.get(line.name) !== line.value);
                return make("tr", { class: line.isOverridden ? "marked" : "" },
                    make("th", { scope: "row" }, line.name,
                        line.isOverridden && make("span", { class: "badge warn" }, "overridden"),
                        differs && make("span", { class: "badge plain" }, "differs")),
                    make("td", { class: "value" }, line.value),
                    make("td", {}, line.unit),
                    make("td", {}, make("span", { class: `confidence ${line.confidence}` },
                        line.confidence)),
                    make("td", { class: "source" }, line.source));
            }));
            shown.textContent = lines.length === all.length ? `${all.length} numbers`
                : `${lines.length} of ${all.length} numbers`;
        };

        const filter = make("input", {
            type: "search",
            placeholder: "Filter: noc, assumed",
            "aria-label": "Filter chip parameters",
            oninput: () => {
                state.filter = filter.value.trim().toLowerCase();
                draw();
            },
        });
        draw();
        return section("parameters", "Chip parameters", make("div", { class: "panel" },
            make("div", { class: "tools" }, gridloom.runs.chooser(known, state.run, (run) => {
                state.run = run;
                draw();
            }), filter, shown),
            make("div", { class: "ledger-box", tabindex: "0", role: "region",
                "aria-label": "Chip parameters" }, make("table", { class: "ledger" },
                make("thead", {}, make("tr", {}, heads)), body))));
    };

    return { build };
})();
