// Takes the pictures of the samples' reports that the README shows: pictures.mjs FOLDER
import path from "node:path";

import { finish, open } from "./pages.mjs";

const [folder] = process.argv.slice(2);

const take = async (name, file, section, prepare) => {
    const { page, close } = await open(name, { width: 1180 });
    await page.evaluate(prepare);
    await page.locator(section).screenshot({ path: path.join(folder, `${file}.png`), animations: "disabled" });
    await close();
};

await take("sample_pcg", "pcg", "#timeline", () => {});
await take("sample_dot", "dot", "#map", () => {});
// Some PEs of a row: what their threads do, and how their switches shift.
await take("sample_stencil25", "stencil25", "#timeline", () => {
    const { view } = gridloom.timeline;
    view.zoomTo(view.trace.begin, view.trace.begin + 0.5 * (view.trace.end - view.trace.begin));
});
await finish();
