// Puts the page together.
"use strict";

(() => {
    const { make } = gridloom.element;
    const runs = gridloom.runs.read(JSON.parse(document.getElementById("data").textContent));

    gridloom.theme.start();
    const parts = [gridloom.summary, gridloom.split, gridloom.units, gridloom.timeline,
        gridloom.map, gridloom.residual, gridloom.roofline, gridloom.parameters];
    const sections = parts.flatMap((part) => part.build(runs)).filter(Boolean);

    document.title = `${runs.map((run) => run.title).join(", ")} - gridloom`;
    document.getElementById("report").replaceChildren(...sections);
    document.getElementById("contents").replaceChildren(...sections.map((section) =>
        make("a", { href: `#${section.id}` }, section.dataset.title)));
    const versions = [...new Set(runs.map((run) => run.result.gridloom).filter(Boolean))];
    document.getElementById("footer").replaceChildren(
        `Made by gridloom ${versions.join(", ")}. Charts by D3 ${d3.version}, `
        + "Copyright 2010-2022 Mike Bostock; its licence is in this page's source.");
    document.documentElement.dataset.ready = "true";
})();
