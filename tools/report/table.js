// A table of many runs: columns with cells, which rows are kept, and what is best of them.
"use strict";

gridloom.table = (() => {
    const { isNumber } = gridloom.number;
    const WIDE = 20; // of numbers that differ by more an axis is logarithmic

    const text = (value) => (value === null || value === undefined ? "" : String(value));

    /** Different values of some cells, numbers ascending, words as they come. */
    const distinct = (cells, isNumeric) => {
        const values = [...new Set(cells.filter((cell) => cell !== null))];
        return isNumeric ? values.sort((a, b) => a - b) : values;
    };

    /** Do numbers grow by a factor, or by much? Then their logarithms are shown. */
    const isWide = (values) => {
        if (values.length < 2 || values[0] <= 0) return false;
        const [first] = values;
        const last = values[values.length - 1];
        const ratio = (last / first) ** (1 / (values.length - 1));
        const step = (last - first) / (values.length - 1);
        return last > WIDE * first || (values.length > 3 && ratio >= 1.5
            && values.some((value, i) => Math.abs(value - first - step * i) > 1e-6 * value)
            && values.every((value, i) => Math.abs(value - first * ratio ** i) <= Math.max(0.5, 1e-6 * value)));
    };

    const read = (sweep) => {
        const columns = (Array.isArray(sweep.columns) ? sweep.columns : []).map((packed, index) => {
            const isNumeric = packed.is_number === true && packed.cells.some(isNumber);
            const values = distinct(packed.cells, isNumeric);
            return {
                index,
                name: text(packed.name),
                kind: packed.kind,
                isNumeric,
                cells: packed.cells,
                values,
                isVaried: values.length > 1,
                isWide: isNumeric && isWide(values),
            };
        });
        const count = columns.length ? columns[0].cells.length : 0;
        const named = (name) => columns.find((column) => column.name === name);
        const status = columns.find((column) => column.kind === "status" && column.name === "status");
        const error = columns.find((column) => column.kind === "status" && column.name === "error");
        const run = columns.find((column) => column.kind === "status" && column.name === "run");
        return {
            columns,
            count,
            named,
            run,
            error,
            parameters: columns.filter((column) => column.kind === "parameter"),
            metrics: columns.filter((column) => column.kind === "metric"),
            statusOf: (row) => (status ? text(status.cells[row]) : "done"),
            errorOf: (row) => (error ? text(error.cells[row]) : ""),
            runOf: (row) => (run ? run.cells[row] : row),
        };
    };

    const COMPARES = {
        "=": (a, b) => a === b,
        "!=": (a, b) => a !== b,
        "<": (a, b) => a < b,
        "<=": (a, b) => a <= b,
        ">": (a, b) => a > b,
        ">=": (a, b) => a >= b,
    };

    /** A column of that name, or the only one whose last member it is. */
    const columnOf = (table, name) => {
        const lower = name.toLowerCase();
        const ends = table.columns.filter((column) => column.name.toLowerCase().endsWith(`.${lower}`));
        return table.columns.find((column) => column.name.toLowerCase() === lower)
            || (ends.length === 1 ? ends[0] : undefined);
    };

    /** A test of rows: "tiles>=4", or a text that one of the cells holds. */
    const condition = (table, word) => {
        const parts = word.match(/^(.+?)(!=|<=|>=|=|<|>)(.*)$/);
        const column = parts && columnOf(table, parts[1]);
        if (column && parts[3] !== "") {
            const value = column.isNumeric ? Number(parts[3]) : parts[3].toLowerCase();
            return (row) => {
                const cell = column.cells[row];
                return cell !== null && COMPARES[parts[2]](column.isNumeric ? cell
                    : text(cell).toLowerCase(), value);
            };
        }
        const lower = word.toLowerCase();
        return (row) => table.columns.some((column) => text(column.cells[row]).toLowerCase()
            .includes(lower));
    };

    /** All words of a filter hold. */
    const filter = (table, words) => {
        const tests = words.trim().split(/\s+/).filter(Boolean).map((word) => condition(table, word));
        return (row) => tests.every((test) => test(row));
    };

    /** Of rows, those that no other is as good as in both columns and better in one; the best
     * of x first. */
    const front = (rows, x, y, isMostX, isMostY) => {
        const cost = (column, isMost) => (row) => (isMost ? -1 : 1) * column.cells[row];
        const a = cost(x, isMostX);
        const b = cost(y, isMostY);
        const sorted = rows.filter((row) => isNumber(x.cells[row]) && isNumber(y.cells[row]))
            .sort((one, two) => a(one) - a(two) || b(one) - b(two) || one - two);
        const kept = [];
        sorted.forEach((row) => {
            const last = kept[kept.length - 1];
            if (last === undefined || b(row) < b(last) || (b(row) === b(last) && a(row) === a(last))) {
                kept.push(row);
            }
        });
        return kept;
    };

    return { read, filter, front, text };
})();
