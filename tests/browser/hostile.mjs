// Prints a result whose texts are full of HTML, all that its schema does not list: hostile.mjs RESULT.json
import { readFileSync } from "node:fs";

const HTML = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"
    + "<!--\u2028]]>&lt;'\"`${window.hacked=1}";
const result = JSON.parse(readFileSync(process.argv[2], "utf8"));

const spoil = (value) => {
    if (typeof value === "string") return value + HTML;
    if (Array.isArray(value)) return value.map(spoil);
    if (value && typeof value === "object") {
        return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoil(one)]));
    }
    return value;
};

["workload", "chip", "chip_digest", "gridloom"].forEach((name) => {
    result[name] += HTML;
});
Object.entries({ parameters: HTML, overrides: HTML, zones: 0.5, busy: 0.5, stalls: 1 }).forEach(([name, value]) => {
    result[name] = { ...result[name], [`name${HTML}`]: value };
});
result.roofs = result.roofs.map((roof) => ({ ...spoil(roof), unit: roof.unit }));
result.metrics[`metric${HTML}`] = HTML;
result.metrics.units[`unit${HTML}`] = { busy: 1, [`reason${HTML}`]: 2 };
result.check = { ...spoil(result.check), status: result.check.status };
result.chip_parameters = result.chip_parameters.map((one) => ({ ...spoil(one), confidence: one.confidence }));
console.log(JSON.stringify(result));
