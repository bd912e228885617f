// A sweep: many runs, what was varied and what came of it.
"use strict";

gridloom.sweep = (() => {
    const { make, section, note, table: plainTable, card, choice, select } = gridloom.element;
    const { isNumber, plain, count } = gridloom.number;
    const { text } = gridloom.table;
    const SHOWN = 12; // values of an axis

    const isOne = (data) => data.sweep !== null && typeof data.sweep === "object";

    /** "tiles=4 system=n300": what a run was given, of what was varied. */
    const wordsOf = (table, row) => table.parameters.filter((column) => column.isVaried)
        .map((column) => `${column.name}=${gridloom.longtable.word(column.cells[row])}`).join(" ");

    const numbers = (table) => {
        const rows = d3.range(table.count);
        const by = d3.rollup(rows, (some) => some.length, (row) => table.statusOf(row));
        return { done: by.get("done") || 0, failed: by.get("failed") || 0, lost: by.get("lost") || 0 };
    };

    /** Of what the file draws first, else of what it records first. */
    const best = (sweep, table) => {
        const [plot] = Array.isArray(sweep.plots) ? sweep.plots : [];
        const metrics = table.metrics.filter((one) => one.isNumeric && one.isVaried);
        const column = metrics.find((one) => plot && one === table.named(plot.y)) || metrics[0];
        if (!column) return null;
        const row = d3.least(d3.range(table.count).filter((one) => isNumber(column.cells[one])),
            (one) => column.cells[one]);
        return card(`Least ${column.name}`, gridloom.longtable.word(column.cells[row]), wordsOf(table, row));
    };

    const valuesText = (column) => {
        const words = column.values.map((value) => gridloom.longtable.word(value));
        return words.length <= SHOWN ? words.join(", ")
            : `${words[0]} to ${words[words.length - 1]}, ${count(words.length)} values`;
    };

    const hero = (sweep, table) => {
        const { done, failed, lost } = numbers(table);
        const fixed = Array.isArray(sweep.fixed) ? sweep.fixed : [];
        return make("section", { id: "summary", "data-title": "Summary", class: "hero" },
            make("h1", {}, text(sweep.title) || "Sweep"),
            make("p", { class: "lead" }, [sweep.script && `script ${text(sweep.script)}`,
                sweep.gridloom && `gridloom ${text(sweep.gridloom)}`,
                `${count(table.count)} runs`].filter(Boolean).join(", ")),
            make("div", { class: "cards" },
                card("Done", make("span", { class: "badge good" }, count(done)), `of ${count(table.count)} runs`),
                card("Failed", make("span", { class: `badge ${failed ? "bad" : "plain"}` }, count(failed)),
                    failed ? "what they said is below" : null),
                lost > 0 && card("Lost", make("span", { class: "badge bad" }, count(lost)), "their process was killed"),
                best(sweep, table)),
            make("div", { class: "gap-above" }, plainTable(["Varied", "Values"], table.parameters
                .map((column) => [column.name, valuesText(column)]), { class: "figures" })),
            fixed.length > 0 && make("ul", { class: "words-list gap-above" }, fixed.map((one) =>
                make("li", {}, make("span", { class: "muted" }, `${text(one.name)} `), make("b", {}, text(one.value))))));
    };

    /** What went wrong, each text once. */
    const failures = (table, choose) => {
        const rows = d3.range(table.count).filter((row) => table.statusOf(row) !== "done");
        if (!rows.length) return null;
        const kinds = [...d3.group(rows, (row) => `${table.statusOf(row)}\n${table.errorOf(row)}`).values()]
            .sort((a, b) => b.length - a.length);
        return section("failures", "Failed runs", make("div", { class: "panel" },
            plainTable(["Status", "Runs", "What it said", "First of them"], kinds.map((some) => [
                make("span", { class: "badge bad" }, table.statusOf(some[0])), count(some.length),
                make("code", {}, table.errorOf(some[0]) || "\u2013"),
                make("button", { type: "button", class: "link", onclick: () => choose(some[0]) },
                    `run ${text(table.runOf(some[0]))}: ${wordsOf(table, some[0])}`)]))));
    };

    /** The first picture: that of the file, else a metric over what has most values. */
    const startOf = (sweep, table) => {
        const [plot] = Array.isArray(sweep.plots) ? sweep.plots : [];
        const drawn = [...table.parameters, ...table.metrics].filter((column) => column.values.length);
        const y = table.metrics.find((column) => column.isNumeric) || drawn[drawn.length - 1];
        const x = table.parameters.find((column) => column.isVaried) || drawn[0];
        const start = { x, y, colour: table.parameters.find((column) => column.isVaried && column !== x) || null,
            isLogX: x && x.isWide, isLogY: y && y.isWide };
        return plot ? { ...start, ...plotState(plot, table, start) } : start;
    };

    const plotState = (plot, table, start) => {
        const x = table.named(plot.x) || start.x;
        const y = (plot.y && table.named(plot.y)) || start.y;
        return { x, y, colour: (plot.by && table.named(plot.by)) || null,
            isLogX: plot.is_log_x || x.isWide, isLogY: plot.is_log_y || y.isWide };
    };

    /** Two goals of the file: both axes, and which way is better. */
    const goalsState = (goals, table) => {
        const [x, y] = goals.map((goal) => table.named(goal.name));
        return { x, y, isLogX: x.isWide, isLogY: y.isWide, hasFront: true,
            isMostX: goals[0].is_maximum === true, isMostY: goals[1].is_maximum === true };
    };

    const details = (table, row) => (row === null ? note("Choose a run: its number in the table, or a point of the picture.")
        : make("div", { class: "run-details" }, gridloom.cloud.tip(table, row)));

    const build = (runs, { sweep }) => {
        const table = gridloom.table.read(sweep);
        if (!table.count) return [hero(sweep, table), note("No run has been done yet.")];
        const goals = (Array.isArray(sweep.goals) ? sweep.goals : []).filter((goal) => {
            const column = goal && table.named(goal.name);
            return column && column.isNumeric;
        });
        let test = () => true;
        const state = {
            table,
            hasFront: false,
            isMostX: false,
            isMostY: false,
            chosen: null,
            status: "",
            brushes: new Map(),
            brushed: () => true,
            ...startOf(sweep, table),
        };
        let dyes = null;
        const rowsKept = new Uint8Array(table.count).fill(1);
        state.kept = (row) => rowsKept[row] === 1;
        state.dyes = () => (dyes ??= gridloom.dyes.build(state.colour));
        gridloom.theme.onChange(() => {
            dyes = null;
        });

        const cloud = gridloom.cloud.build(state);
        const parallel = gridloom.parallel.build(state);
        const shown = make("span", { class: "muted", role: "status" });
        const about = make("div", { class: "gap-above" }, details(table, null));
        const ledger = gridloom.longtable.build({
            label: "Runs",
            table,
            rows: () => d3.range(table.count).filter(state.kept),
            choose: (row) => state.choose(row),
        });
        let isAsked = false;
        state.update = () => {
            if (isAsked) return;
            isAsked = true; // once for each picture on the screen
            requestAnimationFrame(() => {
                isAsked = false;
                for (let row = 0; row < table.count; row++) {
                    rowsKept[row] = (!state.status || table.statusOf(row) === state.status)
                        && state.brushed(row) && test(row) ? 1 : 0;
                }
                shown.textContent = `${d3.sum(rowsKept)} of ${table.count} runs`;
                cloud.repaint();
                parallel.repaint();
                ledger.draw();
            });
        };
        state.choose = (row) => {
            state.chosen = row;
            about.replaceChildren(details(table, row));
            ledger.mark(row);
            if (row !== null) ledger.reveal(row);
            cloud.repaint();
            parallel.repaint();
        };
        const tools = make("div", { class: "tools" }, cloud.tools());
        state.refresh = () => {
            dyes = null;
            tools.replaceChildren(...cloud.tools());
            cloud.redraw();
            parallel.repaint();
        };
        const given = [...(Array.isArray(sweep.plots) ? sweep.plots : []).map((plot) => [
            plot.title || `${text(plot.y) || state.y.name} over ${text(plot.x)}${plot.by ? ` by ${text(plot.by)}` : ""}`,
            { hasFront: false, ...plotState(plot, table, state) }]),
        ...(goals.length === 2 ? [[`Front of ${goals.map((goal) => text(goal.name)).join(" and ")}`,
            goalsState(goals, table)]] : [])];
        const filter = make("input", {
            type: "search",
            placeholder: "Filter: tiles>=4 failed",
            "aria-label": "Filter runs",
            oninput: () => {
                test = gridloom.table.filter(table, filter.value);
                state.update();
            },
        });
        const statuses = ["done", "failed", "lost"].filter((name) =>
            d3.range(table.count).some((row) => table.statusOf(row) === name));
        shown.textContent = `${table.count} of ${table.count} runs`;
        return [hero(sweep, table),
            section("picture", "Picture", make("div", { class: "panel" },
                given.length > 0 && make("div", { class: "tools" }, choice("Pictures of the file",
                    given.map(([name, one]) => [one, name]), given[0][1], (one) => {
                        Object.assign(state, one);
                        state.refresh();
                    })),
                tools, cloud.node)),
            parallel.isThere && section("parallel", "All columns", make("div", { class: "panel" },
                make("div", { class: "tools" }, parallel.tools), parallel.node)),
            failures(table, (row) => {
                state.choose(row);
                document.getElementById("runs").scrollIntoView();
            }),
            section("runs", "Runs", make("div", { class: "panel" },
                make("div", { class: "tools" }, filter,
                    statuses.length > 1 && select("Status", [["", "Every status"],
                        ...statuses.map((name) => [name, name])], "", (value) => {
                        state.status = value;
                        state.update();
                    }), shown),
                ledger.node, about))];
    };

    return { build, isOne };
})();
