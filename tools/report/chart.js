// A chart with two labelled axes, as wide as the page lets it be.
"use strict";

gridloom.chart = (() => {
    const { make } = gridloom.element;
    const MARGIN = { top: 14, right: 18, bottom: 46, left: 80 };

    /** Calls draw({svg, width, height, axes}) now, and when width or colours change.
     * axes(x, y, xLabel, yLabel, formats) draws the axes of two scales; xText and yText write
     * every label, xFormat and yFormat those that D3 chooses. */
    const build = (height, label, draw) => {
        const box = make("div", { class: "chart" });
        let last = 0;
        const redraw = () => {
            const whole = box.clientWidth;
            if (!whole) return;
            last = whole;
            box.replaceChildren();
            const width = whole - MARGIN.left - MARGIN.right;
            const inner = height - MARGIN.top - MARGIN.bottom;
            const root = d3.select(box).append("svg").attr("width", whole).attr("height", height)
                .attr("viewBox", `0 0 ${whole} ${height}`).attr("role", "img")
                .attr("aria-label", label);
            const svg = root.append("g").attr("transform", `translate(${MARGIN.left},${MARGIN.top})`);
            const written = (axis, text) => (text ? axis.tickFormat(text) : axis);
            const axes = (x, y, xLabel, yLabel, { xFormat, yFormat, xText, yText, xTicks, yTicks } = {}) => {
                const few = xTicks || Math.max(2, Math.round(width / 90));
                svg.append("g").attr("class", "grid")
                    .call(d3.axisLeft(y).ticks(yTicks || 6).tickSize(-width).tickFormat(""));
                svg.append("g").attr("class", "axis x").attr("transform", `translate(0,${inner})`)
                    .call(written(d3.axisBottom(x).ticks(few, xFormat).tickSizeOuter(0), xText));
                svg.append("g").attr("class", "axis y")
                    .call(written(d3.axisLeft(y).ticks(yTicks || 6, yFormat).tickSizeOuter(0), yText));
                svg.append("text").attr("class", "axis-label").attr("x", width / 2)
                    .attr("y", inner + 38).attr("text-anchor", "middle").text(xLabel);
                svg.append("text").attr("class", "axis-label").attr("transform", "rotate(-90)")
                    .attr("x", -inner / 2).attr("y", -MARGIN.left + 14).attr("text-anchor", "middle")
                    .text(yLabel);
            };
            draw({ svg, width, height: inner, axes });
        };
        new ResizeObserver(() => {
            if (Math.abs(box.clientWidth - last) > 1) redraw();
        }).observe(box);
        gridloom.theme.onChange(redraw);
        requestAnimationFrame(redraw);
        return box;
    };

    /** Decades that hold all values, as a domain. */
    const decades = (values) => {
        const [low, high] = d3.extent(values);
        return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) + 1e-9)];
    };

    return { build, decades, MARGIN };
})();
