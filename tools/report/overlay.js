// What lies over the canvas of a timeline: the time cursor, what is selected, flows.
"use strict";

gridloom.overlay = (() => {
    const { count, seconds } = gridloom.number;
    const FLOWS = 200; // of one event, at most

    const drawCursor = (view) => {
        const [x] = view.pointer;
        const time = view.time(x);
        const length = gridloom.trace.seconds(view.trace, time);
        view.overlay.append("line").attr("class", "cursor").attr("x1", x).attr("x2", x)
            .attr("y1", 0).attr("y2", view.height);
        const text = view.overlay.append("text").attr("class", "cursor-time").attr("y", 14)
            .text(view.isCycles || length === null ? `${count(time)} cycles`
                : `${seconds(length, 6)} \u00b7 ${count(time)}`);
        const isRight = x > view.width - 170;
        text.attr("x", x + (isRight ? -6 : 6)).attr("text-anchor", isRight ? "end" : "start");
    };

    const drawSelected = (view) => {
        const { left, right, top, height } = view.box(view.selected);
        view.overlay.append("rect").attr("class", "chosen").attr("x", left - 1).attr("y", top - 1)
            .attr("width", Math.max(right - left, 2) + 2).attr("height", height + 2);
    };

    const drawArrow = (overlay, from, to) => {
        const begin = [Math.max(from.left, Math.min(from.right, to.left)), from.top + from.height / 2];
        const end = [to.left, to.top + to.height / 2];
        const bend = Math.max(24, Math.abs(end[0] - begin[0]) / 2);
        overlay.append("path").attr("class", "flow")
            .attr("d", `M${begin}C${begin[0] + bend},${begin[1]} ${end[0] - bend},${end[1]} ${end}`);
        overlay.append("path").attr("class", "flow-head").attr("d", `M${end}l-8,-4v8z`);
    };

    /** Each flow of what is pointed at or selected, once. */
    const drawFlows = (view) => {
        const arrows = new Map();
        [view.hovered, view.selected].filter(Boolean).forEach((hit) =>
            gridloom.details.flowsOf(view.trace, hit).slice(0, FLOWS).forEach(({ isFrom, other }) => {
                const there = gridloom.details.hitOf(other);
                const key = isFrom ? [hit, there] : [there, hit];
                arrows.set(key.map((end) => end.events + end.index).join(), key);
            }));
        arrows.forEach(([from, to]) => drawArrow(view.overlay, view.box(from), view.box(to)));
    };

    const draw = (view) => {
        view.overlay.selectAll("*").remove();
        if (view.pointer) drawCursor(view);
        if (view.selected) drawSelected(view);
        drawFlows(view);
    };

    return { draw };
})();
