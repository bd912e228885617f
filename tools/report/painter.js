// Draws what is visible of a timeline onto a canvas: slices narrower than a pixel as one.
"use strict";

gridloom.painter = (() => {
    const { HEIGHT } = gridloom.rows;
    const FONT = "12px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";

    const STRIPED = 6; // pixels from which on stripes can be seen

    /** The first of `items` whose value is above `bound`; values rise. */
    const firstAbove = (values, items, bound, from = 0) => {
        let low = from;
        let high = items.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (values[items[middle]] > bound) high = middle;
            else low = middle + 1;
        }
        return low;
    };

    /** The same for items that begin at `bound` or later, near `from`. */
    const firstFrom = (values, items, bound, from) => {
        let step = 1;
        let low = from;
        while (low + step < items.length && values[items[low + step]] < bound) {
            low += step;
            step *= 2;
        }
        let high = Math.min(items.length, low + step + 1);
        while (low < high) {
            const middle = (low + high) >> 1;
            if (values[items[middle]] >= bound) high = middle;
            else low = middle + 1;
        }
        return low;
    };

    /** Rectangles by fill, so that each fill is set once. */
    class Buckets {
        constructor() {
            this.fills = new Map();
        }

        add(name, x, y, width, height) {
            let list = this.fills.get(name);
            if (!list) this.fills.set(name, list = []);
            list.push(x, y, width, height);
        }

        paint(context, fillOf) {
            this.fills.forEach((list, name) => {
                context.fillStyle = fillOf(name);
                for (let i = 0; i < list.length; i += 4) {
                    context.fillRect(list[i], list[i + 1], list[i + 2], list[i + 3]);
                }
            });
        }
    }

    /** What is narrow, as pixels: a line of them for each row, which is then drawn as high as
     * the row. Thousands of pixels cost less than as many rectangles. */
    class Strips {
        constructor(width) {
            this.width = Math.ceil(width);
            this.rows = [];
        }

        /** A row to put pixels into. */
        add(y, height) {
            const pixels = new Uint32Array(this.width);
            this.rows.push({ y, height, pixels });
            return pixels;
        }

        paint(context) {
            const { rows } = this;
            if (!rows.length) return;
            const image = new ImageData(this.width, rows.length);
            const all = new Uint32Array(image.data.buffer);
            const sheet = Object.assign(document.createElement("canvas"),
                { width: this.width, height: rows.length });
            rows.forEach(({ pixels }, i) => all.set(pixels, i * this.width));
            sheet.getContext("2d").putImageData(image, 0, 0);
            context.imageSmoothingEnabled = false;
            rows.forEach(({ y, height }, i) =>
                context.drawImage(sheet, 0, i, this.width, 1, 0, y, this.width, height));
        }
    }

    /** One drawing: `view` has trace, rows, top, width, height, from, to, matches. */
    class Drawing {
        constructor(context, view) {
            this.context = context;
            this.view = view;
            this.trace = view.trace;
            this.scale = view.width / (view.to - view.from);
            this.slices = new Buckets();
            this.faded = new Buckets();
            this.stalls = new Buckets();
            this.fadedStalls = new Buckets();
            this.narrow = new Buckets(); // stalls too narrow for stripes
            this.strips = new Strips(view.width);
            this.pixels = new Map(); // of shapes, by opacity
            this.marks = [];
            this.texts = [];
            this.count = 0;
        }

        x(time) {
            return (time - this.view.from) * this.scale;
        }

        isMatch(shape) {
            return !this.view.matches || this.view.matches[shape] === 1;
        }

        /** The colour of a shape as a pixel. */
        pixel(shape, opacity) {
            let table = this.pixels.get(opacity);
            if (!table) this.pixels.set(opacity, table = new Uint32Array(this.trace.shapes.length));
            if (!table[shape]) {
                table[shape] = gridloom.colour.pixel(this.trace.shapes[shape].name, opacity);
            }
            return table[shape];
        }

        /** Events of one row, none of which overlap. */
        row(events, items, y, height, isStall) {
            const { from, to, width } = this.view;
            const strong = isStall ? this.stalls : this.slices;
            const faded = isStall ? this.fadedStalls : this.faded;
            let i = firstAbove(events.end, items, from);
            let pixels = null;
            const dot = (into, shape, pixel, count) => {
                const value = this.pixel(shape, into === faded ? 0.16 : isStall ? 0.42 : 1);
                pixels = pixels || this.strips.add(y, height);
                for (let x = Math.max(pixel, 0); x < pixel + count; x++) pixels[x] = value;
            };
            while (i < items.length) {
                const item = items[i];
                const begin = events.begin[item];
                if (begin >= to) break;
                const left = this.x(begin);
                const right = this.x(events.end[item]);
                const shape = events.shape[item];
                const into = this.isMatch(shape) ? strong : faded;
                this.count++;
                if (right - left < 1) {
                    const pixel = Math.floor(left);
                    const border = from + (pixel + 1) / this.scale;
                    const next = Math.max(firstFrom(events.begin, items, border, i), i + 1);
                    let pick = into;
                    let shown = shape;
                    if (this.view.matches) { // a match shows, however narrow
                        for (let j = i; j < next; j++) {
                            if (this.isMatch(events.shape[items[j]])) {
                                pick = strong;
                                shown = events.shape[items[j]];
                                break;
                            }
                        }
                    }
                    dot(pick, shown, pixel, 1);
                    // The last of them may reach further.
                    i = next - 1 > i && this.x(events.end[items[next - 1]]) - pixel >= 2
                        ? next - 1 : next;
                    continue;
                }
                const name = this.trace.shapes[shape].name;
                // Whole pixels are drawn faster than parts of them, and are sharper.
                const x = Math.round(Math.max(left, -2));
                const w = Math.max(Math.round(Math.min(right, width + 2)) - x, 1);
                if (w < 3) dot(into, shape, x, w);
                else {
                    (isStall && w < STRIPED && into === strong ? this.narrow : into)
                        .add(name, x, y, w > 3 ? w - 1 : w, height);
                }
                if (w > 26 && height > 11) this.texts.push(name, x, y, w, height, isStall);
                i++;
            }
        }

        dots(events, items, y, height) {
            const { from, to } = this.view;
            let last = -9;
            for (let i = firstAbove(events.begin, items, from - 4 / this.scale);
                i < items.length; i++) {
                const item = items[i];
                if (events.begin[item] > to) break;
                const x = this.x(events.begin[item]);
                if (x - last < 3) continue;
                last = x;
                this.marks.push(this.trace.shapes[events.shape[item]].name, x, y + height / 2,
                    this.isMatch(events.shape[item]));
            }
        }

        /** Columns of how busy a row was, from `since` on. */
        heat(row, y, since) {
            const { trace, context } = this;
            const { busy, stalled } = this.view.rows.heat(row);
            const bottom = y + row.height - 3;
            const room = row.height - 6;
            const first = Math.max(0, gridloom.trace.binAt(trace, Math.max(this.view.from, since)));
            for (let bin = first; bin < trace.bins; bin++) {
                const begin = gridloom.trace.binTime(trace, bin);
                if (begin >= this.view.to) break;
                const x = Math.max(this.x(Math.max(begin, since)), 0);
                const w = this.x(gridloom.trace.binTime(trace, bin + 1)) - x;
                const high = busy[bin] * room;
                if (stalled[bin] > 0.004) {
                    context.fillStyle = this.view.colours.stalled;
                    context.fillRect(x, bottom - high - stalled[bin] * room, w + 0.3, stalled[bin] * room);
                }
                if (high > 0) {
                    context.fillStyle = this.view.colours.busy;
                    context.fillRect(x, bottom - Math.max(high, 0.75), w + 0.3, Math.max(high, 0.75));
                }
            }
        }

        lane(row, y) {
            const { trace } = this;
            const lane = row.of;
            const top = y + 2;
            const height = HEIGHT.lane - 4;
            const cut = trace.shown.to === undefined ? trace.end : trace.shown.to;
            if (!lane.depths.length && !lane.stalls.length && !lane.marks.length) {
                this.heat(row, y, trace.begin);
                return;
            }
            if (this.view.to > cut) this.heat(row, y, cut);
            lane.depths.forEach((items, depth) => this.row(trace.slices, items,
                depth ? top + height + 1 + (depth - 1) * HEIGHT.nested : top,
                depth ? HEIGHT.nested - 2 : height, false));
            this.row(trace.marks, lane.stalls, top, height, true);
            this.dots(trace.marks, lane.marks, top, height);
        }

        /** A counter as steps; of each pixel the highest value, and a line down to the last. */
        counter(row, y) {
            const { context } = this;
            const { at, value, most, name } = row.of;
            const base = Math.round(y + row.height - 5);
            const room = row.height - 10;
            const high = (level) => base - Math.round(most > 0 ? (Math.max(level, 0) / most) * room : 0);
            const cut = this.trace.shown.to === undefined ? this.trace.end : this.trace.shown.to;
            const end = Math.round(Math.min(this.x(cut), this.view.width));
            const areas = [];
            const lines = [];
            let i = Math.max(d3.bisectRight(at, this.view.from) - 1, 0);
            let before = null;
            while (i < at.length && at[i] < this.view.to) {
                const x = Math.max(Math.round(this.x(at[i])), 0);
                const border = this.view.from + (x + 0.5) / this.scale;
                let peak = value[i];
                while (i + 1 < at.length && at[i + 1] < border) peak = Math.max(peak, value[++i]);
                const top = high(value[i]);
                const next = i + 1 < at.length ? Math.min(Math.round(this.x(at[i + 1])), end) : end;
                const from = Math.min(high(peak), top, before === null ? top : before);
                const to = Math.max(top, before === null ? top : before);
                if (to > from) lines.push(x, from, 1, to - from);
                if (next > x) {
                    lines.push(x, top - 1, next - x, 1);
                    areas.push(x, top, next - x, base - top);
                }
                before = top;
                i++;
            }
            const fill = (list) => {
                for (let j = 0; j < list.length; j += 4) {
                    context.fillRect(list[j], list[j + 1], list[j + 2], list[j + 3]);
                }
            };
            context.fillStyle = gridloom.colour.of(name);
            context.globalAlpha = 0.35;
            fill(areas);
            context.globalAlpha = 1;
            fill(lines);
        }

        background(row, y) {
            const { context, view } = this;
            if (row.type === "kind") {
                context.fillStyle = view.colours.band;
                context.fillRect(0, y, view.width, row.height);
            }
            context.fillStyle = view.colours.line;
            context.fillRect(0, y + row.height - 1, view.width, 1);
        }

        write() {
            const { context } = this;
            context.font = FONT;
            context.textBaseline = "middle";
            for (let i = 0; i < this.texts.length; i += 6) {
                const [name, x, y, width, height, isStall] = this.texts.slice(i, i + 6);
                const room = width - 8;
                const shown = gridloom.painter.fit(context, name, room);
                if (!shown) continue;
                context.fillStyle = isStall ? this.view.colours.text : gridloom.colour.ink;
                if (isStall) { // on a ground of its own, stripes are hard to read through
                    context.globalAlpha = 0.8;
                    context.fillStyle = this.view.colours.surface;
                    context.fillRect(x + 2, y + 1.5, Math.min(room + 4,
                        context.measureText(shown).width + 5), height - 3);
                    context.globalAlpha = 1;
                    context.fillStyle = this.view.colours.text;
                }
                context.fillText(shown, x + 4, y + height / 2 + 0.5);
            }
        }

        finish() {
            const { context } = this;
            this.strips.paint(context);
            context.globalAlpha = 0.16;
            this.faded.paint(context, gridloom.colour.of);
            this.fadedStalls.paint(context, gridloom.colour.of);
            context.globalAlpha = 0.42;
            this.narrow.paint(context, gridloom.colour.of);
            context.globalAlpha = 1;
            this.stalls.paint(context, (name) => gridloom.colour.hatch(context, name));
            this.slices.paint(context, gridloom.colour.of);
            for (let i = 0; i < this.marks.length; i += 4) {
                const [name, x, y, isMatch] = this.marks.slice(i, i + 4);
                context.globalAlpha = isMatch ? 1 : 0.16;
                context.fillStyle = gridloom.colour.of(name);
                context.strokeStyle = this.view.colours.text;
                context.beginPath();
                context.moveTo(x, y - 5);
                context.lineTo(x + 4, y);
                context.lineTo(x, y + 5);
                context.lineTo(x - 4, y);
                context.closePath();
                context.fill();
                context.lineWidth = 0.75;
                context.stroke();
            }
            context.globalAlpha = 1;
            this.write();
        }
    }

    const widths = new Map();

    /** As much of a text as fits into so many pixels; "" if that is too little. */
    const fit = (context, text, room) => {
        if (!widths.has(text)) widths.set(text, context.measureText(text).width);
        const width = widths.get(text);
        if (width <= room) return text;
        const letters = Math.floor((room / width) * text.length) - 1;
        return letters < 2 ? "" : `${text.slice(0, letters)}\u2026`;
    };

    /** Draws; gives back how many events it has looked at. */
    const paint = (context, view) => {
        const drawing = new Drawing(context, view);
        context.clearRect(0, 0, view.width, view.height);
        view.rows.between(view.top, view.top + view.height).forEach((row) => {
            const y = row.y - view.top;
            drawing.background(row, y);
            if (row.type === "lane") drawing.lane(row, y);
            else if (row.type === "counter") drawing.counter(row, y);
            else if (row.type === "kind" || (row.type === "place" && !row.isOpen)) drawing.heat(row, y, view.trace.begin);
        });
        context.fillStyle = view.colours.line;
        view.ticks.forEach((time) => context.fillRect(Math.round(drawing.x(time)), 0, 1, view.height));
        drawing.finish();
        return drawing.count;
    };

    return { paint, fit, firstAbove };
})();
