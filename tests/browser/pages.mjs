// Opens pages of reports in Chromium, and notes what goes wrong on them.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.GRIDLOOM_WORK, "package.json"));
const { chromium } = require("playwright-core");

// For what comes soon, also on a machine that is slow or busy.
const PATIENCE_MILLISECONDS = 600000;

const FOLDER = process.env.GRIDLOOM_PAGES;

/** Names of the pages there are. */
export const names = readdirSync(FOLDER).filter((name) => name.endsWith(".html"))
    .map((name) => name.slice(0, -".html".length)).sort();

export const launch = () => chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    timeout: PATIENCE_MILLISECONDS,
});

/** A page that is ready; close() also sees that nothing went wrong on it. */
export const open = async (browser, name, { width = 1280, scheme = "light" } = {}) => {
    const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme: scheme,
        reducedMotion: "reduce",
    });
    context.setDefaultTimeout(PATIENCE_MILLISECONDS);
    const page = await context.newPage();
    const faults = [];
    page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
        if (!/^(file|data|blob):/.test(request.url())) faults.push(`asked for ${request.url()}`);
    });
    await page.goto(`file://${path.join(FOLDER, name)}.html`);
    await page.waitForSelector("html[data-ready]");
    await page.evaluate(() => new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
    }));
    return {
        page,
        close: async () => {
            await context.close();
            assert.deepEqual(faults, [], `${name}: errors on the page`);
        },
    };
};

/** The part of time that the timeline shows. */
export const span = (page) => page.evaluate(() => {
    const { from, to } = gridloom.timeline.view;
    return { from, to };
});

/** The picture of a canvas, as text. */
export const picture = (page, selector) => page.evaluate((which) =>
    document.querySelector(which).toDataURL(), selector);
