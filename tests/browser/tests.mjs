// All tests of pages, in one process: they share a browser.
import { readdirSync } from "node:fs";
import { after } from "node:test";

import { finish } from "./pages.mjs";

after(finish);
for (const file of readdirSync(new URL(".", import.meta.url)).filter((name) => /^test_.*\.mjs$/.test(name)).sort()) {
    await import(`./${file}`); // in turn, so that tests are in the same order each time
}
