// Light and dark: as the system has it, or as the reader chooses; light on paper.
"use strict";

gridloom.theme = (() => {
    const NAMES = { auto: "Auto", light: "Light", dark: "Dark" };
    const NEXT = { auto: "light", light: "dark", dark: "auto" };
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const print = window.matchMedia("print");
    const listeners = [];
    let chosen = "auto";

    const isDark = () => !print.matches
        && (chosen === "dark" || (chosen === "auto" && dark.matches));

    const apply = () => {
        document.documentElement.dataset.theme = isDark() ? "dark" : "light";
        listeners.forEach((listener) => listener());
    };

    const choose = (name) => {
        const button = document.getElementById("theme");
        chosen = name;
        button.textContent = NAMES[name];
        button.setAttribute("aria-label", `Colours: ${NAMES[name]}; switch to ${NAMES[NEXT[name]]}`);
        button.title = button.getAttribute("aria-label");
        try { // a page opened from a file may not remember
            localStorage.setItem("gridloom.theme", name);
        } catch (refused) { /* then not */ }
        apply();
    };

    const start = () => {
        let kept = null;
        try {
            kept = localStorage.getItem("gridloom.theme");
        } catch (refused) { /* then as the system has it */ }
        document.getElementById("theme").addEventListener("click", () => choose(NEXT[chosen]));
        dark.addEventListener("change", apply);
        print.addEventListener("change", apply);
        choose(kept in NAMES ? kept : "auto");
    };

    /** A colour of the style sheet, by the name of its variable. */
    const colour = (name) =>
        getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

    return { start, choose, isDark, colour, onChange: (f) => listeners.push(f) };
})();
