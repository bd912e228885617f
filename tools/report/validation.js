// Published figures against simulated ones: how far off they are, row by row.
"use strict";

gridloom.validation = (() => {
    const { make, section, note, table, card, select } = gridloom.element;
    const { isNumber, plain, count } = gridloom.number;

    const COLUMNS = [["case", "Case"], ["source", "Source"], ["quantity", "Quantity"],
        ["published", "Published"], ["simulated", "Simulated"], ["error", "Error"],
        ["tolerance", "Allowed"], ["kind", "Kind"], ["status", "Status"]];
    const BADGES = { pass: "good", fail: "bad" };
    const KINDS = ["calibrated", "predicted"];
    const text = (value) => (value === null || value === undefined ? "" : String(value));

    const isOne = (run) => run.workload === "validate" && Array.isArray(run.result.rows);

    const rowsOf = (run) => run.result.rows.filter((row) => row && typeof row === "object")
        .map((row) => ({ ...row, suite: text(row.suite) || "rows" }));

    /** Counts of rows, with a word for each. */
    const counts = (rows) => {
        const of = (status) => rows.filter((row) => row.status === status).length;
        const seen = rows.filter((row) => row.status === "skipped" && row.simulated !== null).length;
        return { passed: of("pass"), failed: of("fail"), seen, left: of("skipped") - seen };
    };

    const percentOf = (value) => (isNumber(value) ? `${plain(value, 3)}\u202f%` : "\u2013");
    const errorCard = (summary, kind) => {
        const one = ((summary.all || {})[kind]) || {};
        return isNumber(one.mean_error) && card(`Mean error, ${kind}`, percentOf(one.mean_error),
            `worst ${percentOf(one.worst_error)} of ${count(one.errors)}: ${text(one.worst_source)}, ${text(one.worst_case)}`);
    };

    const summaryTable = (summary) => table(
        ["Suite", "Kind", "Rows", "Within", "Outside", "Not judged", "Not run", "Mean error", "Worst error", "of"],
        Object.entries(summary).flatMap(([suite, kinds]) => KINDS
            .filter((kind) => kinds && kinds[kind] && kinds[kind].rows)
            .map((kind) => [suite, kind, count(kinds[kind].rows), count(kinds[kind].passed),
                kinds[kind].failed ? make("span", { class: "badge bad" }, count(kinds[kind].failed)) : "0",
                count(kinds[kind].not_judged), count(kinds[kind].not_run),
                percentOf(kinds[kind].mean_error), percentOf(kinds[kind].worst_error),
                make("span", { class: "source" }, kinds[kind].worst_source
                    ? `${kinds[kind].worst_source}, ${kinds[kind].worst_case}` : "")])),
        { class: "figures" });

    const hero = (run, rows) => {
        const { passed, failed, seen, left } = counts(rows);
        const { metrics } = run;
        const summary = metrics.summary && typeof metrics.summary === "object" ? metrics.summary : {};
        const lacking = Array.isArray(metrics.not_covered) ? metrics.not_covered : [];
        return make("section", { id: "summary", "data-title": "Summary", class: "hero" },
            make("h1", {}, "Published against simulated"),
            make("p", { class: "lead" }, `gridloom ${text(run.result.gridloom)}, suites `
                + `${[...new Set(rows.map((row) => row.suite))].join(", ")}`
                + `${metrics.is_quick ? ", quick" : ""}${metrics.is_full ? ", whole grids" : ""}.`),
            lacking.length > 0 && make("p", { class: "warning", role: "status" },
                `No rule covers ${lacking.join(", ")}.`),
            make("div", { class: "cards" },
                card("Within their tolerance", make("span", { class: "badge good" }, count(passed)),
                    `of ${count(passed + failed)} rows that are judged`),
                card("Outside", make("span", { class: `badge ${failed ? "bad" : "plain"}` }, count(failed))),
                card("Not judged", count(seen), "simulated and shown, without a tolerance"),
                card("Not run", count(left), "left out, or without measurements")),
            make("div", { class: "cards pair" }, KINDS.map((kind) => errorCard(summary, kind))),
            make("div", { class: "gap-above" }, summaryTable(summary)),
            note("Errors are of judged rows in percent; rows in units of their own, words, means and medians do not count in them."));
    };

    /** What is to be said of a row: why it has no verdict, and its note. */
    const remark = (row) => [row.why !== "not judged" && row.why, row.note].filter(Boolean).map(text)
        .join("; ");

    const verdict = (row) => make("tr", { class: row.status === "fail" ? "failed" : "" },
        make("th", { scope: "row", title: text(row.run) }, row.case,
            remark(row) && make("div", { class: "remark" }, remark(row))),
        make("td", { class: "source" }, row.source),
        make("td", {}, row.quantity),
        make("td", { class: "value" }, gridloom.scatter.valueText(row.published, row.unit)),
        make("td", { class: "value" }, gridloom.scatter.valueText(row.simulated, row.unit)),
        make("td", {}, gridloom.scatter.errorText(row)),
        make("td", {}, isNumber(row.tolerance) && isNumber(row.published)
            ? `${plain(row.tolerance)} ${gridloom.scatter.errorUnit(row)}` : "\u2013"),
        make("td", {}, make("span", { class: `confidence ${row.kind}` }, row.kind)),
        make("td", {}, make("span", { class: `badge ${BADGES[row.status] || "plain"}` }, row.status)));

    /** By size, and what has no number last. */
    const by = (line, key) => {
        if (key === "error") return isNumber(line.error) ? Math.abs(line.error) : -1;
        return isNumber(line[key]) ? line[key] : text(line[key]);
    };

    const context = (run) => {
        const rows = Array.isArray(run.metrics.context) ? run.metrics.context : [];
        return rows.length > 0 && section("context", "For comparison", make("div", { class: "panel" },
            table(["Case", "Source", "Quantity", "Published", "Note"], rows.map((row) => [row.case,
                row.source, row.quantity, gridloom.scatter.valueText(row.published, row.unit),
                make("span", { class: "source" }, row.note)]), { class: "figures" }),
            note("Other machines, or what cannot be simulated: shown beside, neither run nor judged.")));
    };

    const build = ([run]) => {
        const all = rowsOf(run);
        const suites = [...new Set(all.map((row) => row.suite))];
        const state = { suites, suite: "", kind: "", status: "", view: "value" };
        const keeps = (row) => (!state.suite || row.suite === state.suite)
            && (!state.kind || row.kind === state.kind)
            && (!state.status || row.status === state.status);
        state.rows = () => all.filter(keeps);
        const scatter = gridloom.scatter.build(state);
        const ledger = gridloom.ledger.build({
            label: "Rows",
            noun: "rows",
            placeholder: "Filter: Table 3, dot",
            columns: COLUMNS,
            lines: state.rows,
            row: verdict,
            by,
            keeps: (line, words) => [...COLUMNS.map(([key]) => key), "note", "why", "suite"].some((key) =>
                text(line[key]).toLowerCase().includes(words)),
        });
        const chooser = (name, label, options) => select(label, [["", label], ...options], "", (value) => {
            state[name] = value;
            scatter.redraw();
            ledger.draw();
        });
        const tools = make("div", { class: "tools" },
            chooser("suite", "All suites", suites.map((name) => [name, name])),
            chooser("kind", "Calibrated and predicted", KINDS.map((name) => [name, name])),
            chooser("status", "Every status", ["pass", "fail", "skipped"].map((name) => [name, name])),
            scatter.view);
        return [hero(run, all),
            section("scatter", "Picture", make("div", { class: "panel" }, tools, scatter.node)),
            section("rows", "Rows", make("div", { class: "panel" },
                make("div", { class: "tools" }, ledger.tools), ledger.table)),
            context(run)];
    };

    return { build, isOne };
})();
