"""Traces in Perfetto's format (.pftrace): packets, and the tables that its trace processor makes of
them (https://perfetto.dev/docs/analysis/sql-tables), as far as Gridloom's traces fill them."""
import sqlite3
import struct

from gridloom.program import WrongInput

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
SCHEMA = """
CREATE TABLE process (upid INTEGER PRIMARY KEY, pid INTEGER, name TEXT);
CREATE TABLE thread (utid INTEGER PRIMARY KEY, tid INTEGER, name TEXT, upid INTEGER);
CREATE TABLE track (id INTEGER PRIMARY KEY, name TEXT, parent_id INTEGER);
CREATE TABLE thread_track (id INTEGER PRIMARY KEY, name TEXT, parent_id INTEGER, utid INTEGER);
CREATE TABLE thread_counter_track (id INTEGER PRIMARY KEY, name TEXT, parent_id INTEGER, unit TEXT, utid INTEGER);
CREATE TABLE slice (id INTEGER PRIMARY KEY, ts INTEGER, dur INTEGER, track_id INTEGER, category TEXT, name TEXT,
    depth INTEGER, parent_id INTEGER, arg_set_id INTEGER);
CREATE TABLE counter (id INTEGER PRIMARY KEY, ts INTEGER, track_id INTEGER, value REAL);
CREATE TABLE args (arg_set_id INTEGER, flat_key TEXT, key TEXT, int_value INTEGER, string_value TEXT, real_value REAL);
CREATE TABLE flow (id INTEGER PRIMARY KEY, slice_out INTEGER, slice_in INTEGER);
CREATE INDEX args_by_set ON args (arg_set_id);
"""
WORDS = str.maketrans(".[]", "___")  # what Perfetto makes of names of arguments


def varint(data, at):
    """A number of seven bits a byte, and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def fields(data):
    """The fields of a message: number and value, by the wire's types."""
    at, end = 0, len(data)
    while at < end:
        key, at = (data[at], at + 1) if data[at] < 128 else varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = (data[at], at + 1) if data[at] < 128 else varint(data, at)
        elif kind == 2:
            size, at = (data[at], at + 1) if data[at] < 128 else varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            size = 8 if kind == 1 else 4
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def message(data):
    """A message's fields by number, the last of each."""
    return dict(fields(data))


def signed(value):
    """A varint as an int64."""
    return value - (1 << 64) if value >> 63 else value


class Sequence:
    """Names that packets of one writer call by number, and the track of its events."""

    def __init__(self):
        self.track = None
        self.names = {1: {}, 2: {}, 3: {}}  # categories, events, arguments


class Reader:
    """Tracks and events of a trace, events in order of time."""

    def __init__(self, data):
        self.tracks, self.events, self.sequences = {}, [], {}
        try:
            for number, packet in fields(data):
                if number == 1:
                    self.read(packet)
        except (IndexError, struct.error) as error:
            raise WrongInput(1, "a trace that is cut off or damaged") from error
        self.events.sort(key=lambda event: event[0])

    def read(self, data):
        packet = message(data)
        sequence = self.sequences.setdefault(packet.get(10, 0), Sequence())
        if 59 in packet and 11 in message(packet[59]):
            sequence.track = message(message(packet[59])[11]).get(11)
        for number, told in fields(packet.get(12, b"")):
            entry = message(told)
            sequence.names[number][entry[1]] = entry[2].decode()
        if 60 in packet:
            self.describe(message(packet[60]))
        if 11 in packet:
            self.events.append((packet.get(8, 0), sequence, packet[11]))

    def describe(self, track):
        """A track: name, parent, kind, and what is told about it."""
        kind = next((kind for kind, number in (("process", 3), ("thread", 4), ("counter", 8)) if number in track), None)
        told = message(track[{"process": 3, "thread": 4, "counter": 8}[kind]]) if kind else {}
        self.tracks[track[1]] = (track.get(2, b"").decode(), track.get(5), kind, told)


def arguments(told_fields, sequence):
    """Names and values of an event's arguments."""
    for number, data in told_fields:
        if number == 4:
            told = message(data)
            name = told[10].decode() if 10 in told else sequence.names[3][told[1]]
            if 6 in told:
                value = told[6].decode()
            elif 5 in told:
                value = struct.unpack("<d", told[5])[0]
            else:
                value = signed(next(told[number] for number in (4, 3, 2) if number in told))
            yield "debug." + name.translate(WORDS), value


class Tables:
    """Fills a database."""

    def __init__(self, base, reader):
        self.base = base
        self.stacks, self.flows, self.slices, self.samples, self.args, self.links = {}, {}, [], [], [], []
        base.executescript(SCHEMA)
        self.add_tracks(reader)
        for stamp, sequence, event in reader.events:
            self.add_event(stamp, sequence, event)
        for table, rows in (("slice", self.slices), ("counter", self.samples), ("args", self.args), ("flow", self.links)):
            if rows:
                base.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)

    def add_tracks(self, reader):
        for uuid, (name, parent, kind, told) in reader.tracks.items():
            if kind == "process":
                self.base.execute("INSERT INTO process VALUES (?, ?, ?)", (uuid, told.get(1), told.get(6, b"").decode()))
            elif kind == "thread":
                self.base.execute("INSERT INTO thread VALUES (?, ?, ?, ?)", (uuid, told.get(2), told.get(5, b"").decode(), parent))
                self.base.execute("INSERT INTO thread_track VALUES (?, ?, ?, ?)", (uuid, name, parent, uuid))
            elif kind == "counter":
                self.base.execute("INSERT INTO thread_counter_track VALUES (?, ?, ?, ?, ?)",
                                  (uuid, name, parent, told.get(6, b"").decode(), parent))
            self.base.execute("INSERT INTO track VALUES (?, ?, ?)", (uuid, name, parent))

    def add_event(self, stamp, sequence, data):
        all_fields = list(fields(data))
        event = dict(all_fields)
        track, kind = event.get(11, sequence.track), event.get(9)
        stack = self.stacks.setdefault(track, [])
        if kind == COUNTER:
            value = struct.unpack("<d", event[44])[0] if 44 in event else signed(event.get(30, 0))
            self.samples.append((len(self.samples), stamp, track, value))
        elif kind == END:
            if stack:
                begun = stack.pop()
                self.slices[begun][2] = stamp - self.slices[begun][1]
        else:
            self.add_slice(stamp, track, stack, (event, all_fields, sequence))
            if kind == BEGIN:
                stack.append(len(self.slices) - 1)

    def add_slice(self, stamp, track, stack, what):
        event, all_fields, sequence = what
        number = len(self.slices)
        name = event[23].decode() if 23 in event else sequence.names[2].get(event.get(10), "")
        category = sequence.names[1].get(event[3]) if 3 in event else None
        told = list(arguments(all_fields, sequence))
        for key, value in told:
            self.args.append((number, key, key, *(value if isinstance(value, kind) else None for kind in (int, str, float))))
        self.slices.append([number, stamp, 0, track, category, name, len(stack), stack[-1] if stack else None,
                            number if told else None])
        for field, flow in all_fields:
            if field in (47, 48):
                if flow in self.flows:
                    self.links.append((len(self.links), self.flows.pop(flow), number))
                if field == 47:
                    self.flows[flow] = number


def tables_of(path):
    """A database in memory with a trace's tables."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise WrongInput(1, f"{path}: {error.strerror}") from error
    base = sqlite3.connect(":memory:")
    try:
        Tables(base, Reader(data))
    except WrongInput as error:
        raise WrongInput(1, f"{path}: {error}") from error
    base.row_factory = sqlite3.Row
    return base
