// The page of a validation: the scatter plot, what it shows of rows, filters and sorting.
import assert from "node:assert/strict";
import { test } from "node:test";

import { frames, look, open } from "./pages.mjs";

const marks = (page, more = "") => page.locator(`#scatter .mark${more}`).count();
const rows = (page) => page.locator("#rows tbody tr").count();

test("tells how many rows are within their tolerance, calibrated and predicted apart", async () => {
    const { page, close } = await look("validation");
    const summary = await page.textContent("#summary");
    assert.match(summary, /Within their tolerance5of 6 rows/);
    assert.match(summary, /Outside1/);
    assert.match(summary, /Not judged1/);
    assert.match(summary, /Not run1/);
    assert.match(summary, /Mean error, calibrated4\.76/);
    const line = page.locator("#summary tbody tr", { hasText: "calibrated" }).first();
    assert.match(await line.textContent(), /^firstcalibrated/);
    assert.match(await page.textContent("#context"), /gpu.*7 us.*another machine/);
    await close();
});

test("draws a point for each row with two numbers, by kind and suite, on labelled axes", async () => {
    const { page, close } = await look("validation");
    assert.equal(await marks(page), 6);
    assert.equal(await marks(page, ".fail"), 1);
    assert.equal(await marks(page, ".skipped"), 1);
    const shapes = await page.$$eval("#scatter .mark", (all) => new Set(all.map((one) =>
        one.getAttribute("d").includes("A"))).size);
    assert.equal(shapes, 2, "circles and diamonds");
    const fills = await page.$$eval("#scatter .mark", (all) => new Set(all.map((one) =>
        one.getAttribute("fill"))).size);
    assert.equal(fills, 2, "a colour for each suite");
    const picture = await page.textContent("#scatter svg");
    assert.match(picture, /published/);
    assert.match(picture, /simulated/);
    assert.match(await page.textContent("#scatter .note"), /2 of 8 rows are not in the picture/);
    await close();
});

test("what is published exactly lies on the diagonal, and within its tolerance in the band", async () => {
    const { page, close } = await look("validation");
    const places = await page.evaluate(() => {
        const line = document.querySelector("#scatter .diagonal");
        const at = (name) => Number(line.getAttribute(name));
        return [...document.querySelectorAll("#scatter .mark")].map((mark) => {
            const [x, y] = mark.getAttribute("transform").match(/[\d.]+/g).map(Number);
            const part = (x - at("x1")) / (at("x2") - at("x1"));
            const row = mark.__data__;
            return { name: row.case, off: y - (at("y1") + part * (at("y2") - at("y1"))), error: row.error };
        });
    });
    const sum = places.find((place) => place.name === "sum");
    assert.ok(Math.abs(sum.off) < 0.01, `${sum.off}`);
    const two = places.find((place) => place.name === "two");
    assert.ok(two.error < 0 && two.off > 0, "too small is below");
    await close();
});

test("pointing at a point shows its row", async () => {
    const { page, close } = await open("validation");
    const tip = page.locator("#scatter .tip");
    assert.equal(await tip.isVisible(), false);
    await page.locator("#scatter .mark.fail").hover();
    assert.equal(await tip.isVisible(), true);
    const text = await tip.textContent();
    ["slow", "paper Fig. 3", "published", "70 us", "simulated", "50 us", "predicted", "fail", "first"]
        .forEach((word) => assert.ok(text.includes(word), `${word}: ${text}`));
    await page.mouse.move(5, 5);
    assert.equal(await tip.isVisible(), false);
    await close();
});

test("errors are the other view", async () => {
    const { page, close } = await open("validation");
    await page.getByRole("button", { name: "Errors" }).click();
    await frames(page);
    assert.match(await page.textContent("#scatter svg"), /error of the simulated value/);
    assert.equal(await marks(page), 6);
    assert.match(await page.textContent("#scatter .note"), /^On the line at 0 both are the same/);
    await page.getByRole("button", { name: "Values" }).click();
    assert.match(await page.textContent("#scatter .note"), /^On the diagonal both are the same/);
    await close();
});

test("suite, kind and status filter picture and rows alike", async () => {
    const { page, close } = await open("validation");
    assert.equal(await rows(page), 8);
    await page.getByLabel("All suites").selectOption("second");
    assert.equal(await rows(page), 2);
    await frames(page);
    assert.equal(await marks(page), 1);
    await page.getByLabel("All suites").selectOption("");
    await page.getByLabel("Calibrated and predicted").selectOption("calibrated");
    assert.equal(await rows(page), 1);
    await page.getByLabel("Calibrated and predicted").selectOption("");
    await page.getByLabel("Every status").selectOption("fail");
    assert.equal(await rows(page), 1);
    assert.match(await page.textContent("#rows .failed"), /slow/);
    await page.getByLabel("Every status").selectOption("");
    await page.getByLabel("Filter rows").fill("fig. 2");
    assert.equal(await rows(page), 3);
    await page.getByLabel("Filter rows").fill("no such row");
    assert.equal(await rows(page), 0);
    await close();
});

test("sorts by the size of errors", async () => {
    const { page, close } = await open("validation");
    const head = page.locator("#rows thead").getByRole("button", { name: "Error" });
    await head.click();
    await head.click();
    assert.match(await page.textContent("#rows tbody tr:first-child"), /seen|slow/);
    const sizes = await page.$$eval("#rows tbody tr td:nth-child(6)", (all) => all.map((cell) =>
        Math.abs(parseFloat(cell.textContent.replace("\u2212", "-")))).filter(Number.isFinite));
    assert.deepEqual(sizes, [...sizes].sort((a, b) => b - a));
    assert.ok(sizes.length >= 5);
    await close();
});
