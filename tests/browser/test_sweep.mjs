// Pages of sweeps: table, picture, front and parallel coordinates tell the same runs.
import assert from "node:assert/strict";
import { test } from "node:test";

import { frames, look, open } from "./pages.mjs";

const head = (page, name) => page.locator("#runs thead button").filter({ hasText: new RegExp(`^${name}$`) });
/** Texts of a column of the rows that are there. */
const column = (page, name) => page.evaluate((which) => {
    const heads = [...document.querySelectorAll("#runs thead th")].map((one) => one.textContent);
    return [...document.querySelectorAll("#runs tbody tr:not(.room)")].map((row) =>
        row.children[heads.indexOf(which)].textContent);
}, name);
const rows = (page) => page.locator("#runs tbody tr:not(.room)").count();
const points = (page) => page.getAttribute("#picture .scatter", "data-points").then(Number);
const canvas = (page, selector) => page.evaluate((which) =>
    document.querySelector(which).toDataURL(), selector);

test("the summary counts runs and tells what was varied", async () => {
    const { page, close } = await look("sweep_small");
    assert.equal(await page.title(), "A sweep of hops - gridloom");
    const cards = await page.locator("#summary .card").allTextContents();
    assert.match(cards[0], /Done22of 24 runs/);
    assert.match(cards[1], /Failed1/);
    assert.match(cards[2], /Lost1/);
    assert.match(cards[3], /Least seconds5\.5e-6tiles=1 noc\.hop_cycles=5 system=t3000/);
    const axes = await page.locator("#summary tbody tr").allTextContents();
    assert.deepEqual(axes, ["tiles1, 2, 4, 8", "noc.hop_cycles5, 9, 13", "systemn300, t3000"]);
    assert.deepEqual(await page.locator("#contents a").allTextContents(),
        ["Summary", "Picture", "All columns", "Failed runs", "Runs"]);
    await close();
});

test("the title of an axis stands beside its numbers", async () => {
    const { page, close } = await open("sweep_small");
    await page.getByLabel("Vertical").selectOption({ label: "energy_joules" });
    await frames(page);
    const [title, numbers] = await page.evaluate(() => {
        const box = (one) => one.getBoundingClientRect();
        const ticks = [...document.querySelectorAll("#picture .axis.y .tick text")];
        const longest = ticks[ticks.length - 1];
        longest.textContent = "100,000";
        return [box(document.querySelector("#picture .axis-label[transform]")).right, box(longest).left];
    });
    assert.ok(title <= numbers, `${title} is beyond ${numbers}`);
    await close();
});

test("an axis of whole numbers has no labels between them", async () => {
    const { page, close } = await open("sweep_small");
    await page.getByLabel("Horizontal").selectOption({ label: "tiles" });
    await frames(page);
    const labels = await page.locator("#picture .axis.x .tick text").allTextContents();
    assert.ok(labels.filter(Boolean).length > 2 && labels.every((label) => /^\d*$/.test(label)), String(labels));
    assert.ok(labels.includes(""), `no tick lies between: ${labels}`);
    await close();
});

test("failed runs say why, and lead to their row", async () => {
    const { page, close } = await open("sweep_small");
    const lines = await page.locator("#failures tbody tr").allTextContents();
    assert.equal(lines.length, 2);
    assert.match(lines[0], /^failed1pcg: tiles = 8, up to 4 fitrun 7: tiles=2 noc\.hop_cycles=5 system=t3000$/);
    assert.match(lines[1], /^lost1.*run 11:/);
    await page.locator("#failures .link").first().click();
    assert.match(await page.textContent("#runs tr.chosen"), /^7failedpcg: tiles = 8, up to 4 fit/);
    const details = await page.textContent("#runs .run-details");
    assert.match(details, /run 7/);
    assert.match(details, /up to 4 fit/);
    assert.equal(await page.locator("#runs tr.failed").count(), 2);
    await close();
});

test("sorts by numbers and words, both ways, and what is empty last", async () => {
    const { page, close } = await open("sweep_small");
    const numbers = async () => (await column(page, "seconds")).map(Number).filter(Number.isFinite);
    await head(page, "seconds").click();
    const up = await numbers();
    assert.deepEqual(up, [...up].sort((a, b) => a - b));
    assert.equal(up[0], 5.5e-6);
    assert.equal(await page.locator("#runs th[aria-sort=ascending]").textContent(), "seconds");
    await head(page, "seconds").click();
    const down = await numbers();
    assert.deepEqual(down, [...down].sort((a, b) => b - a));
    await page.evaluate(() => {
        document.querySelector(".grid-box").scrollTop = 1e6;
    });
    await frames(page);
    assert.deepEqual((await column(page, "status")).slice(-2).sort(), ["failed", "lost"]);
    await head(page, "system").click();
    assert.equal((await column(page, "system"))[0], "n300");
    await head(page, "system").click();
    await page.evaluate(() => {
        document.querySelector(".grid-box").scrollTop = 0;
    });
    await frames(page);
    assert.equal((await column(page, "system"))[0], "t3000");
    await close();
});

test("words and conditions filter table and pictures alike", async () => {
    const { page, close } = await open("sweep_small");
    const filter = page.getByLabel("Filter runs");
    const faint = await canvas(page, ".parallel canvas");
    const cases = [["tiles>=4", 12, 12], ["tiles>=4 system=t3000", 6, 6], ["hop_cycles=9", 8, 8],
        ["failed", 1, 0], ["status!=done", 2, 0], ["seconds<1e-5", 3, 3], ["no-such-text", 0, 0],
        ["tiles=two", 0, 0], ["=", 2, 0], ["", 24, 22]];
    for (const [words, kept, drawn] of cases) {
        await filter.fill(words);
        await frames(page);
        assert.match(await page.textContent("#runs .tools .muted"), new RegExp(`^${kept} of 24 runs$`), words);
        assert.equal(await page.getAttribute("#runs table", "aria-rowcount"), String(kept + 1), words);
        assert.equal(await points(page), drawn, words);
        if (kept > 0 && kept < 24) assert.notEqual(await canvas(page, ".parallel canvas"), faint, words);
    }
    await page.getByLabel("Status", { exact: true }).selectOption("lost");
    await frames(page);
    assert.equal(await rows(page), 1);
    await close();
});

test("the picture shows the columns that are chosen", async () => {
    const { page, close } = await open("sweep_small");
    const labels = () => page.locator("#picture .axis-label").allTextContents();
    assert.deepEqual(await labels(), ["noc.hop_cycles", "seconds"]);
    assert.deepEqual(await page.locator("#picture .legend li").allTextContents(), ["n300", "t3000"]);
    const before = await canvas(page, "canvas.cloud");
    await page.getByLabel("Horizontal").selectOption({ label: "tiles" });
    await page.getByLabel("Vertical").selectOption({ label: "energy_joules" });
    await page.getByLabel("Colour", { exact: true }).selectOption({ label: "noc.hop_cycles" });
    await frames(page);
    assert.deepEqual(await labels(), ["tiles", "energy_joules"]);
    assert.equal(await page.getByRole("button", { name: "log x" }).getAttribute("aria-pressed"), "true");
    assert.deepEqual(await page.locator("#picture .legend li").allTextContents(),
        ["noc.hop_cycles 5", "noc.hop_cycles 9", "noc.hop_cycles 13"]);
    assert.notEqual(await canvas(page, "canvas.cloud"), before);
    await page.getByLabel("Horizontal").selectOption({ label: "system" });
    await frames(page);
    assert.deepEqual(await page.locator("#picture .axis.x .tick text").allTextContents(), ["n300", "t3000"]);
    await close();
});

test("the front is what no other run beats, of the runs that are kept", async () => {
    const { page, close } = await open("sweep_small");
    await page.getByRole("button", { name: "Front of seconds and energy_joules" }).click();
    await frames(page);
    const expected = (keeps) => page.evaluate((test) => {
        const { sweep } = JSON.parse(document.getElementById("data").textContent);
        const cells = (name) => sweep.columns.find((one) => one.name === name).cells;
        const [a, b, run] = [cells("seconds"), cells("energy_joules"), cells("run")];
        const all = a.map((value, i) => i).filter((i) => a[i] !== null
            && (!test || cells("tiles")[i] >= 4));
        return all.filter((i) => !all.some((k) => a[k] <= a[i] && b[k] <= b[i]
            && (a[k] < a[i] || b[k] < b[i]))).sort((i, k) => a[i] - a[k]).map((i) => run[i]).join(" ");
    }, keeps);
    const front = () => page.getAttribute("#picture .scatter", "data-front");
    assert.equal(await front(), await expected(false));
    assert.ok((await front()).split(" ").length >= 3, await front());
    await page.getByLabel("Filter runs").fill("tiles>=4");
    await frames(page);
    assert.equal(await front(), await expected(true));
    await page.getByLabel("Filter runs").fill("");
    await page.getByLabel("What is better of y").selectOption("most");
    await frames(page);
    assert.notEqual(await front(), await expected(false));
    await page.getByRole("button", { name: "Front", exact: true }).click();
    await frames(page);
    assert.equal(await front(), "");
    await close();
});

test("pointing at a point shows its run, and clicking chooses it", async () => {
    const { page, close } = await open("sweep_small");
    const tip = page.locator("#picture .tip");
    assert.equal(await tip.isVisible(), false);
    await page.locator("#picture .scatter").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await tip.isVisible(), true);
    const text = await tip.textContent();
    assert.match(text, /noc\.hop_cycles5/);
    assert.match(text, /seconds/);
    await page.keyboard.press("Enter");
    const run = text.match(/^run (\d+)/)[1];
    assert.equal(await page.textContent("#runs tr.chosen th"), run);
    await page.keyboard.press("Escape");
    assert.equal(await tip.isVisible(), false);
    const place = await page.locator("#picture .cloud-reach").boundingBox();
    let seen = 0;
    for (let i = 1; i < 60 && !seen; i++) {
        await page.mouse.move(place.x + place.width - 8, place.y + i * place.height / 60);
        seen = await tip.isVisible() ? i : 0;
    }
    assert.ok(seen, "no point at the right edge");
    assert.match(await tip.textContent(), /noc\.hop_cycles13/);
    await page.mouse.move(5, 5);
    assert.equal(await tip.isVisible(), false);
    await close();
});

test("brushes on axes keep runs, with the mouse and by keys", async () => {
    const { page, close } = await open("sweep_small");
    const names = await page.locator(".parallel .axis-name title").allTextContents();
    assert.deepEqual(names, ["tiles", "noc.hop_cycles", "system", "energy_joules", "seconds"]);
    await page.locator("#parallel").scrollIntoViewIfNeeded();
    const axis = await page.locator(".parallel .axis").first().locator(".overlay").boundingBox();
    const x = axis.x + axis.width / 2;
    await page.mouse.move(x, axis.y + 2);
    await page.mouse.down();
    await page.mouse.move(x, axis.y + 0.45 * axis.height, { steps: 4 });
    await page.mouse.up();
    await frames(page);
    assert.deepEqual([...new Set(await column(page, "tiles"))].sort(), ["4", "8"]);
    assert.equal(await points(page), 12);
    assert.match(await page.textContent("#parallel .note"), /^12 of 24 runs\. Kept: tiles /);
    await page.getByRole("button", { name: "Keep all" }).click();
    await frames(page);
    assert.match(await page.textContent("#runs .tools .muted"), /^24 of 24/);
    await page.locator(".parallel .axis").nth(1).focus();
    for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowDown");
    await frames(page);
    assert.deepEqual([...new Set(await column(page, "noc.hop_cycles"))].sort(), ["5", "9"]);
    for (let i = 0; i < 2; i++) await page.keyboard.press("Shift+ArrowUp");
    await frames(page);
    assert.deepEqual([...new Set(await column(page, "noc.hop_cycles"))], ["9"]);
    await page.keyboard.press("Escape");
    await frames(page);
    assert.match(await page.textContent("#runs .tools .muted"), /^24 of 24/);
    await close();
});

test("a number of a run is a button that the keyboard reaches", async () => {
    const { page, close } = await open("sweep_small");
    const button = page.locator("#runs tbody .link").nth(3);
    await button.focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.textContent("#runs tr.chosen th"), "3");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "3");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#runs tr.chosen").count(), 0);
    await close();
});

test("six thousand rows scroll, sort and filter with few elements", async () => {
    const { page, close } = await open("sweep_large");
    assert.match(await page.textContent("#runs .tools .muted"), /^6000 of 6000/);
    assert.ok(await rows(page) < 80, `${await rows(page)} rows`);
    assert.ok(await page.evaluate(() => document.querySelectorAll("*").length) < 2500);
    await page.evaluate(() => {
        document.querySelector(".grid-box").scrollTop = 3000 * 31;
    });
    await frames(page);
    const runs = (await column(page, "run")).map(Number);
    assert.ok(runs.includes(3000), runs.join());
    const heights = await page.evaluate(() => {
        const box = document.querySelector(".grid-box");
        return { all: box.scrollHeight, row: document.querySelector("#runs tbody tr:not(.room)").offsetHeight };
    });
    assert.equal(heights.row, 31);
    assert.ok(Math.abs(heights.all - 6001 * 31) < 40, `${heights.all}`);
    await page.getByLabel("Filter runs").fill("status=failed");
    await frames(page);
    assert.match(await page.textContent("#runs .tools .muted"), /^353 of 6000/);
    await page.evaluate(() => {
        document.querySelector(".grid-box").scrollTop = 0;
    });
    await frames(page);
    // Work for each step, not time: pictures and table once for each frame.
    const drawn = await page.evaluate(() => new Promise((done) => {
        const input = document.querySelector("#runs input");
        let count = 0;
        const table = document.querySelector("#runs tbody");
        new MutationObserver(() => {
            count++;
        }).observe(table, { childList: true }); // all of one task are one call
        for (let i = 0; i < 20; i++) {
            input.value = `tiles>=${i}`;
            input.dispatchEvent(new Event("input"));
        }
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(count), 0)));
    }));
    assert.equal(drawn, 1);
    await close();
});

test("names and errors full of HTML are text", async () => {
    const { page, close } = await open("sweep_hostile");
    await page.getByRole("button", { name: /^Front of/ }).click();
    await page.locator("#picture .scatter").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByLabel("Filter runs").fill("<script>");
    await frames(page);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("main img, main script").count(), 0);
    assert.match(await page.textContent("h1"), /<\/script><script>window\.hacked=1/);
    assert.match(await page.textContent("#failures code"), /<img src=x onerror=/);
    assert.match(await page.textContent("#picture .tip"), /<img src=x onerror=/);
    await close();
});

test("one run alone is a table and a picture", async () => {
    const { page, close } = await look("sweep_alone");
    assert.equal(await rows(page), 1);
    assert.equal(await points(page), 1);
    assert.equal(await page.locator("#parallel").count(), 0);
    await close();
});

test("paper has the whole table", async () => {
    const { page, close } = await open("sweep_small");
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    assert.equal(await rows(page), 24);
    await close();
});
