// Numbers as people read them.
"use strict";
const gridloom = {};

gridloom.number = (() => {
    const THIN = "\u202f";
    const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

    /** Is it a number that can be shown? */
    const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

    /** At most `digits` significant ones, without zeros at the end. */
    const plain = (value, digits = 4) => {
        if (!isNumber(value)) return "\u2013";
        if (value === 0) return "0";
        const size = Math.abs(value);
        if (size >= 1e15 || size < 1e-4) {
            const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
            return `${parseFloat(mantissa)}e${parseInt(exponent, 10)}`;
        }
        if (size >= 10 ** (digits - 1) || (size >= 1e6 && Number.isInteger(value))) {
            return grouped.format(value);
        }
        return String(parseFloat(value.toPrecision(digits)));
    };

    const PREFIXES = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""],
        [1e-3, "m"], [1e-6, "\u00b5"], [1e-9, "n"], [1e-12, "p"]];

    /** With a prefix of the SI: 7.17 TFLOP/s. */
    const scaled = (value, unit, digits = 4) => {
        if (!isNumber(value)) return "\u2013";
        if (value === 0) return `0${THIN}${unit}`;
        const size = Math.abs(value);
        const [factor, prefix] = PREFIXES.find(([f]) => size >= f * 0.9995)
            || PREFIXES[PREFIXES.length - 1];
        return `${plain(value / factor, digits)}${THIN}${prefix}${unit}`;
    };

    const seconds = (value, digits = 4) => scaled(value, "s", digits);
    const count = (value) => (isNumber(value) ? grouped.format(value) : "\u2013");
    const cycles = (value) => `${count(value)}${THIN}cycles`;
    const percent = (part) => {
        if (!isNumber(part)) return "\u2013";
        const value = 100 * part;
        if (value === 0) return `0${THIN}%`;
        if (Math.abs(value) < 0.1) return `<${THIN}0.1${THIN}%`;
        return `${value >= 99.95 ? plain(value, 4) : plain(value, value < 10 ? 2 : 3)}${THIN}%`;
    };
    const ratio = (value) => (isNumber(value) ? `${plain(value, 3)}\u00d7` : "\u2013");

    /** A number on an axis: 20, 5\u202fk, 1.5\u202fM, 2e-6. */
    const tick = (value) => {
        const size = Math.abs(value);
        if (value !== 0 && size < 1e-3) {
            return String(parseFloat(value.toPrecision(3)).toExponential()).replace("+", "");
        }
        return size < 1e4 ? String(parseFloat(value.toPrecision(4))) : scaled(value, "");
    };

    return { isNumber, plain, tick, scaled, seconds, count, cycles, percent, ratio };
})();
