// What a page tells: figures, bars, charts with labelled axes, the map, parameters.
import assert from "node:assert/strict";
import { test } from "node:test";

import { look, open, picture } from "./pages.mjs";

const MAP = ".map canvas";

test("says what ran on what", async () => {
    const { page, close } = await look("pcg");
    const text = await page.textContent("#what");
    ["pcg", "wormhole_n300", "tiles", "iterations", "Overrides", "none", "Seed", "0.1.0"]
        .forEach((word) => assert.ok(text.includes(word), word));
    const digest = await page.getAttribute(".digest", "title");
    assert.match(digest, /^[0-9a-f]{64}$/);
    assert.match(await page.textContent("#summary"), /pass/);
    const parts = await page.textContent("#time");
    ["Host", "Transfer", "Launch", "Device", "spmv", "dot", "axpy"].forEach((word) =>
        assert.ok(parts.includes(word), word));
    const units = await page.textContent("#units");
    ["unpack", "math", "pack", "circular buffer", "semaphore", "idle"].forEach((word) =>
        assert.ok(units.includes(word), word));
    await close();
});

test("labels its axes", async () => {
    const { page, close } = await look("pcg");
    const residual = await page.textContent("#residual svg");
    assert.match(residual, /iteration/);
    assert.match(residual, /norm of the residual/);
    const roofline = await page.textContent("#roofline svg");
    assert.match(roofline, /operations per byte, FLOP\/B/);
    assert.match(roofline, /rate, FLOP\/s/);
    ["FPU", "unpack"].forEach((roof) => assert.ok(roofline.includes(roof), roof));
    assert.match(await page.textContent(".time-axis"), /time in/);
    for (const chart of ["#residual", "#roofline"]) {
        assert.ok(await page.locator(`${chart} .axis.x .tick`).count() >= 2, chart);
        assert.ok(await page.locator(`${chart} .axis.y .tick`).count() >= 2, chart);
    }
    assert.ok(await page.locator("#roofline .point").count() >= 1);
    assert.ok(await page.locator("#residual circle").count() >= 3);
    await close();
});

test("shows the source of kernels with the time of its lines", async () => {
    const { page, close } = await open("source");
    const rows = page.locator("#source tbody tr");
    const cells = (row) => row.locator("th, td").allTextContents();
    assert.deepEqual(await cells(page.locator("#source .hot")),
        ["9", "460", "92\u202f%", "", "    cb_wait_front(0, 1); // <b>", "80", "380"]);
    assert.deepEqual(await cells(page.locator("#source tfoot tr")),
        ["", "500", "100\u202f%", "", "all lines", "120", "380"]);
    // The file's name, lines 5 to 10, and what belongs to none.
    assert.equal(await rows.count(), 1 + 6 + 1);
    await page.getByLabel("Kernel").selectOption({ index: 1 });
    assert.deepEqual(await cells(page.locator("#source .hot")), ["3", "70", "100\u202f%", "", "", "70"]);
    await close();
});

test("the slider changes the map, and so do kind and quantity", async () => {
    const { page, close } = await open("small");
    const seen = new Set([await picture(page, MAP)]);
    const slide = async (to) => {
        await page.getByLabel("Time of the map").evaluate((node, value) => {
            node.value = value;
            node.dispatchEvent(new Event("input"));
        }, to);
        seen.add(await picture(page, MAP));
    };
    await slide(0);
    await slide(60);
    await slide(190);
    assert.equal(seen.size, 4);
    assert.match(await page.textContent(".when"), /to/);
    await page.getByRole("button", { name: "All the time" }).click();
    assert.match(await page.textContent(".when"), /mean/);
    await page.getByLabel("What the map shows").selectOption("math, waiting");
    seen.add(await picture(page, MAP));
    assert.equal(seen.size, 5);
    await page.getByLabel("Kind of place").selectOption("noc0");
    seen.add(await picture(page, MAP));
    assert.equal(seen.size, 6);
    await close();
});

test("the map plays", async () => {
    const { page, close } = await open("small");
    const still = await picture(page, MAP);
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction((was) => document.querySelector(".map canvas").toDataURL() !== was, still);
    await page.getByRole("button", { name: "Pause" }).click();
    const paused = await page.getByLabel("Time of the map").inputValue();
    await page.waitForTimeout(300);
    assert.equal(await page.getByLabel("Time of the map").inputValue(), paused);
    await close();
});

test("shows the range of an energy whose parts are assumed", async () => {
    const { page, close } = await look("pcg");
    const cards = await page.locator("#summary .card").allTextContents();
    const energy = cards.filter((text) => text.startsWith("Energy"));
    assert.equal(energy.length, 1);
    assert.match(energy[0], /^Energy[\d.]+\s.?J[\d.]+\s.?J to [\d.]+\s.?J, as parts are assumed$/u);
    await close();
});

test("puts runs side by side with ratios to the first", async () => {
    const { page, close } = await look("two");
    const table = await page.textContent("#summary table");
    assert.match(table, /Measured time/);
    assert.match(table, /\u00d7/);
    assert.equal(await page.locator("#summary thead th").count(), 3);
    assert.equal(await page.locator("#residual path.line").count(), 2);
    assert.equal(await page.locator(".map canvas").count(), 2);
    assert.match(await page.textContent("#what"), /noc\.hop_cycles/);
    await close();
});

test("lists every parameter, sorts, filters and marks what is overridden", async () => {
    const { page, close } = await open("two");
    const rows = () => page.locator("#parameters tbody tr").count();
    const first = () => page.textContent("#parameters tbody tr:first-child th");
    const all = await page.evaluate(() =>
        JSON.parse(document.getElementById("data").textContent).runs[0].result.chip_parameters.length);
    assert.equal(await rows(), all);
    assert.equal(await page.locator("#parameters .marked").count(), 0);
    await page.locator("#parameters .choice button").nth(1).click();
    assert.equal(await page.locator("#parameters .marked").count(), 1);
    assert.match(await page.textContent("#parameters .marked"), /noc\.hop_cycles.*11.*assumed/);
    await page.getByRole("button", { name: "Parameter" }).click();
    const up = await first();
    await page.getByRole("button", { name: "Parameter" }).click();
    assert.ok(await first() > up);
    assert.equal(await page.getAttribute("#parameters th[aria-sort=descending]", "aria-sort"), "descending");
    await page.getByLabel("Filter chip parameters").fill("hop_cyc");
    assert.ok(await rows() < 10 && await rows() > 0);
    await page.getByLabel("Filter chip parameters").fill("no such thing");
    assert.equal(await rows(), 0);
    await close();
});

test("runs on different chips have each its own roofs", async () => {
    const { page, close } = await look("chips");
    assert.match(await page.textContent("#summary"), /Time per iteration, without launches/);
    const row = page.locator("#roofline tr", { hasText: "host to device" });
    assert.match((await row.textContent()).replace(/[\u00a0\u202f]/g, " "), /A: 24 GB\/sB: 7 GB\/s/);
    const names = await page.locator("#roofline svg .roof title").allTextContents();
    ["wormhole_n300: unpack ", "wse2: ramps into PEs ", "wormhole_n300: FPU ", "wse2: f32 arithmetic "].forEach((name) =>
        assert.ok(names.some((one) => one.startsWith(name)), `${name}: ${names}`));
    await close();
});

test("a result without a trace leaves timeline and map out, and says so", async () => {
    const { page, close } = await look("bare");
    assert.match(await page.textContent("#timeline"), /No trace was given/);
    assert.match(await page.textContent("#map"), /No trace was given/);
    assert.equal(await page.locator("canvas").count(), 0);
    assert.ok(await page.locator("#roofline svg").count() === 1);
    await close();
});

test("a map of a chip without such places says which ones to choose", async () => {
    const { page, close } = await open("kinds");
    const notes = () => page.locator(".map .note").allTextContents();
    assert.deepEqual(await notes(), ["", "It has no core: choose pe above."]);
    await page.getByLabel("Kind of place").selectOption("pe");
    assert.match((await notes())[0], /^It has no pe: choose core/);
    assert.deepEqual(await page.locator(MAP).evaluateAll((all) => all.map((one) => one.hidden)), [true, false]);
    await close();
});

test("a network's result has a map of its links", async () => {
    const { page, close } = await open("noc");
    const still = await picture(page, MAP);
    await page.getByLabel("Time of the map").evaluate((node) => {
        node.value = 1;
        node.dispatchEvent(new Event("input"));
    });
    assert.notEqual(await picture(page, MAP), still);
    assert.match(await page.textContent("#metrics"), /latency mean/);
    await close();
});

test("a network's page leads with latency, throughput and saturation", async () => {
    const { page, close } = await look("noc");
    assert.equal(await page.textContent("h1"), "uniform traffic, 6x4 mesh, minimal routing");
    const cards = await page.locator("#summary .card").allTextContents();
    assert.match(cards[0], /^Latency[\d.]+ cycles/);
    assert.match(cards[1], /^Throughput0\.\d+flits per node and cycle/);
    assert.match(cards[2], /^Saturationnot reached/);
    assert.doesNotMatch(cards.slice(0, 3).join(), /Measured/);
    // One for places and one for links: each has its own largest value.
    assert.equal(await page.locator("#map .ramp-bar").count(), 2);
    await close();
});

test("a saturated rate is named, not averaged", async () => {
    const { page, close } = await look("saturated");
    const cards = await page.locator("#summary .card").allTextContents();
    assert.match(cards[2], /^Saturationat rate 0\.5/);
    const rows = page.locator("#network tbody tr");
    assert.match(await rows.first().textContent(), /0\.1.*\d/);
    assert.deepEqual(await rows.last().locator("td").allTextContents().then((all) => all.slice(2)),
        ["saturated", "\u2013", "\u2013", "\u2013", "\u2013"]);
    assert.equal(await page.locator("#network .saturation").count(), 2);
    await close();
});

test("routings that were compared have a curve, a saturation and a table each", async () => {
    const { page, close } = await look("compared");
    assert.equal(await page.textContent("h1"), "transpose traffic, 4x4 mesh, xy,valiant routings");
    assert.match((await page.locator("#summary .card").allTextContents())[0], /^Routingxythe first of 2/);
    assert.equal(await page.locator("#network path.line").count(), 4);
    assert.equal(await page.locator("#network .saturation").count(), 4);
    assert.deepEqual(await page.locator("#network .panel > h3").allTextContents(),
        ["Latency", "Throughput", "xy", "valiant"]);
    await close();
});

test("every wait has a line that explains it", async () => {
    const { page, close } = await look("pcg");
    const plain = (all) => all.map((text) => text.trim());
    const waits = plain(await page.locator("#units .panel", { hasText: "Waits" }).locator(".bar-name").allTextContents());
    assert.deepEqual(plain(await page.locator("#units .meanings dt").allTextContents()), waits);
    const meanings = await page.locator("#units .meanings dd").allTextContents();
    assert.ok(waits.length > 4 && meanings.every((text) => text.length > 20), meanings.join());
    await close();
});

test("names full of HTML stay text", async () => {
    const { page, close } = await open("hostile");
    await page.getByRole("button", { name: "Unfold all places" }).click();
    await page.getByLabel("Search the timeline").fill("add_tiles");
    await page.keyboard.press("Enter");
    await page.getByLabel("What the map shows").selectOption({ index: 1 });
    const box = await page.locator(".map canvas").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("main script, main img").count(), 0);
    assert.match(await page.textContent("h1"), /<\/script><script>window\.hacked=1/);
    assert.match(await page.textContent(".details"), /<img src=x/);
    assert.match(await page.textContent("#parameters"), /<img src=x/);
    await close();
});
