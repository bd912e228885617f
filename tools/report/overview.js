// All that happens, above the timeline: how busy it was, and which part is shown.
"use strict";

gridloom.overview = (() => {
    const HEIGHT = 46;

    class Overview {
        /** Calls choose(from, to) when the reader marks a part. */
        constructor(box, choose) {
            this.box = box;
            this.choose = choose;
            this.svg = d3.select(box).append("svg").attr("class", "overview")
                .attr("height", HEIGHT).attr("role", "img")
                .attr("aria-label", "How busy the chip was: drag to choose what the timeline shows");
            this.area = this.svg.append("g");
            this.handle = this.svg.append("g").attr("class", "brush");
        }

        /** `home` is from when to when there is something to see. */
        draw(trace, rows, left, width, home) {
            const busy = new Float32Array(trace.bins);
            const kinds = rows.kinds.map((kind) => rows.heat({ type: "kind", of: kind }).busy);
            kinds.forEach((cells) => cells.forEach((cell, bin) => {
                busy[bin] = Math.max(busy[bin], cell);
            }));
            this.trace = trace;
            this.home = home;
            this.x = d3.scaleLinear(home, [left, left + width]).clamp(true);
            const y = d3.scaleLinear([0, Math.max(d3.max(busy), 0.01)], [HEIGHT - 2, 4]);
            const at = (bin) => gridloom.trace.binTime(trace, bin);
            const steps = [...busy, busy[busy.length - 1]];
            this.svg.attr("width", left + width);
            this.area.selectAll("*").remove();
            this.area.append("text").attr("x", 0).attr("y", HEIGHT / 2 + 4)
                .text("Busy");
            this.area.append("path").attr("class", "overview-area").attr("d", d3.area()
                .curve(d3.curveStepAfter).x((_, bin) => this.x(at(bin))).y0(HEIGHT - 2)
                .y1((cell) => y(cell))(steps));
            this.brush = d3.brushX().extent([[left, 1], [left + width, HEIGHT - 1]])
                .on("brush end", () => {
                    const chosen = d3.brushSelection(this.handle.node());
                    if (this.isMarking) return; // moved by the timeline
                    this.isMarking = true; // and it need not say so back
                    if (chosen) this.choose(...chosen.map(this.x.invert));
                    else this.choose(...home);
                    this.isMarking = false;
                });
            this.handle.call(this.brush);
        }

        /** Marks what the timeline shows. */
        mark(from, to) {
            if (this.x && !this.isMarking) {
                const [a, b] = [this.x(from), this.x(to)];
                this.isMarking = true;
                this.handle.call(this.brush.move, b - a < 3 ? [(a + b) / 2 - 1.5, (a + b) / 2 + 1.5]
                    : [a, b]);
                this.isMarking = false;
            }
        }
    }

    return { Overview };
})();
