// A table of thousands of rows: those in sight are there, the others are room.
"use strict";

gridloom.longtable = (() => {
    const { make } = gridloom.element;
    const { isNumber, plain } = gridloom.number;
    const { text } = gridloom.table;
    const HEIGHT = 31; // of a row, as sweep.css has it
    const SPARE = 12; // rows above and below what is in sight
    const WIDEST = 44; // letters of a column
    const PAPER = 2000; // rows that are printed

    const word = (cell) => (isNumber(cell) ? plain(cell, 6) : text(cell) || "\u2013");

    /** How many letters a column needs. */
    const letters = (column) => {
        const longest = d3.max(column.values, (value) => word(value).length) || 1;
        return Math.min(WIDEST, Math.max(column.name.length + 2, longest) + 2);
    };

    /** Numbers before words before nothing, whichever way it goes. */
    const compare = (a, b, isUp) => {
        if (a === null || b === null) return (a === null) - (b === null);
        const order = isNumber(a) && isNumber(b) ? a - b
            : String(a).localeCompare(String(b), "en", { numeric: true });
        return isUp ? order : -order;
    };

    /** rows() are the rows to show; choose(row) is called for one that was chosen. Gives the
     * table, draw() for when rows are others, and reveal(row). */
    const build = ({ label, table, rows, choose }) => {
        const isRight = (column) => column.isNumeric && column !== table.run;
        const state = { column: null, isUp: true, chosen: null, sorted: [] };
        const body = make("tbody", {});
        const heads = table.columns.map((column) => make("th", { scope: "col", "aria-sort": "none",
            title: column.name, class: isRight(column) && "number" },
        make("button", {
            type: "button",
            class: "sort",
            onclick: () => {
                state.isUp = state.column === column ? !state.isUp : true;
                state.column = column;
                draw();
            },
        }, column.name)));
        const grid = make("table", { class: "grid" },
            make("colgroup", {}, table.columns.map((column) => make("col",
                { style: { width: `${letters(column)}ch` } }))),
            make("thead", {}, make("tr", {}, heads)), body);
        grid.style.width = `${d3.sum(table.columns, letters)}ch`;
        const box = make("div", { class: "grid-box", tabindex: "0", role: "region",
            "aria-label": label, onscroll: () => fill() }, grid);

        const cell = (column, row) => {
            const value = column.cells[row];
            const written = word(value);
            if (column === table.run) {
                return make("th", { scope: "row" }, make("button", {
                    type: "button",
                    class: "link",
                    "aria-pressed": String(row === state.chosen),
                    onclick: () => choose(row === state.chosen ? null : row),
                }, text(value)));
            }
            return make("td", { title: value === null ? false : text(value),
                class: isRight(column) && "number" }, written);
        };
        const line = (row, index) => make("tr", {
            class: [table.statusOf(row) === "done" ? "" : "failed", row === state.chosen ? "chosen" : ""]
                .filter(Boolean).join(" ") || false,
            "aria-rowindex": index + 2,
        }, table.columns.map((column) => cell(column, row)));
        const room = (count) => make("tr", { class: "room", "aria-hidden": "true" },
            make("td", { colspan: table.columns.length, style: { height: `${count * HEIGHT}px` } }));

        const fill = (isPaper = false) => {
            const first = isPaper ? 0 : Math.max(0, Math.floor(box.scrollTop / HEIGHT) - SPARE);
            const end = isPaper ? Math.min(PAPER, state.sorted.length) : Math.min(state.sorted.length,
                Math.ceil((box.scrollTop + (box.clientHeight || 560)) / HEIGHT) + SPARE);
            const shown = state.sorted.slice(first, end).map((row, i) => line(row, first + i));
            body.replaceChildren(...(first > 0 ? [room(first)] : []), ...shown,
                ...(end < state.sorted.length && !isPaper ? [room(state.sorted.length - end)] : []));
        };

        const draw = () => {
            state.sorted = [...rows()];
            const { column, isUp } = state;
            if (column) {
                state.sorted.sort((a, b) => compare(column.cells[a], column.cells[b], isUp) || a - b);
            }
            heads.forEach((head, i) => head.setAttribute("aria-sort",
                table.columns[i] !== column ? "none" : isUp ? "ascending" : "descending"));
            grid.setAttribute("aria-rowcount", state.sorted.length + 1);
            fill();
        };
        const mark = (row) => {
            const focused = box.contains(document.activeElement)
                && document.activeElement.classList.contains("link");
            state.chosen = row;
            fill();
            if (focused) {
                const again = body.querySelector("[aria-pressed=true]");
                (again || box).focus({ preventScroll: true });
            }
        };
        const reveal = (row) => {
            const index = state.sorted.indexOf(row);
            if (index >= 0) box.scrollTop = Math.max(0, index * HEIGHT - box.clientHeight / 2);
        };
        window.addEventListener("beforeprint", () => fill(true));
        window.addEventListener("afterprint", () => fill());
        draw();
        return { node: box, draw, mark, reveal };
    };

    return { build, word };
})();
