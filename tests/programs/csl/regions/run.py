#!/usr/bin/env cs_python
"""Two code regions in a row, each adds its weights to a stream; the word `wrong` tries what cannot be."""
import sys

import numpy as np

from cerebras.geometry.geometry import IntRectangle, IntVector
from cerebras.sdk.runtime.sdkruntimepybind import (
    Color, Edge, Route, RoutingPosition, SdkLayout, SdkRuntime, SdkTarget, SimfabConfig, get_edge_routing, get_platform)

SIZE = 6
INTO = RoutingPosition().set_output([Route.RAMP])
OUT = RoutingPosition().set_input([Route.RAMP])


def add_step(layout, name, place, edges):
    """A region of one PE, and its ports."""
    region = layout.create_code_region("step.csl", name, 1, 1)
    source, target = Color("from"), region.color("to")
    region.set_param_all("size", SIZE)
    region.set_param(IntVector(0, 0), source)
    region.set_param_range(IntRectangle(IntVector(0, 0), IntVector(1, 1)), "to", target)
    region.place(*place)
    return (region, region.create_input_port(source, edges[0], [INTO], SIZE),
            region.create_output_port(target, edges[1], [OUT], SIZE))


def main():
    platform = get_platform(None, SimfabConfig(dump_core=True), SdkTarget.WSE2)
    layout = SdkLayout(platform)
    first, begin, between = add_step(layout, "first", (1, 1), (Edge.LEFT, Edge.RIGHT))
    second, end, after = add_step(layout, "second", (4, 3), (Edge.TOP, Edge.TOP))
    weights = np.arange(SIZE, dtype=np.float32)
    first.set_symbol_all("weights", weights, SIZE, 1)
    second.set_symbol_all("weights", 10 * weights, SIZE, 1)
    layout.connect(between, end)
    into, out = layout.create_input_stream(begin), layout.create_output_stream(after)
    runtime = SdkRuntime(layout.compile(out_prefix="out"), platform, memcpy_required=False)
    runtime.load()
    runtime.run()
    given, got = np.full(SIZE, 100, np.float32), np.zeros(SIZE, np.float32)
    runtime.receive(out, got, SIZE, nonblock=True)
    runtime.send(into, given, nonblock=True)
    runtime.stop()
    np.testing.assert_array_equal(got, given + 11 * weights)
    np.testing.assert_array_equal(runtime.read_symbol(4, 3, "weights", np.float32), 10 * weights)
    print("SUCCESS!")


def wrong():
    """Layouts that cannot be."""
    wide = SdkLayout(get_platform(target=SdkTarget.WSE2)).create_code_region("step.csl", "wide", 2, 1)
    port = wide.create_output_port(Color("to"), Edge.TOP, [OUT], SIZE)
    wide.paint_all(Color("c"), [RoutingPosition([Route.EAST], [Route.WEST])], [get_edge_routing(Edge.LEFT, [INTO])])

    def overlap():
        layout = SdkLayout(get_platform(target=SdkTarget.WSE2))
        for name in ("first", "second"):
            add_step(layout, name, (1, 1), (Edge.LEFT, Edge.RIGHT))
        layout.compile()

    layout = SdkLayout()
    _, into, _ = add_step(layout, "one", (1, 1), (Edge.LEFT, Edge.RIGHT))
    for call in (overlap, lambda: layout.connect(port, into), lambda: layout.create_output_stream(port),
                 lambda: wide.set_param(IntVector(2, 0), "size", 3), lambda: get_platform("10.0.0.1:9000")):
        try:
            call()
        except (RuntimeError, ValueError) as error:
            print(error)


if __name__ == "__main__":
    (wrong if sys.argv[1:] else main)()
