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
    run.binding = run.roofs.filter((roof) => roof.matters && roof.intensity !== null);
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

/** Every roof, and a point below each. */
const showAll = async (page) => {
    await page.getByRole("button", { name: "All roofs" }).click();
    await frames(page);
};

test("at first, each run has its binding memory and unit", async () => {
    const { page, close } = await look("gpus");
    const titles = (await page.locator("#roofline svg .roof title").allTextContents()).map(plain);
    const names = new Set(runs.flatMap((run) => run.roofs.filter((roof) => roof.matters)
        .map((roof) => `${run.chip}: ${roof.name} `)));
    names.forEach((name) => assert.ok(titles.some((title) => title.startsWith(name)), name));
    assert.equal(titles.length, names.size, titles.join("\n"));
    assert.ok(titles.length <= 2 * runs.length);
    assert.equal(await page.locator("#roofline .point").count(), runs.length);
    runs.forEach((run) => assert.equal(run.binding.length, 1));
    await close();
});

test("the same words say what limits a run, above and in the roofline", async () => {
    const { page, close } = await look("chips");
    const above = await page.locator("#summary tbody tr", { hasText: "What limits" }).locator("td").allTextContents();
    const below = await page.locator("#roofline .bounds .limit").allTextContents();
    assert.deepEqual(above, below);
    assert.ok(above.every((text) => text.length > 10), above.join());
    await close();
});

test("the path of a run has a dot for each iteration but the last, however many there are", async () => {
    const { page, close } = await open("pcg");
    const data = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
    const steps = data.roofline.machines[0].path.length;
    assert.equal(steps, 2);
    const dots = await page.locator("#roofline .roof-path .steps").first().getAttribute("d");
    assert.equal(dots.split("M").length - 1, steps);
    assert.doesNotMatch(dots, /NaN/);
    await page.locator("#roofline .path-table summary").click();
    assert.equal(await page.locator("#roofline .path-table tbody tr").count(), steps);
    const many = await page.evaluate(() => {
        const machine = { letter: "A", roofs: [] };
        const roof = { name: "L1", value: 1e12 };
        machine.path = d3.range(512).map((i) => ({ iteration: i + 1, last: i + 1, from: i, to: i + 1,
            rate: 1e9 + i, achieved: { L1: 1e10 + i * i } }));
        const svg = d3.select(document.querySelector("#roofline svg"));
        const scale = d3.scaleLog([1e-3, 1e12], [0, 500]);
        gridloom.path.draw(svg, { machine, roof }, { x: scale, y: scale }, "red", "FLOP/s", () => {});
        return [...svg.node().querySelectorAll(".roof-path .steps")].at(-1).getAttribute("d");
    });
    assert.equal(many.split("M").length - 1, 512);
    await close();
});

test("axes have numbers as people write them", async () => {
    const { page, close } = await look("gpus");
    const ticks = (await page.locator("#roofline svg .axis .tick text").allTextContents()).map(plain)
        .filter(Boolean);
    assert.ok(ticks.includes("1 T") && ticks.includes("100 G"), ticks.join());
    ticks.forEach((text) => assert.doesNotMatch(text, /e\+?\d/));
    await close();
});

test("every roof of every chip is a line where all are asked for", async () => {
    const { page, close } = await open("gpus");
    await showAll(page);
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
    const { page, close } = await open("gpus");
    await showAll(page);
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

/** Corners of the labels, turned as they are, without the room above and below letters. */
const corners = (page) => page.locator("#roofline .roof-name").evaluateAll((all) => all.map((one) => {
    const { x, y, width, height } = one.getBBox();
    const matrix = one.getScreenCTM();
    const at = (px, py) => {
        const point = new DOMPoint(px, py).matrixTransform(matrix);
        return [point.x, point.y];
    };
    return { text: one.textContent, points: [at(x, y + 3), at(x + width, y + 3), at(x + width, y + height - 3),
        at(x, y + height - 3)] };
}));

/** Does a line along a side of `a` part both? */
const isPartedBy = (a, b) => [0, 1].some((i) => {
    const normal = [a.points[i + 1][0] - a.points[i][0], a.points[i + 1][1] - a.points[i][1]];
    const [own, other] = [a, b].map(({ points }) => points.map(([x, y]) => x * normal[0] + y * normal[1]));
    return Math.max(...own) <= Math.min(...other) || Math.max(...other) <= Math.min(...own);
});

["gpus", "pcg", "wafer", "chips"].forEach((name) => [1400, 700].forEach((width) =>
    test(`labels of ${name} do not lie on each other at ${width} px`, async () => {
        const { page, close } = await open(name, { width });
        for (const isAll of [false, true]) {
            if (isAll) await showAll(page);
            const boxes = await corners(page);
            assert.ok(boxes.length >= 2, `${boxes.length} labels`);
            boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => assert.ok(
                isPartedBy(a, b) || isPartedBy(b, a), `${a.text} and ${b.text}`)));
        }
        await close();
    })));

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
    await showAll(page);
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
