// Words about one event, one value, or one row of a timeline.
"use strict";

gridloom.details = (() => {
    const { make } = gridloom.element;
    const { count, plain, seconds, percent } = gridloom.number;

    const line = (name, value) => [make("dt", {}, name), make("dd", {}, value)];

    const time = (trace, cycles) => {
        const length = gridloom.trace.seconds(trace, cycles);
        return length === null ? `${count(cycles)} cycles`
            : `${count(cycles)} cycles, ${seconds(length, 7)}`;
    };

    /** What `hit` found: an event, a value of a counter, or how busy a row was. */
    const head = (trace, hit) => {
        if (hit.events) {
            const about = gridloom.trace.describe(trace, trace[hit.events], hit.index);
            const isStall = hit.events === "marks" && about.more;
            return { ...about, isStall, kind: hit.events === "slices" ? "" : isStall ? "wait" : "mark" };
        }
        return null;
    };

    const ofEvent = (trace, hit) => {
        const about = head(trace, hit);
        const isInstant = about.kind === "mark";
        return [
            make("div", { class: "tip-name" }, about.isStall ? `waits: ${gridloom.units.spaced(about.name)}`
                : about.name),
            make("dl", {},
                line("lane", about.lane.name),
                line(isInstant ? "at" : "begin", time(trace, about.begin)),
                !isInstant && line("end", time(trace, about.end)),
                !isInstant && line("length", time(trace, about.end - about.begin)),
                about.values.map(([name, value]) => line(name, plain(value, 12)))),
        ];
    };

    const ofHit = (trace, hit) => {
        if (hit.events) return ofEvent(trace, hit);
        if (hit.counter) {
            return [make("div", { class: "tip-name" }, hit.counter.name),
                make("dl", {},
                    line("value", `${plain(hit.value, 12)} ${hit.counter.unit || ""}`),
                    line("highest", `${plain(hit.counter.most, 12)} ${hit.counter.unit || ""}`),
                    line("lane", trace.lanes[hit.counter.lane].name))];
        }
        return [make("div", { class: "tip-name" }, hit.label),
            make("dl", {}, line("busy", percent(hit.busy)), line("waiting", percent(hit.stalled)),
                line("from", time(trace, hit.from)), line("to", time(trace, hit.to)))];
    };

    /** The ends of the flows of an event: [{isFrom, end}]. */
    const flowsOf = (trace, hit) => {
        if (!hit || !hit.events) return [];
        const end = 2 * hit.index + (hit.events === "marks" ? 1 : 0);
        return [...(trace.flows.from.get(end) || []).map((other) => ({ isFrom: true, other })),
            ...(trace.flows.to.get(end) || []).map((other) => ({ isFrom: false, other }))];
    };

    /** The hit that an end of a flow is. */
    const hitOf = (end) => ({ events: end % 2 ? "marks" : "slices", index: Math.floor(end / 2) });

    const panel = (trace, hit, jump) => {
        const flows = flowsOf(trace, hit);
        return [make("div", { class: "detail" }, ofEvent(trace, hit)),
            flows.length > 0 && make("div", { class: "detail" },
                make("div", { class: "tip-name" }, "Flows"),
                make("ul", { class: "flows" }, flows.slice(0, 40).map(({ isFrom, other }) => {
                    const about = head(trace, hitOf(other));
                    return make("li", {}, make("button", { type: "button", class: "link",
                        onclick: () => jump(hitOf(other)) },
                    `${isFrom ? "to" : "from"} ${about.lane.name}: ${about.name} at ${count(about.begin)}`));
                })),
                flows.length > 40 && make("p", { class: "note" }, `and ${flows.length - 40} more`))];
    };

    return { ofHit, panel, flowsOf, hitOf };
})();
