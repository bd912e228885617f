"""Traces as foreign programs see them: decoded by protoc with the public numbers of Perfetto's
format, and checked for everything that its programs rely on."""
import json
import os
import re
import subprocess
from collections import defaultdict

FOLDER = os.path.dirname(os.path.abspath(__file__))
CLEARED, NEEDS_STATE = 1, 2
LINE = re.compile(r'\s*(\w+)(?: \{|: (.*))$')
NUMBER = re.compile(r"-?[\d.]+(e[+-]?\d+)?$")


class Wrong(AssertionError):
    """A trace that Perfetto would not show as intended."""


def value_of(text):
    if text[0] == '"':
        return json.loads(re.sub(r"\\'", "'", text)) if "\\" in text else text[1:-1]
    if NUMBER.match(text):
        return float(text) if "." in text or "e" in text else int(text)
    return text


def decode(data):
    """The packets of a trace: dictionaries, with a list for each field."""
    done = subprocess.run(["protoc", "--decode=Trace", "-I", FOLDER, "perfetto.proto"],
                          input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    if done.returncode != 0:
        raise Wrong(done.stderr.decode())
    top = defaultdict(list)
    stack = [top]
    for line in done.stdout.decode().splitlines():
        if line.endswith("}") and line.strip() == "}":
            stack.pop()
            continue
        name, value = LINE.match(line).groups()
        if value is None:
            inner = defaultdict(list)
            stack[-1][name].append(inner)
            stack.append(inner)
        else:
            stack[-1][name].append(value_of(value))
    return top["packet"]


def one(message, name, default=None):
    values = message.get(name)
    return values[0] if values else default


class Slice:
    """A slice, a mark or a stall."""

    def __init__(self, event, names, arguments, begin, order):
        self.name = one(event, "name") or names.get(one(event, "name_iid"), "")
        self.begin = begin
        self.end = begin
        self.order = order
        self.arguments = {}
        for told in event.get("annotations", ()):
            name = one(told, "name") or arguments[one(told, "name_iid")]
            self.arguments[name] = next(one(told, kind) for kind in (
                "int_value", "double_value", "string_value", "uint_value", "bool_value")
                if kind in told)
        self.flows = event.get("flows", [])
        self.ending_flows = event.get("ending_flows", [])
        self.is_stall = False


class Sequence:
    """Packets of one writer, which refer to each other."""

    def __init__(self):
        self.track = None
        self.last = 0
        self.names = {}
        self.arguments = {}
        self.categories = {}


class Trace:
    """A trace, checked while it is read."""

    def __init__(self, data, is_whole=True):
        """A failed run has flows without an end."""
        self.is_whole = is_whole
        self.tracks = {}       # descriptors, by number
        self.sequences = {}
        self.slices = defaultdict(list)   # by the track's full name, as are these:
        self.marks = defaultdict(list)
        self.samples = defaultdict(list)  # (at, value)
        self.units = {}
        self.events = defaultdict(list)   # of slices, by track: (at, order, slice or None)
        packets = decode(data)
        for order, packet in enumerate(packets):
            self.read(packet, order)
        self.nest()
        self.check_flows()
        self.check_notes(packets)

    @staticmethod
    def fail(message):
        raise Wrong(message)

    def read(self, packet, order):
        sequence = self.hear(packet, order)
        for descriptor in packet.get("descriptor", ()):
            self.describe(descriptor, order)
        for event in packet.get("event", ()):
            if sequence is None:
                self.fail(f"packet {order}: an event without a sequence")
            if not one(packet, "flags", 0) & (CLEARED | NEEDS_STATE):
                self.fail(f"packet {order}: refers to state and does not say so")
            self.happen(packet, event, sequence, order)

    def hear(self, packet, order):
        number = one(packet, "sequence")
        if number is None:
            return None
        if one(packet, "flags", 0) & CLEARED:
            if number in self.sequences:
                self.fail(f"packet {order}: sequence {number} begins again")
            self.sequences[number] = Sequence()
        if number not in self.sequences:
            self.fail(f"packet {order}: sequence {number} does not begin with a clear state")
        sequence = self.sequences[number]
        for defaults in packet.get("defaults", ()):
            sequence.track = one(one(defaults, "event"), "track")
        for interned in packet.get("interned", ()):
            for kind in ("names", "arguments", "categories"):
                known = getattr(sequence, kind)
                for told in interned.get(kind, ()):
                    iid = one(told, "iid")
                    if iid == 0 or known.setdefault(iid, one(told, "name")) != one(told, "name"):
                        self.fail(f"packet {order}: number {iid} has two names")
        return sequence

    def describe(self, descriptor, order):
        uuid, parent = one(descriptor, "uuid"), one(descriptor, "parent")
        if uuid in self.tracks:
            self.fail(f"packet {order}: track {uuid} is described twice")
        if parent is not None and parent not in self.tracks:
            self.fail(f"packet {order}: track {uuid} comes before its parent")
        for kind, number in (("process", "pid"), ("thread", "tid")):
            if kind in descriptor:
                mine = one(one(descriptor, kind), number)
                for other in self.tracks.values():
                    if kind in other and one(one(other, kind), number) == mine:
                        self.fail(f"packet {order}: {number} {mine} is there twice")
        self.tracks[uuid] = descriptor

    def full_name(self, uuid):
        """core[3,4].math, or core[3,4].buffers/cb 3 for a counter."""
        track = self.tracks[uuid]
        name, parent = one(track, "name", ""), one(track, "parent")
        if parent is None:
            return name
        above = self.full_name(parent)
        if "counter" in track:
            return f"{above}/{name}"
        return above if above == name else f"{above}.{name}"

    def happen(self, packet, event, sequence, order):
        at, kind = one(packet, "timestamp"), one(event, "type")
        uuid = one(event, "track", sequence.track)
        if uuid not in self.tracks:
            self.fail(f"packet {order}: track {uuid} is used before it is described")
        if at < sequence.last:
            self.fail(f"packet {order}: {at} comes after {sequence.last}")
        if ("counter" in self.tracks[uuid]) != (kind == "COUNTER"):
            self.fail(f"packet {order}: {kind} on track {self.full_name(uuid)}")
        sequence.last = at
        name = self.full_name(uuid)
        for iid in event.get("name_iid", ()):
            if iid not in sequence.names:
                self.fail(f"packet {order}: name {iid} is not known")
        if kind == "COUNTER":
            self.samples[name].append((at, one(event, "counter_value")))
            self.units[name] = one(one(self.tracks[uuid], "counter"), "unit", "")
        elif kind == "END":
            self.events[name].append((at, order, sequence, None))
        else:
            happened = Slice(event, sequence.names, sequence.arguments, at, order)
            if kind == "BEGIN":
                self.events[name].append((at, order, sequence, happened))
            else:
                categories = [sequence.categories[iid]
                              for iid in event.get("category_iids", ())]
                happened.is_stall = "stall" in categories
                self.marks[name].append(happened)

    def nest(self):
        """Ends the innermost open slice, in the order of time, and checks that its sequence meant
        it."""
        for name, events in self.events.items():
            own = defaultdict(list)
            meant = {}
            for _, order, sequence, happened in events:
                if happened is not None:
                    own[id(sequence)].append(happened)
                elif own[id(sequence)]:
                    meant[order] = own[id(sequence)].pop()
                else:
                    self.fail(f"{name}: packet {order} ends nothing")
            stack = []
            for at, order, _, happened in sorted(events, key=lambda event: event[:2]):
                if happened is not None:
                    stack.append(happened)
                    continue
                if not stack or stack[-1] is not meant[order]:
                    self.fail(f"{name}: packet {order} at {at} ends another slice")
                stack.pop().end = at
            if stack:
                self.fail(f"{name}: {stack[-1].name} at {stack[-1].begin} does not end")
            self.slices[name] = [event[3] for event in events if event[3] is not None]

    def check_flows(self):
        begun, ended = defaultdict(list), defaultdict(list)
        for group in (*self.slices.values(), *self.marks.values()):
            for happened in group:
                for flow in happened.flows:
                    begun[flow].append(happened.begin)
                for flow in happened.ending_flows:
                    ended[flow].append(happened.begin)
        for flow in {*begun, *ended}:
            if not begun[flow] or len(ended[flow]) > 1 or self.is_whole and not ended[flow]:
                self.fail(f"flow {flow} has {len(begun[flow])} beginnings and "
                          f"{len(ended[flow])} ends")
            if ended[flow] and max(begun[flow]) > ended[flow][0]:
                self.fail(f"flow {flow} ends before it begins")
        self.flow_count = len(begun)

    def check_notes(self, packets):
        notes = self.marks.pop("run", [])
        events = [packet for packet in packets if "event" in packet]
        if [note.name for note in notes] != ["gridloom", "summary"]:
            self.fail(f"notes: {[note.name for note in notes]}")
        self.start, self.summary = (note.arguments for note in notes)
        for packet, name in ((events[0], "gridloom"), (events[-1], "summary")):
            if one(one(packet, "event"), "name") != name:
                self.fail(f"{name} is not where it belongs")
        if self.start["clock_hz"] != self.summary["clock_hz"]:
            self.fail("clock_hz differs")

    def busy(self, unit):
        """Cycles of slices in all lanes with that unit."""
        return sum(happened.end - happened.begin
                   for name, slices in self.slices.items() if name.endswith("." + unit)
                   for happened in slices)

    def stalls(self, units):
        """Cycles by reason, in the lanes with these units."""
        sums = defaultdict(int)
        for name, marks in self.marks.items():
            if name.rpartition(".")[2] in units:
                for mark in marks:
                    if mark.is_stall:
                        sums[mark.name] += mark.arguments["cycles"]
        return dict(sums)
