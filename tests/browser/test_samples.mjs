// Reports of the traces in traces/samples: what each is there to show.
import assert from "node:assert/strict";
import { test } from "node:test";

import { look, names, open, picture, span } from "./pages.mjs";

/** Lanes that its timeline has, and an operation that is found in it. */
const SAMPLES = {
    sample_stencil25: {
        lanes: ["pe[0,1].ce", "pe[9,1].switch0", "pe[4,1].thread0", "pe[4,1].ramp"],
        find: "Intermediate",
    },
    sample_pcg: {
        lanes: ["core[0,0].reader", "core[0,0].unpack", "core[1,1].math", "core[1,1].packer"],
        find: "mul_tiles",
    },
    sample_dot_naive: {
        lanes: ["core[0,0].reader", "core[4,3].writer", "core[2,1].sfpu"],
        find: "noc_semaphore_inc",
    },
    sample_dot_center: {
        lanes: ["core[0,0].reader", "core[4,3].writer", "core[2,1].sfpu"],
        find: "noc_semaphore_inc",
    },
    sample_dot: { lanes: ["core[0,0].reader"], find: "noc_semaphore_inc" },
};
const MAP = ".map canvas";

test("every sample is looked at", () => {
    assert.deepEqual(names.filter((name) => name.startsWith("sample_")), Object.keys(SAMPLES).sort());
});

test("switches of the wafer are Root, Intermediate and Last in turn", async () => {
    const { page, close } = await look("sample_stencil25");
    const positions = await page.evaluate(() =>
        gridloom.timeline.view.trace.shapes.map((shape) => shape.name));
    ["Root", "Intermediate", "Last"].forEach((name) => assert.ok(positions.includes(name), name));
    await close();
});

Object.entries(SAMPLES).forEach(([name, { lanes, find }]) => {
    test(`${name}: lanes, zoom, search and slider`, async () => {
        const { page, close } = await open(name);
        const there = await page.evaluate(() => gridloom.timeline.view.trace.lanes.map((lane) => lane.name));
        assert.deepEqual(lanes.filter((lane) => !there.includes(lane)), []);

        const whole = await span(page);
        await page.evaluate(() => {
            const { view } = gridloom.timeline;
            view.zoomTo(view.from, (view.from + view.to) / 2);
        });
        const half = await span(page);
        assert.ok(half.to - half.from < 0.51 * (whole.to - whole.from));

        const found = await page.evaluate((what) => {
            const { view } = gridloom.timeline;
            view.search(what);
            return view.matches ? view.matches.hits.length : 0;
        }, find);
        assert.ok(found > 0, `no ${find}`);

        const still = await picture(page, MAP);
        await page.getByLabel("Time of the map").first().evaluate((node) => {
            node.value = 60;
            node.dispatchEvent(new Event("input"));
        });
        assert.notEqual(await picture(page, MAP), still);
        await close();
    });
});
