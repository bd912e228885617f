// Prints a result whose texts are all full of HTML: hostile.mjs RESULT.json
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
["parameters", "overrides", "zones", "busy", "stalls"].forEach((name) => {
    result[name] = { ...result[name], [`name${HTML}`]: name === "parameters" ? HTML : 0.5 };
});
result.roofs = result.roofs.map((roof) => ({ ...spoil(roof), unit: roof.unit }));
result.metrics[`metric${HTML}`] = HTML;
result.metrics.units[`unit${HTML}`] = { busy: 1, [`reason${HTML}`]: 2 };
result.check = spoil(result.check);
result.chip_parameters = spoil(result.chip_parameters);
console.log(JSON.stringify(result));
