"""Layouts in Python: code regions, ports and connections become the text of a layout block.

cslc compiles it like any other. PEs that no region holds only route, or relay a stream of the host
at the edge of the fabric.
"""
import collections
import enum
import os
import subprocess

import numpy as np

from cerebras.geometry.geometry import IntRectangle, IntVector

TO_PES, FROM_PES = 20, 19  # colors of streams, on the PEs that relay them
HOST_COLORS = 19           # ports have the colors below

RELAY = """// Relays a stream of the host.
param memcpy_params: comptime_struct;
param c: color;

const sys = @import_module("<memcpy/memcpy>", memcpy_params);
const from = @get_dsd(fabin_dsd, .{ .extent = 0x7fff, .fabric_color = FROM, .input_queue = @get_input_queue(2) });
const to = @get_dsd(fabout_dsd, .{ .extent = 0x7fff, .fabric_color = TO, .output_queue = @get_output_queue(3) });

task relay() void {
  @mov32(to, from, .{ .async = true });
}

comptime {
  @bind_local_task(relay, @get_local_task_id(8));
  @activate(@get_local_task_id(8));
  if (!@is_arch("wse2")) {
    @initialize_queue(@get_input_queue(2), .{ .color = FROM });
    @initialize_queue(@get_output_queue(3), .{ .color = TO });
  }
}
"""
FILES = {"idle.csl": "// A PE that only routes.\n",
         "to_pes.csl": RELAY.replace("FROM", "sys.MEMCPYH2D_1").replace("TO", "c"),
         "from_pes.csl": RELAY.replace("FROM", "c").replace("TO", "sys.MEMCPYD2H_1")}


class SdkTarget(enum.Enum):
    """The kind of wafer."""
    WSE2 = "wse2"
    WSE3 = "wse3"


class Route(enum.Enum):
    """A way of a router, and the step that it takes."""
    RAMP = (0, 0)
    EAST = (1, 0)
    WEST = (-1, 0)
    NORTH = (0, -1)
    SOUTH = (0, 1)


OPPOSITE = {Route.EAST: Route.WEST, Route.WEST: Route.EAST, Route.NORTH: Route.SOUTH, Route.SOUTH: Route.NORTH}


class Edge(enum.Enum):
    """An edge of a code region, and the way out over it."""
    LEFT = Route.WEST
    RIGHT = Route.EAST
    TOP = Route.NORTH
    BOTTOM = Route.SOUTH


class SimfabConfig:
    """Options of the vendor's simulator; ours needs none."""

    def __init__(self, **options):
        self.options = options


class Platform:
    """What a layout is compiled for."""

    def __init__(self, target):
        self.target = target


def get_platform(cmaddr=None, config=None, target=SdkTarget.WSE3):
    """The simulated wafer."""
    del config
    if cmaddr:
        raise RuntimeError(f"cmaddr: there is no wafer at {cmaddr} here, leave it out")
    return Platform(target)


class Color:
    """A color, whose number the compiler chooses unless it is given."""

    def __init__(self, name, value=None):
        self.name = name
        self.value = value
        self.same_as = self  # the first of the colors that connections make one

    def root(self):
        """The color that stands for all that are connected."""
        color = self
        while color.same_as is not color:
            color = color.same_as
        return color


class RoutingPosition:
    """A position of a router's switch: where wavelets come from, and where they go."""

    def __init__(self, inputs=(), outputs=()):
        self.inputs = tuple(inputs)
        self.outputs = tuple(outputs)

    def set_input(self, routes):
        """The ways in."""
        return RoutingPosition(routes, self.outputs)

    def set_output(self, routes):
        """The ways out."""
        return RoutingPosition(self.inputs, routes)


EdgeRouting = collections.namedtuple("EdgeRouting", "edge positions")


def get_edge_routing(edge, positions):
    """Positions for the PEs of one edge, for paint_all()."""
    return EdgeRouting(edge, positions)


class Port:
    """The PEs of a region's edge, and a color that crosses it."""

    def __init__(self, region, color, edge, size):
        self.region = region
        self.color = color
        self.edge = edge
        self.size = size

    def places(self):
        """Its PEs on the fabric."""
        return [self.region.on_fabric(x, y) for x, y in self.region.edge(self.edge)]


class Stream:
    """The PE that relays a stream of the host."""

    def __init__(self, port, is_input):
        self.port = port
        self.is_input = is_input
        self.place = None


class CodeRegion:
    """A rectangle of PEs with the same file."""

    def __init__(self, path, name, width, height):
        self.path = os.path.abspath(path)
        self.name = name
        self.width, self.height = width, height
        self.x = self.y = 0
        self.params = collections.defaultdict(dict)  # (x, y) -> name -> number or Color
        self.paints = {}                             # (x, y), Color -> positions
        self.symbols = []                            # name, data, columns, rows
        self.ports = []

    def color(self, name):
        """A new color of the region."""
        return Color(name)

    def place(self, x, y):
        """Puts the first PE at a place of the fabric."""
        self.x, self.y = x, y

    def on_fabric(self, x, y):
        """The place of its PE (x, y)."""
        return self.x + x, self.y + y

    def all(self):
        """Its PEs, from (0, 0) on."""
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def edge(self, edge):
        """The PEs of an edge, from the left or from the top."""
        last = {Edge.LEFT: (0, None), Edge.RIGHT: (self.width - 1, None),
                Edge.TOP: (None, 0), Edge.BOTTOM: (None, self.height - 1)}[edge]
        return [(x, y) for x, y in self.all() if last[0] in (None, x) and last[1] in (None, y)]

    def _within(self, where):
        """The PEs of a place or a rectangle."""
        if isinstance(where, IntVector):
            return [(where.x, where.y)]
        if isinstance(where, IntRectangle):
            return [(x, y) for y in range(where.lower.y, where.upper.y)
                    for x in range(where.lower.x, where.upper.x)]
        raise TypeError(f"region {self.name}: expected an IntVector or an IntRectangle, not {where!r}")

    def _check(self, places):
        for x, y in places:
            if not (0 <= x < self.width and 0 <= y < self.height):
                raise ValueError(f"region {self.name}: no PE ({x}, {y}), it has {self.width} x {self.height}")
        return places

    def _set(self, places, name, value):
        if isinstance(name, Color):
            name, value = name.name, name
        for place in self._check(places):
            self.params[place][name] = value

    def set_param(self, where, name, value=None):
        """A param of one PE; a color is its own value."""
        self._set(self._within(where), name, value)

    def set_param_range(self, where, name, value=None):
        """The same for a rectangle."""
        self._set(self._within(where), name, value)

    def set_param_all(self, name, value=None):
        """The same for all PEs."""
        self._set(self.all(), name, value)

    def _paint(self, places, color, positions):
        for place in self._check(places):
            self.paints[place, color] = list(positions)

    def paint(self, where, color, positions):
        """The positions of a color's switch on one PE."""
        self._paint(self._within(where), color, positions)

    def paint_range(self, where, color, positions):
        """The same for a rectangle."""
        self._paint(self._within(where), color, positions)

    def paint_all(self, color, positions, edges=()):
        """The same for all PEs, but for those of some edges."""
        self._paint(self.all(), color, positions)
        for edge in edges:
            self._paint(self.edge(edge.edge), color, edge.positions)

    def create_input_port(self, color, edge, positions, size, suffix=""):
        """Where wavelets come in over an edge."""
        del suffix
        self._paint(self.edge(edge), color, [p.set_input([edge.value]) for p in positions])
        self.ports.append(Port(self, color, edge, size))
        return self.ports[-1]

    def create_output_port(self, color, edge, positions, size, suffix=""):
        """Where they go out."""
        del suffix
        self._paint(self.edge(edge), color, [p.set_output([edge.value]) for p in positions])
        self.ports.append(Port(self, color, edge, size))
        return self.ports[-1]

    def set_symbol_all(self, name, data, columns, rows):
        """Initial values of an array: a block of the matrix for each PE."""
        matrix = np.asarray(data).reshape(rows, columns)
        self.symbols.append((name, matrix, columns // self.width, rows // self.height))


class CompileArtifacts:
    """What compile() leaves for SdkRuntime."""

    def __init__(self, folder, symbols):
        self.folder = folder
        self.symbols = symbols  # (x, y), name, bytes

    def __fspath__(self):
        return self.folder


class SdkLayout:
    """Code regions on a fabric, and what connects them."""

    def __init__(self, platform=None):
        self.platform = platform or get_platform()
        self.regions = []
        self.connections = []
        self.streams = []

    def create_code_region(self, path, name, width, height):
        """A rectangle of PEs that run the file."""
        self.regions.append(CodeRegion(path, name, width, height))
        return self.regions[-1]

    def connect(self, output, into):
        """Routes an output port to an input port of as many PEs."""
        if len(output.places()) != len(into.places()):
            raise ValueError(f"connect: a port of {len(output.places())} PEs of {output.region.name}, one of "
                             f"{len(into.places())} of {into.region.name}")
        into.color.root().same_as = output.color.root()
        self.connections.append((output, into))

    def create_input_stream(self, port):
        """A stream from the host to a port of one PE."""
        return self._stream(port, True)

    def create_output_stream(self, port):
        """A stream to the host."""
        return self._stream(port, False)

    def _stream(self, port, is_input):
        if len(port.places()) != 1:
            raise ValueError(f"streams need ports of one PE, {port.region.name} has {len(port.places())}")
        self.streams.append(Stream(port, is_input))
        return self.streams[-1]

    def compile(self, out_prefix="out", **_options):
        """Writes the layout, and lets cslc compile it."""
        folder = os.path.abspath(out_prefix)
        plan = Plan(self)
        os.makedirs(folder, exist_ok=True)
        for name, text in {**FILES, "layout.csl": plan.text(folder)}.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        subprocess.run(["cslc", os.path.join(folder, "layout.csl"), f"--arch={self.platform.target.value}",
                        "-o", folder], check=True)
        return CompileArtifacts(folder, plan.symbols())


class Plan:
    """The fabric of a layout: numbers of colors, routes, and code."""

    def __init__(self, layout):
        self.layout = layout
        self.code = {}    # (x, y) -> region, (x, y) in it
        self.routes = {}  # (x, y), Color -> positions
        self.numbers = {}
        for region in layout.regions:
            for place in region.all():
                self._add_code(region, place)
            for (place, color), positions in region.paints.items():
                self.routes[region.on_fabric(*place), color.root()] = positions
        self.width = 2 + max(x for x, _ in self.code)
        self.height = 2 + max(y for _, y in self.code)
        self._number_colors()
        for output, into in layout.connections:
            for start, end in zip(output.places(), into.places()):
                self._lay(output.color.root(), self._path(output, start, {end}, into))
        self.relays = {}  # (x, y) -> Stream
        for stream in layout.streams:
            self._lay_stream(stream)

    def _add_code(self, region, place):
        there = region.on_fabric(*place)
        if there in self.code:
            raise ValueError(f"regions {self.code[there][0].name} and {region.name} overlap at {there}")
        self.code[there] = region, place

    def _number_colors(self):
        regions = self.layout.regions
        values = [value for region in regions for params in region.params.values() for value in params.values()]
        painted = [color for region in regions for _, color in region.paints]
        colors = dict.fromkeys(c.root() for c in values + painted if isinstance(c, Color))
        taken = {color.value for color in colors if color.value is not None}
        free = [number for number in range(HOST_COLORS) if number not in taken]
        for color in colors:
            if color.value is None and not free:
                raise ValueError(f"more than {HOST_COLORS} colors")
            self.numbers[color] = free.pop(0) if color.value is None else color.value

    def _is_free(self, place, color):
        x, y = place
        return 0 <= x < self.width and 0 <= y < self.height and (place, color) not in self.routes

    def _path(self, port, start, ends, into=None):
        """The shortest way out of a port over PEs that do not route the color: places, from the port's on.
        It ends at one of `ends`, over the edge of the port `into`."""
        color = port.color.root()
        before = {start: None}
        queue = collections.deque([self._step(start, port.edge.value)])
        before[queue[0]] = start
        while queue:
            place = queue.popleft()
            if place in ends and (into is None or self._step(before[place], OPPOSITE[into.edge.value]) == place):
                path = [place]
                while before[path[-1]] is not None:
                    path.append(before[path[-1]])
                return path[::-1]
            if not self._is_free(place, color):
                if place not in ends:
                    continue
                del before[place]  # entered over another edge
                continue
            for route in OPPOSITE:
                following = self._step(place, route)
                if following not in before:
                    before[following] = place
                    queue.append(following)
        raise ValueError(f"no way for color {port.color.name} of region {port.region.name}")

    @staticmethod
    def _step(place, route):
        return place[0] + route.value[0], place[1] + route.value[1]

    def _route_of(self, place, following):
        """The way from one PE to the next."""
        return next(route for route in OPPOSITE if self._step(place, route) == following)

    def _lay(self, color, path):
        """Routes between the ends of a path."""
        for i in range(1, len(path) - 1):
            came = OPPOSITE[self._route_of(path[i - 1], path[i])]
            self.routes[path[i], color] = [RoutingPosition([came], [self._route_of(path[i], path[i + 1])])]

    def _lay_stream(self, stream):
        """A relay at the nearest free PE of the fabric's edge."""
        color = stream.port.color.root()
        edge = {(x, y) for x in range(self.width) for y in range(self.height)
                if (x in (0, self.width - 1) or y in (0, self.height - 1))
                and (x, y) not in self.code and (x, y) not in self.relays and self._is_free((x, y), color)}
        path = self._path(stream.port, stream.port.places()[0], edge)
        way = self._route_of(path[-1], path[-2])
        if stream.is_input:
            path.reverse()
        self._lay(color, path)
        stream.place = path[0] if stream.is_input else path[-1]
        self.relays[stream.place] = stream
        ends = ([Route.RAMP], [way])
        self.routes[stream.place, color] = [RoutingPosition(*(ends if stream.is_input else ends[::-1]))]

    def symbols(self):
        """Initial values of arrays: place, name, bytes."""
        return [(region.on_fabric(x, y), name,
                 np.ascontiguousarray(matrix[y * rows:(y + 1) * rows, x * columns:(x + 1) * columns]).tobytes())
                for region in self.layout.regions for name, matrix, columns, rows in region.symbols
                for x, y in region.all()]

    # The text of the layout.

    def _value(self, value):
        return f"@get_color({self.numbers[value.root()]})" if isinstance(value, Color) else str(value)

    def _code_of(self, place, folder):
        if place in self.relays:
            stream = self.relays[place]
            name = "to_pes.csl" if stream.is_input else "from_pes.csl"
            return name, {"memcpy_params": "memcpy.get_params(0)", "c": self._value(stream.port.color)}
        if place in self.code:
            region, inside = self.code[place]
            params = {name: self._value(value) for name, value in region.params[inside].items()}
            return os.path.relpath(region.path, folder), params
        return "idle.csl", {}

    def _config(self, positions):
        def routes(ways):
            names = ", ".join(way.name for way in ways)
            return names if len(ways) == 1 else f".{{ {names} }}"

        first = positions[0]
        switches = []
        for number, (before, position) in enumerate(zip(positions, positions[1:]), 1):
            has_input = position.inputs != before.inputs
            if has_input and position.outputs != before.outputs:
                raise ValueError("a later position of a switch changes its input or its output, not both")
            switches.append(f".pos{number} = .{{ .rx = {routes(position.inputs)} }}" if has_input else
                            f".pos{number} = .{{ .tx = {routes(position.outputs)} }}")
        text = f".routes = .{{ .rx = {routes(first.inputs)}, .tx = {routes(first.outputs)} }}"
        return text + (f", .switches = .{{ {', '.join(switches)} }}" if switches else "")

    def text(self, folder):
        """The layout in CSL."""
        lines = ["// Made by SdkLayout.",
                 'const memcpy = @import_module("<memcpy/get_params>", .{',
                 f"  .width = {self.width}, .height = {self.height},",
                 f"  .MEMCPYH2D_1 = @get_color({TO_PES}), .MEMCPYD2H_1 = @get_color({FROM_PES}) }});",
                 "", "layout {", f"  @set_rectangle({self.width}, {self.height});"]
        for y in range(self.height):
            for x in range(self.width):
                path, params = self._code_of((x, y), folder)
                bindings = ", ".join(f".{name} = {value}" for name, value in params.items())
                lines.append(f'  @set_tile_code({x}, {y}, "{path}", .{{ {bindings} }});')
        for ((x, y), color), positions in self.routes.items():
            lines.append(f"  @set_color_config({x}, {y}, @get_color({self.numbers[color]}), "
                         f".{{ {self._config(positions)} }});")
        return "\n".join(lines + ["}", ""])
