// Puts the page together.
"use strict";

(() => {
    const { make } = gridloom.element;
    const data = JSON.parse(document.getElementById("data").textContent);
    const runs = gridloom.runs.read(data);

    gridloom.theme.start();
    const parts = gridloom.sweep.isOne(data) ? [gridloom.sweep]
        : runs.length === 1 && gridloom.validation.isOne(runs[0]) ? [gridloom.validation]
        : runs.length && runs.every(gridloom.network.isOne)
            ? [gridloom.summary, gridloom.network, gridloom.map, gridloom.metrics]
        : [gridloom.summary, gridloom.network, gridloom.split, gridloom.units, gridloom.source,
        gridloom.timeline, gridloom.map, gridloom.residual, gridloom.roofline, gridloom.metrics,
        gridloom.parameters];
    if (gridloom.roofline.isFirst(data)) {
        parts.splice(parts.indexOf(gridloom.roofline), 1);
        parts.unshift(gridloom.roofline);
    }
    /** A result may hold what no section expects: then that one is missing, and says so. */
    const build = (part) => {
        try {
            return part.build(runs, data);
        } catch (error) {
            console.error(error);
            return gridloom.element.note(`A part of this page cannot be drawn: ${error.message}.`);
        }
    };
    const built = parts.flatMap(build).filter(Boolean);
    const sections = built.filter((node) => node.id);

    const title = gridloom.sweep.isOne(data) ? data.sweep.title || "Sweep"
        : runs.map((run) => run.title).join(", ");
    document.title = `${title} - gridloom`;
    document.getElementById("report").replaceChildren(...built);
    document.getElementById("contents").replaceChildren(...sections.map((section) =>
        make("a", { href: `#${section.id}` }, section.dataset.title)));
    const versions = [...new Set([...runs.map((run) => run.result), data.sweep || {}]
        .map((one) => one.gridloom).filter(Boolean))];
    document.getElementById("footer").replaceChildren(
        `Made by gridloom ${versions.join(", ")}. Charts by D3 ${d3.version}, `
        + "Copyright 2010-2022 Mike Bostock; its licence is in this page's source.");
    document.documentElement.dataset.ready = "true";
})();
