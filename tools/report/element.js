// Elements of the page. Text of files goes in as text, never as HTML.
"use strict";

gridloom.element = (() => {
    const add = (node, child) => {
        if (Array.isArray(child)) child.forEach((one) => add(node, one));
        else if (child !== null && child !== undefined && child !== false) node.append(child);
    };

    /** element("p", {class: "note", onclick: f}, "text", other) */
    const make = (tag, attributes = {}, ...children) => {
        const node = document.createElement(tag);
        Object.entries(attributes).forEach(([name, value]) => {
            if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
            else if (name === "style") Object.assign(node.style, value);
            else if (value === true) node.setAttribute(name, "");
            else if (value !== false && value !== null && value !== undefined) {
                node.setAttribute(name, value);
            }
        });
        add(node, children);
        return node;
    };

    /** A section with a heading, and an entry in the contents. */
    const section = (id, title, ...children) =>
        make("section", { id, "data-title": title, "aria-labelledby": `${id}-title` },
            make("h2", { id: `${id}-title` }, title), children);

    const note = (...text) => make("p", { class: "note" }, text);

    /** A table of rows; the first cell of each is its head. */
    const table = (head, rows, attributes = {}) => make("div", { class: "scroll-x" },
        make("table", attributes,
            make("thead", {}, make("tr", {}, head.map((cell) => make("th", { scope: "col" }, cell)))),
            make("tbody", {}, rows.map(([first, ...rest]) => make("tr", {},
                make("th", { scope: "row" }, first),
                rest.map((cell) => make("td", {}, cell)))))));

    /** A number with its name, and words below it. */
    const card = (name, value, more) => make("div", { class: "card" },
        make("div", { class: "card-name" }, name),
        make("div", { class: "card-value" }, value),
        more && make("div", { class: "card-more" }, more));

    /** A swatch and a name for each. */
    const legend = (entries) => make("ul", { class: "legend" },
        entries.map(({ name, fill, kind }) => make("li", {},
            make("span", { class: `swatch ${kind || ""}`, style: { "--fill": fill } }), name)));
    // Custom properties need setProperty.
    const swatched = (entries) => {
        const list = legend(entries);
        list.querySelectorAll(".swatch").forEach((swatch, i) => {
            swatch.style.setProperty("--fill", entries[i].fill);
        });
        return list;
    };

    /** A choice of a few, as buttons side by side. */
    const choice = (label, options, chosen, change) => {
        const buttons = options.map(([value, text]) => make("button", {
            type: "button",
            "aria-pressed": String(value === chosen),
            title: text,
            onclick: () => {
                buttons.forEach((button, i) => button.setAttribute("aria-pressed",
                    String(options[i][0] === value)));
                change(value);
            },
        }, text));
        return make("div", { class: "choice", role: "group", "aria-label": label }, buttons);
    };

    /** A list to choose from. */
    const select = (label, options, chosen, change) => {
        const node = make("select", { "aria-label": label, onchange: () => change(node.value) },
            options.map(([value, text]) => make("option", { value, selected: value === chosen },
                text)));
        return node;
    };

    return { make, section, note, table, card, legend: swatched, choice, select };
})();
