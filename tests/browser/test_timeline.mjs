// The timeline: lanes, zoom, search, pointing, flows, folding, runs.
import assert from "node:assert/strict";
import { test } from "node:test";

import { frames, look, open, picture, span } from "./pages.mjs";

const CANVAS = ".lanes canvas";
const labels = (page) => page.$$eval(".labels .label", (all) => all.map((one) => one.title));
const length = ({ from, to }) => to - from;

/** Where an event is on the screen, once it is scrolled to. */
const centre = (page, events, name) => page.evaluate(([which, wanted]) => {
    const { view } = gridloom.timeline;
    const all = view.trace[which];
    let index = 0;
    while (view.trace.shapes[all.shape[index]].name !== wanted) index++;
    view.jump({ events: which, index });
    view.select(null);
    view.stage.scrollIntoView({ block: "center" });
    const box = view.box({ events: which, index });
    const canvas = view.canvas.getBoundingClientRect();
    return { x: canvas.left + (box.left + box.right) / 2, y: canvas.top + box.top + box.height / 2, index };
}, [events, name]);

test("shows the lanes of a real run", async () => {
    const { page, close } = await look("pcg");
    const shown = await labels(page);
    ["core", "core[0,0]", "reader", "writer", "unpack", "math", "pack", "unpacker", "fpu", "packer"]
        .forEach((name) => assert.ok(shown.includes(name), `${name} in ${shown}`));
    await close();
});

test("shows the PEs of a wafer", async () => {
    const { page, close } = await look("wafer");
    assert.ok((await labels(page)).some((name) => name.startsWith("pe")));
    await close();
});

test("shows the lanes of the trace", async () => {
    const { page, close } = await look("small");
    const shown = await labels(page);
    ["core", "core[0,0]", "reader", "math", "pack", "cb 0, pages \u2264\u20098"].forEach((name) =>
        assert.ok(shown.includes(name), `${name} in ${shown}`));
    assert.ok((await page.textContent("#timeline")).includes("slices"));
    await close();
});

test("zooms with the wheel, buttons and keys", async () => {
    const { page, close } = await open("small");
    const home = await span(page);
    const whole = { from: 0, to: await page.evaluate(() => gridloom.timeline.view.trace.end) };
    const ticks = await page.textContent(".time-axis");
    const drawn = await picture(page, CANVAS);
    await page.locator(".stage").scrollIntoViewIfNeeded();
    const box = await page.locator(CANVAS).boundingBox();
    await page.mouse.move(box.x + 300, box.y + 100);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -400);
    await frames(page); // wheel() returns before the page has the event
    await page.keyboard.up("Control");
    const near = await span(page);
    assert.ok(length(near) < length(whole) * 0.9, "the wheel zooms in");
    assert.notEqual(await page.textContent(".time-axis"), ticks, "the axis follows");
    assert.notEqual(await picture(page, CANVAS), drawn, "and so does the picture");
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 100, { steps: 4 });
    await page.mouse.up();
    await frames(page); // until then d3 takes a click for the end of the drag
    assert.ok((await span(page)).from > near.from, "dragging moves");
    await page.getByRole("button", { name: "Show the whole run" }).click();
    assert.deepEqual(await span(page), whole);
    await page.getByRole("button", { name: "Zoom in" }).click();
    assert.ok(Math.abs(length(await span(page)) - length(whole) / 2) < 1);
    await page.focus(".lanes");
    for (const [key, less] of [["w", true], ["s", false], ["+", true], ["-", false]]) {
        const was = length(await span(page));
        await page.keyboard.press(key);
        assert.equal(length(await span(page)) < was, less, key);
    }
    for (const [key, later] of [["d", true], ["a", false], ["ArrowRight", true], ["ArrowLeft", false]]) {
        const was = (await span(page)).from;
        await page.keyboard.press(key);
        assert.equal((await span(page)).from > was, later, key);
    }
    await page.keyboard.press("0");
    assert.ok(Math.abs(length(await span(page)) - length(home)) < 1);
    await close();
});

test("shows a part that is marked in the overview", async () => {
    const { page, close } = await open("small");
    const whole = await span(page);
    await page.evaluate(() => gridloom.timeline.view.zoomTo(0, 100));
    await page.locator(".overview").scrollIntoViewIfNeeded();
    const box = await page.locator(".overview").boundingBox();
    await page.mouse.move(box.x + box.width - 300, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 100, box.y + 20, { steps: 5 });
    await page.mouse.up();
    const part = await span(page);
    assert.ok(part.from > whole.to / 2 && length(part) < length(whole) / 2, JSON.stringify(part));
    await close();
});

test("finds operations by name, highlights them and jumps", async () => {
    const { page, close } = await open("small");
    const whole = await span(page);
    const drawn = await picture(page, CANVAS);
    await page.getByLabel("Search the timeline").fill("mul_ti");
    const count = await page.evaluate(() => {
        const { trace } = gridloom.timeline.view;
        return trace.slices.shape.filter((shape) => trace.shapes[shape].name === "mul_tiles").length;
    });
    assert.equal(await page.textContent(".found"), `${count} found`);
    assert.notEqual(await picture(page, CANVAS), drawn, "others fade");
    await page.keyboard.press("Enter");
    assert.ok(length(await span(page)) < length(whole));
    assert.match(await page.textContent(".details"), /mul_tiles/);
    assert.equal(await page.textContent(".found"), `1 of ${count}`);
    await page.getByRole("button", { name: "Next match" }).click();
    assert.equal(await page.textContent(".found"), `2 of ${count}`);
    await page.getByRole("button", { name: "Previous match" }).click();
    await page.getByRole("button", { name: "Previous match" }).click();
    assert.equal(await page.textContent(".found"), `${count} of ${count}`);
    await page.getByLabel("Search the timeline").fill("core[3,2].pack");
    assert.equal(await page.textContent(".found"), "core[3,2].pack");
    assert.ok((await labels(page)).includes("core[3,2]"));
    await page.getByLabel("Search the timeline").fill("nothing like it");
    assert.equal(await page.textContent(".found"), "none found");
    await close();
});

test("says what the pointer is on", async () => {
    const { page, close } = await open("small");
    for (const [events, name, says] of [
        ["slices", "pack_tile", ["pack_tile", "lane", "begin", "end", "length", "cycles", "cb", "bytes", "2048"]],
        ["marks", "circular_buffer", ["waits: circular buffer", "length", "cycles"]],
        ["marks", "arrive", ["arrive", "at"]],
    ]) {
        const { x, y } = await centre(page, events, name);
        await page.mouse.move(x, y);
        const text = await page.textContent(".stage .tip:not([hidden])");
        says.forEach((word) => assert.ok(text.includes(word), `${word} in ${text}`));
        assert.equal(await page.locator(".pointed .cursor").count(), 1, "the time cursor");
        assert.match(await page.textContent(".pointed .cursor-time"), /\d/);
    }
    await page.mouse.move(5, 5);
    assert.equal(await page.locator(".stage .tip:not([hidden])").count(), 0);
    assert.equal(await page.locator(".pointed .cursor").count(), 0);
    await close();
});

test("draws flows of what is selected, and follows them", async () => {
    const { page, close } = await open("small");
    const { x, y } = await centre(page, "marks", "arrive");
    // The first core's has no sender: the second one has.
    await page.evaluate(() => {
        const { view } = gridloom.timeline;
        const [to] = [...view.trace.flows.to.keys()];
        view.jump(gridloom.details.hitOf(to));
    });
    assert.ok(x > 0 && y > 0);
    assert.equal(await page.locator(".pointed path.flow").count(), 1);
    assert.equal(await page.locator(".pointed .chosen").count(), 1);
    await page.locator(".flows button").first().click();
    assert.match(await page.textContent(".details"), /to core\[1,0\]\.reader: arrive/);
    await page.focus(".lanes");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".pointed path.flow").count(), 0);
    await close();
});

test("selects what is clicked", async () => {
    const { page, close } = await open("small");
    const { x, y } = await centre(page, "slices", "copy_tile");
    await page.mouse.click(x, y);
    assert.match(await page.textContent(".details"), /copy_tile/);
    await close();
});

test("folds and unfolds places", async () => {
    const { page, close } = await open("small");
    const rows = () => page.evaluate(() => gridloom.timeline.view.rows.list.length);
    const many = await rows();
    await page.locator(".label.place", { hasText: "core[0,0]" }).click();
    assert.ok(await rows() < many);
    await page.locator(".label.kind", { hasText: "core" }).click();
    assert.ok(await rows() < 5);
    await page.getByRole("button", { name: "Unfold all places" }).click();
    assert.ok(await rows() > many);
    await page.getByRole("button", { name: "Fold all places", exact: true }).click();
    assert.equal(await page.locator(".label.lane[data-lane^=core]").count(), 0);
    await close();
});

test("tells time in cycles, too", async () => {
    const { page, close } = await open("small");
    assert.match(await page.textContent(".time-axis"), /time in .s/);
    await page.getByRole("button", { name: "Switch between time and cycles" }).click();
    assert.match(await page.textContent(".time-axis"), /time in cycles/);
    await close();
});

test("shows each of several runs", async () => {
    const { page, close } = await open("two");
    const before_ = await page.evaluate(() => gridloom.timeline.view.run.index);
    await page.locator("#timeline .choice button").nth(1).click();
    assert.equal(before_, 0);
    assert.equal(await page.evaluate(() => gridloom.timeline.view.run.index), 1);
    await close();
});

test("has all of 50,000 slices, however narrow", async () => {
    const { page, close } = await open("large");
    const counts = await page.evaluate(() => {
        const { view } = gridloom.timeline;
        const all = view.trace.slices.count;
        view.fold(true);
        view.draw();
        return { all, looked: view.painted };
    });
    assert.ok(counts.all >= 50000, `${counts.all} slices`);
    assert.ok(counts.looked < counts.all, "slices narrower than a pixel are drawn as one");
    await close();
});
