// Measures how long the timeline of 50,000 slices takes to draw: one JSON object a line.
import { finish, open } from "./pages.mjs";

const REPEATS = 41;
const CASES = [
    ["large", "56 cores, first rows", () => {}],
    ["large", "56 cores, a tenth of the time", () => {
        const { view } = gridloom.timeline;
        view.zoomTo(0, view.trace.end / 10);
    }],
    ["dense", "4 cores, all slices in view", () => {
        const { view } = gridloom.timeline;
        view.zoomTo(view.trace.begin, view.trace.end);
    }],
    ["dense", "4 cores, search", () => gridloom.timeline.view.search("mul")],
];

for (const [name, what, prepare] of CASES) {
    const { page, close } = await open(name);
    await page.evaluate(`(${prepare})()`);
    // With a frame between them, as when somebody zooms; a pixel is read so that all of it
    // is drawn before the clock stops. Reading often has Chromium warn, once.
    const { times, slices, looked } = await page.evaluate(async (repeats) => {
        const { view } = gridloom.timeline;
        const all = [];
        for (let i = 0; i < repeats; i++) {
            await new Promise((done) => {
                requestAnimationFrame(done);
            });
            const began = performance.now();
            view.draw();
            view.context.getImageData(0, 0, 1, 1);
            all.push(performance.now() - began);
        }
        return { times: all.sort((a, b) => a - b), slices: view.trace.slices.count, looked: view.painted };
    }, REPEATS);
    console.log(JSON.stringify({
        case: what,
        slices,
        drawn: looked,
        milliseconds_least: Number(times[0].toFixed(2)),
        milliseconds_median: Number(times[(REPEATS - 1) / 2].toFixed(2)),
        milliseconds_most: Number(times[REPEATS - 1].toFixed(2)),
    }));
    await close().catch((error) => {
        if (!/willReadFrequently/.test(String(error))) throw error;
    });
}
await finish();
