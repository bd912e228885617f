// A long table that can be sorted by its heads and filtered by a text.
"use strict";

gridloom.ledger = (() => {
    const { make } = gridloom.element;

    const compare = (a, b) => {
        const first = typeof a === "number" ? a : parseFloat(a);
        const second = typeof b === "number" ? b : parseFloat(b);
        return Number.isFinite(first) && Number.isFinite(second) && first !== second
            ? first - second : String(a).localeCompare(String(b));
    };

    /** Columns are [key, title]; lines() are objects with a text for each key, row(line) is
     * a line's <tr>, by(line, key) what it is sorted by. Gives the tools and the table, and
     * draw() for when lines are others. */
    const build = ({ label, noun, placeholder, columns, lines, row, by = (line, key) => line[key],
        keeps = (line, text) => columns.some(([key]) =>
            String(line[key]).toLowerCase().includes(text)) }) => {
        const state = { filter: "", column: null, isUp: true };
        const body = make("tbody", {});
        const shown = make("span", { class: "muted", role: "status" });
        const heads = columns.map(([key, title]) => make("th", { scope: "col", "aria-sort": "none" },
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
            const all = lines();
            const kept = all.filter((line) => keeps(line, state.filter));
            if (state.column) {
                kept.sort((a, b) => (state.isUp ? 1 : -1)
                    * compare(by(a, state.column), by(b, state.column)));
            }
            heads.forEach((head, i) => head.setAttribute("aria-sort",
                columns[i][0] !== state.column ? "none" : state.isUp ? "ascending" : "descending"));
            body.replaceChildren(...kept.map(row));
            shown.textContent = kept.length === all.length ? `${all.length} ${noun}`
                : `${kept.length} of ${all.length} ${noun}`;
        };

        const filter = make("input", {
            type: "search",
            placeholder,
            "aria-label": `Filter ${label.toLowerCase()}`,
            oninput: () => {
                state.filter = filter.value.trim().toLowerCase();
                draw();
            },
        });
        draw();
        return {
            tools: [filter, shown],
            table: make("div", { class: "ledger-box", tabindex: "0", role: "region", "aria-label": label },
                make("table", { class: "ledger" }, make("thead", {}, make("tr", {}, heads)), body)),
            draw,
        };
    };

    return { build };
})();
