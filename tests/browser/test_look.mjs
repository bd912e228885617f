// How pages look: nothing overflows, text is large and strong enough, paper is light.
import assert from "node:assert/strict";
import { test } from "node:test";

import { frames, names, open } from "./pages.mjs";

/** Elements that reach past the right edge, but for those in something that scrolls. */
const overflow = (page) => page.evaluate(() => {
    const isHeld = (node) => {
        for (let up = node.parentElement; up && up !== document.body; up = up.parentElement) {
            if (getComputedStyle(up).overflowX !== "visible") return true;
        }
        return false;
    };
    const wide = [...document.body.querySelectorAll("*")].filter((node) =>
        node.getBoundingClientRect().right > window.innerWidth + 0.5 && !isHeld(node));
    return {
        page: document.documentElement.scrollWidth - window.innerWidth,
        elements: wide.slice(0, 5).map((node) => `${node.tagName}.${node.className}`),
    };
});

/** Texts, pictures and controls that are cut off where nothing scrolls. */
const cutOff = (page) => page.evaluate(() => {
    /** The nearest thing that hides what reaches past it; null where one can scroll to it. */
    const holderOf = (node) => {
        for (let up = node; up && up !== document.body; up = up.parentElement) {
            const { overflowX } = getComputedStyle(up);
            if (overflowX === "auto" || overflowX === "scroll") return null;
            if (overflowX !== "visible" && !(up instanceof SVGElement)) return up;
        }
        return document.documentElement;
    };
    const edgeOf = (holder) => (holder === document.documentElement ? window.innerWidth
        : holder.getBoundingClientRect().right);
    const faults = [];
    const judge = (node, right, words) => {
        const holder = holderOf(node);
        const named = node.closest("[title]"); // what an ellipsis stands for
        if (named && named.title.includes(words)) return;
        if (holder && right > edgeOf(holder) + 1) faults.push(`${node.tagName}.${node.className}: ${words.slice(0, 40)}`);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { parentElement: node, textContent } = walker.currentNode;
        if (textContent.trim() && node.getClientRects().length
            && !node.closest("svg, script, style, option, noscript, .skip")) {
            const range = document.createRange();
            range.selectNodeContents(walker.currentNode);
            judge(node, range.getBoundingClientRect().right, textContent.trim());
        }
    }
    document.querySelectorAll("main svg, main canvas, main img, button, input, select").forEach((node) => {
        if (node.getClientRects().length) judge(node.parentElement, node.getBoundingClientRect().right, node.textContent || node.tagName);
    });
    return faults.slice(0, 5);
});

/** Text that is smaller than 12 px or weaker than 4.5 to 1 against what is behind it. */
const weakText = (page) => page.evaluate(() => {
    const parse = (text) => {
        const [red, green, blue, alpha = 1] = (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
        return { red, green, blue, alpha };
    };
    const over = (top, under) => ({
        red: top.red * top.alpha + under.red * (1 - top.alpha),
        green: top.green * top.alpha + under.green * (1 - top.alpha),
        blue: top.blue * top.alpha + under.blue * (1 - top.alpha),
        alpha: 1,
    });
    const grounds = new Map([[null, { red: 255, green: 255, blue: 255, alpha: 1 }]]);
    const behind = (node) => {
        if (!grounds.has(node)) {
            grounds.set(node, over(parse(getComputedStyle(node).backgroundColor), behind(node.parentElement)));
        }
        return grounds.get(node);
    };
    const light = ({ red, green, blue }) => {
        const [r, g, b] = [red, green, blue].map((part) => {
            const value = part / 255;
            return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => {
        const [high, low] = [light(a), light(b)].sort((one, two) => two - one);
        return (high + 0.05) / (low + 0.05);
    };
    const faults = [];
    let count = 0;
    const judge = (node, text, style) => {
        const colour = node.closest("svg") && !(node instanceof HTMLElement) ? style.fill : style.color;
        const ground = behind(node);
        const ratio = contrast(over(parse(colour), ground), ground);
        const size = parseFloat(style.fontSize);
        count++;
        if (size < 12 || ratio < 4.5) {
            faults.push(`"${text.slice(0, 30)}" ${node.tagName}.${node.getAttribute("class")}: `
                + `${size} px, ${ratio.toFixed(2)} to 1`);
        }
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode.parentElement;
        const text = walker.currentNode.textContent.trim();
        if (text && !node.closest("script, style, title, option, noscript")
            && node.getClientRects().length) judge(node, text, getComputedStyle(node));
    }
    document.querySelectorAll("input, select").forEach((node) => {
        judge(node, node.value || node.tagName, getComputedStyle(node));
        if (node.placeholder) judge(node, node.placeholder, getComputedStyle(node, "::placeholder"));
    });
    return { count, faults: [...new Set(faults)].slice(0, 12) };
});

/** Things that are there only when somebody points at something. */
const pointAt = (page) => page.evaluate(() => {
    const { view } = gridloom.timeline;
    if (view && view.trace.slices.count) {
        view.jump({ events: "slices", index: 0 });
        view.point(view.width / 2, 60);
    }
});

const assertFits = async (page, scheme) => {
    assert.equal(await page.getAttribute("html", "data-theme"), scheme);
    const { page: past, elements } = await overflow(page);
    assert.ok(past <= 0, `${past} px too wide: ${elements}`);
    assert.deepEqual(elements, []);
    const { count, faults } = await weakText(page);
    assert.ok(count > 40, `${count} texts`);
    assert.deepEqual(faults, []);
};

// Each width and each scheme is one that a page is loaded with, and close() says that it is
// without an error and asks for nothing.
names.forEach((name) => [[1280, "light", "dark"], [400, "dark", "light"]].forEach(([width, scheme, other]) =>
    test(`${name} opens at ${width} px, ${scheme}, fits and reads, also when it is ${other}`, async () => {
        const { page, close } = await open(name, { width, scheme });
        assert.ok((await page.textContent("h1")).length > 3);
        assert.ok((await page.title()).includes("gridloom"));
        const missing = await page.$$eval("#contents a", (all) => all.map((one) => one.hash)
            .filter((link) => document.querySelectorAll(`section${link}`).length !== 1));
        assert.deepEqual(missing, [], "sections that the contents name");
        await pointAt(page);
        await assertFits(page, scheme);
        await page.emulateMedia({ colorScheme: other });
        await page.waitForSelector(`html[data-theme=${other}]`);
        await frames(page);
        await assertFits(page, other);
        await close();
    })));

names.forEach((name) => test(`nothing of ${name} is cut off at 700 px`, async () => {
    const { page, close } = await open(name, { width: 700 });
    assert.deepEqual(await cutOff(page), []);
    const { page: past } = await overflow(page);
    assert.ok(past <= 0, `${past} px too wide`);
    await close();
}));

test("the switch goes from the system's colours to light, to dark, and back", async () => {
    const { page, close } = await open("small", { scheme: "dark" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.click("#theme");
    assert.equal(await page.getAttribute("html", "data-theme"), "light");
    assert.notEqual(await ground(), dark);
    await page.click("#theme");
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    await page.emulateMedia({ colorScheme: "light" });
    await frames(page); // a page that follows the system would be light by then
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    await page.click("#theme");
    assert.equal(await page.getAttribute("html", "data-theme"), "light");
    await close();
});

test("paper is light, whole, and has no controls", async () => {
    const { page, close } = await open("small", { scheme: "dark" });
    await page.emulateMedia({ media: "print" });
    await page.waitForSelector("html[data-theme=light]");
    for (const hidden of [".bar", ".tools", ".tip", "#map button", "#map input"]) {
        assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    }
    assert.equal(await page.locator("#map .when").isVisible(), true, "the map says of when it is");
    const cut = await page.evaluate(() => {
        const box = document.querySelector(".ledger-box");
        return box.scrollHeight - box.clientHeight;
    });
    assert.ok(cut <= 1, `${cut} px of the parameters are cut off`);
    const { faults } = await weakText(page);
    assert.deepEqual(faults, []);
    const pdf = await page.pdf({ format: "A4" });
    assert.ok(pdf.length > 50000);
    await close();
});
