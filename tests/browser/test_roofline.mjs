// The roofline of runs with GPUs beside them: what is drawn is what the command computed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { frames, look, open } from "./pages.mjs";

const { metrics } = JSON.parse(readFileSync(path.join(process.env.GRIDLOOM_PAGES, "gpus.json"), "utf8"));
const runs = metrics.machines.filter((machine) => machine.workload !== "");
// Two roofs of one memory, of the data sheet and measured, have one mark.
runs.forEach((run) => {
    run.marks = run.roofs.filter((roof) => roof.intensity !== null).filter((roof, i, all) =>
        all.findIndex((one) => Math.abs(one.intensity / roof.intensity - 1) < 1e-9) === i);
});

const plain = (text) => text.replace(/[\u00a0\u202f]/g, " ");

test("the roofline comes first, with a button for each chip", async () => {
    const { page, close } = await look("gpus");
    assert.equal(await page.locator("main section").first().getAttribute("id"), "roofline");
    const chips = await page.getByRole("group", { name: "Chips of the roofline" }).getByRole("button")
        .allTextContents();
    assert.deepEqual(chips, [...new Set(metrics.machines.map((machine) => machine.chip))]);
    await close();
});

test("every roof of every chip is a line", async () => {
    const { page, close } = await look("gpus");
    const titles = (await page.locator("#roofline svg .roof title").allTextContents()).map(plain);
    const names = new Set(metrics.machines.flatMap((machine) =>
        machine.roofs.map((roof) => `${machine.chip}: ${roof.name} `)));
    assert.ok(names.size >= 25, [...names].join());
    names.forEach((name) => assert.ok(titles.some((title) => title.startsWith(name)), name));
    assert.equal(titles.length, names.size);
    assert.ok(titles.includes("h200: DRAM 4.8 TB/s"), titles.join("\n"));
    await close();
});

test("marks stand at their intensity and rate", async () => {
    const { page, close } = await look("gpus");
    const places = await page.locator("#roofline .point").evaluateAll((all) => all.map((one) => {
        const [x, y] = one.parentNode.getAttribute("transform").match(/[-\d.]+/g).map(Number);
        return { words: one.getAttribute("aria-label"), x, y };
    }));
    const points = runs.flatMap((run) => run.marks
        .map((roof) => ({ x: Math.log10(roof.intensity), y: Math.log10(run.rate),
            start: `${run.letter} ${run.workload} on ${run.chip}, ${run.detail}, ${roof.name}: ` })));
    const placeOf = (point) => places.find(({ words }) => words.startsWith(point.start));
    const [first] = points;
    const far = points.reduce((a, b) => (Math.abs(b.x - first.x) > Math.abs(a.x - first.x) ? b : a));
    const high = points.reduce((a, b) => (Math.abs(b.y - first.y) > Math.abs(a.y - first.y) ? b : a));
    const perX = (placeOf(far).x - placeOf(first).x) / (far.x - first.x);
    const perY = (placeOf(high).y - placeOf(first).y) / (high.y - first.y);
    assert.ok(perX > 0 && perY < 0);
    points.forEach((point) => {
        assert.ok(Math.abs(placeOf(point).x - placeOf(first).x - perX * (point.x - first.x)) < 0.5);
        assert.ok(Math.abs(placeOf(point).y - placeOf(first).y - perY * (point.y - first.y)) < 0.5);
    });
    await close();
});

test("labels do not lie on each other", async () => {
    const { page, close } = await look("gpus");
    const boxes = await page.locator("#roofline .roof-name").evaluateAll((all) =>
        all.filter((one) => !/rotate\((?!0\))/.test(one.getAttribute("transform") || ""))
            .map((one) => {
                const { left, right, top, bottom } = one.getBoundingClientRect();
                return { text: one.textContent, left, right, top: top + 2, bottom: bottom - 2 };
            }));
    assert.ok(boxes.length > 5);
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => assert.ok(
        a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top,
        `${a.text} and ${b.text}`)));
    await close();
});

test("the table says what bounds each run", async () => {
    const { page, close } = await look("gpus");
    const rows = (await page.locator("#roofline .bounds tbody tr").allTextContents()).map(plain);
    assert.equal(rows.length, runs.length);
    runs.forEach((run, i) => {
        assert.ok(rows[i].includes(`${run.workload} on ${run.chip}, ${run.detail}`), rows[i]);
        assert.ok(rows[i].includes(`${run.bound} (${run.bound_kind})`), rows[i]);
    });
    await close();
});

test("every memory of every run is a mark that tells its numbers", async () => {
    const { page, close } = await open("gpus");
    const points = runs.flatMap((run) => run.marks
        .map((roof) => ({ run, roof })));
    const marks = page.locator("#roofline .point");
    assert.equal(await marks.count(), points.length);
    const labels = (await marks.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))))
        .map(plain);
    points.forEach(({ run, roof }) => assert.ok(labels.some((label) => label.startsWith(
        `${run.letter} ${run.workload} on ${run.chip}, ${run.detail}, ${roof.name}: `)), roof.name));
    assert.equal(await page.locator("#roofline .point.published").count(),
        points.filter(({ run }) => run.origin === "published").length);
    await marks.last().focus();
    assert.equal(plain(await page.textContent(".roof-details")), labels[labels.length - 1]);
    assert.equal(await page.locator("#roofline .roof:not(.dim)").count(), 1);
    await marks.last().blur();
    assert.match(await page.textContent(".roof-details"), /Point at a mark/);
    assert.equal(await page.locator("#roofline .roof.dim").count(), 0);
    await close();
});

test("a button hides a chip and shows it again", async () => {
    const { page, close } = await open("gpus");
    const lines = page.locator("#roofline svg .roof");
    const before = await lines.count();
    const button = page.getByRole("group", { name: "Chips of the roofline" })
        .getByRole("button", { name: "h200" });
    await button.click();
    await frames(page);
    const without = await lines.count();
    assert.ok(without > 0 && without < before, `${without} of ${before}`);
    assert.equal(await button.getAttribute("aria-pressed"), "false");
    assert.ok(!(await page.textContent("#roofline svg")).includes("h200"));
    await button.click();
    await frames(page);
    assert.equal(await lines.count(), before);
    await close();
});
