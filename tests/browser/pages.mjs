// Opens pages of reports in Chromium, and notes what goes wrong on them.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.GRIDLOOM_WORK, "package.json"));
const { chromium } = require("playwright-core");

// For what comes soon, also on a machine that is slow or busy.
const PATIENCE_MILLISECONDS = 600000;

const WIDTH = 1280;
const SCHEME = "light";
const FOLDER = process.env.GRIDLOOM_PAGES;

/** Names of the pages there are. */
export const names = readdirSync(FOLDER).filter((name) => name.endsWith(".html"))
    .map((name) => name.slice(0, -".html".length)).sort();

export const launch = () => chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    timeout: PATIENCE_MILLISECONDS,
});

// All tests share one tab of one browser: a page in a tab that is there takes a third of the
// work of one in a context of its own, for which Chromium starts processes.
let shared = null;
let faults = [];
// The page that is in the tab as it was loaded; "" where a test may have changed it.
let unchanged = "";

const noteFaults = (page) => {
    page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
        if (!/^(file|data|blob):/.test(request.url())) faults.push(`asked for ${request.url()}`);
    });
    page.on("crash", () => {
        faults.push("the page crashed");
        shared.page = null;
    });
};

/** Where GRIDLOOM_BROWSER_DELAY names milliseconds, pages draw so much later than they would:
 * a test that does not wait for what it looks at fails then. */
const delayDrawing = (context) => context.addInitScript((milliseconds) => {
    const { requestAnimationFrame: ask, setTimeout: wait, ResizeObserver: Observer } = window;
    window.requestAnimationFrame = (draw) => wait(() => ask(draw), milliseconds);
    window.setTimeout = (act, after, ...words) => wait(act, (after || 0) + milliseconds, ...words);
    window.ResizeObserver = class extends Observer {
        constructor(act) {
            super((...words) => wait(() => act(...words), milliseconds));
        }
    };
    window.addEventListener("scroll", (event) => {
        if (!event.isTrusted) return;
        event.stopImmediatePropagation();
        wait(() => event.target.dispatchEvent(new Event("scroll")), milliseconds);
    }, true);
}, Number(process.env.GRIDLOOM_BROWSER_DELAY));

const tab = async () => {
    shared ??= { browser: await launch(), page: null };
    if (!shared.page) {
        const context = await shared.browser.newContext();
        context.setDefaultTimeout(PATIENCE_MILLISECONDS);
        if (process.env.GRIDLOOM_BROWSER_DELAY) await delayDrawing(context);
        shared.page = await context.newPage();
        noteFaults(shared.page);
    }
    return shared.page;
};

/** Ends the browser. */
export const finish = async () => {
    if (shared) await shared.browser.close();
    shared = null;
};

/** Once what was asked for is drawn. */
export const frames = (page) => page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(done));
}));

const load = async (page, name, { width, scheme }) => {
    if (page.url().startsWith("file:")) await page.evaluate(() => localStorage.clear());
    await page.mouse.move(-1, -1); // on nothing, as where nobody has moved it
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ media: null, colorScheme: scheme, reducedMotion: "reduce" });
    faults = [];
    await page.goto(`file://${path.join(FOLDER, name)}.html`);
    await page.waitForSelector("html[data-ready]");
    await frames(page);
};

/** Is the page as it was at the first call? */
const isAsLoaded = (page) => page.evaluate(() => {
    const is = `${window.scrollY} ${document.documentElement.outerHTML}`;
    window.asLoaded ??= is;
    return window.asLoaded === is;
});

/** A page as it is loaded, and ready; close() also sees that nothing went wrong on it. */
export const open = async (name, { width = WIDTH, scheme = SCHEME } = {}) => {
    const page = await tab();
    if (unchanged !== name || width !== WIDTH || scheme !== SCHEME) await load(page, name, { width, scheme });
    unchanged = "";
    return {
        page,
        close: async () => {
            await page.evaluate(() => {}); // what it has said before has come by then
            assert.deepEqual(faults, [], `${name}: errors on the page`);
        },
    };
};

/** The same for a test that leaves the page as it is: the next test need not load it again. */
export const look = async (name) => {
    const page = await tab();
    if (unchanged !== name) {
        await load(page, name, { width: WIDTH, scheme: SCHEME });
        await isAsLoaded(page);
    }
    unchanged = "";
    return {
        page,
        close: async () => {
            assert.ok(await isAsLoaded(page), `${name}: a test that only looks has changed it`);
            assert.deepEqual(faults, [], `${name}: errors on the page`);
            unchanged = name;
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
