// The path of a run through its roofline: a dot for each of its iterations, one after the other.
"use strict";

gridloom.path = (() => {
    const { make, table } = gridloom.element;
    const { isNumber, plain, scaled, percent } = gridloom.number;
    const NEAR = 14; // pixels from which on a dot is pointed at

    /** The steps of a point: those of its run that moved bytes through its memory. */
    const stepsOf = ({ machine, roof }) => (machine.path || []).flatMap((step) => {
        const moved = step.achieved && step.achieved[roof.name];
        return isNumber(moved) && moved > 0 && step.rate > 0
            ? [{ step, roof, machine, moved, rate: step.rate, intensity: step.rate / moved }] : [];
    });

    const numberOf = (step) => (step.last > step.iteration
        ? `iterations ${step.iteration} to ${step.last}` : `iteration ${step.iteration}`);
    const words = ({ step, roof, machine, moved, rate, intensity }, unit) =>
        `${machine.letter} ${numberOf(step)}, cycles ${step.from} to ${step.to}, ${roof.name}: `
        + `${plain(intensity)} FLOP/B, ${scaled(rate, unit)}, ${percent(moved / roof.value)} of this roof`;

    /** Draws the steps of a point; pointing at one tells of it. Thousands of dots are one line. */
    const draw = (svg, point, { x, y }, colour, unit, tell) => {
        const steps = stepsOf(point).map((one) => ({ ...one, left: x(one.intensity), top: y(one.rate) }));
        if (steps.length < 2) return;
        const group = svg.append("g").attr("class", "roof-path").attr("data-roof", point.roof.name);
        const line = d3.line().x((one) => one.left).y((one) => one.top)(steps);
        group.append("path").attr("class", "way").attr("d", line).attr("stroke", colour);
        group.append("path").attr("class", "steps").attr("stroke", colour)
            .attr("d", steps.map((one) => `M${one.left.toFixed(1)},${one.top.toFixed(1)}h0`).join(""));
        const here = group.append("circle").attr("class", "here").attr("r", 5).style("display", "none");
        [[steps[0], "first"], [steps[steps.length - 1], "last"]].forEach(([one, name]) =>
            group.append("circle").attr("class", `end ${name}`).attr("r", 3.5).attr("stroke", colour)
                .attr("fill", name === "first" ? "none" : colour)
                .attr("cx", one.left).attr("cy", one.top).append("title").text(words(one, unit)));
        group.append("path").attr("class", "reach").attr("d", line)
            .on("mousemove", () => {
                const [left, top] = d3.mouse(group.node());
                const off = (one) => Math.hypot(one.left - left, one.top - top);
                const nearest = steps.reduce((best, one) => (off(one) < off(best) ? one : best));
                if (off(nearest) > NEAR) return;
                here.style("display", null).attr("cx", nearest.left).attr("cy", nearest.top);
                tell(words(nearest, unit));
            })
            .on("mouseleave", () => {
                here.style("display", "none");
                tell(null);
            });
    };

    /** All steps as a table that is folded away; nothing where no run has a path. */
    const fold = (machines, unit) => machines.filter((machine) => (machine.path || []).length > 1)
        .map((machine) => {
            const roofs = machine.roofs.filter((roof) => !roof.is_peak
                && machine.path.some((step) => step.achieved && step.achieved[roof.name] > 0));
            return make("details", { class: "path-table" },
                make("summary", {}, `${machine.letter}: the path of its ${machine.path.length} steps`),
                table(["Iteration", "Cycles", "Rate", ...roofs.map((roof) => `${roof.name}, FLOP/B`)],
                    machine.path.map((step) => [
                        step.last > step.iteration ? `${step.iteration}-${step.last}` : String(step.iteration),
                        `${step.from} to ${step.to}`, scaled(step.rate, unit),
                        ...roofs.map((roof) => {
                            const moved = step.achieved && step.achieved[roof.name];
                            return moved > 0 ? plain(step.rate / moved) : "\u2013";
                        })]), { class: "figures" }));
        });

    return { stepsOf, draw, fold };
})();
