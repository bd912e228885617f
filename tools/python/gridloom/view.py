"""Opens a trace in ui.perfetto.dev with Gridloom's tracks and tables: python3 -m gridloom.view TRACE

The page fetches the trace from this machine, which hands out that one file until it was fetched. It
keeps the trace in the browser. Perfetto's page allows no port of this machine but 9001.
"""
import argparse
import http.server
import json
import os
import sys
import urllib.parse
import webbrowser

from gridloom.program import Error, WrongInput
from gridloom.query import folder

ORIGIN = "https://ui.perfetto.dev"


def address(path, port):
    """The page that fetches the trace and then runs the commands of view.json."""
    with open(folder() / "view.json", encoding="utf-8") as file:
        commands = json.dumps(json.load(file), separators=(",", ":"))
    trace = f"http://127.0.0.1:{port}/{urllib.parse.quote(os.path.basename(path))}"
    return f"{ORIGIN}/#!/?url={trace}&startupCommands={urllib.parse.quote(commands, safe='')}"


class Handler(http.server.BaseHTTPRequestHandler):
    """Hands out the server's file and nothing else."""

    def do_GET(self):  # pylint: disable=invalid-name
        """Answers the page."""
        name = urllib.parse.quote(os.path.basename(self.server.trace))
        if self.path != "/" + name:
            self.send_error(404)
            return
        size = os.path.getsize(self.server.trace)
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", ORIGIN)
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(size))
        self.end_headers()
        with open(self.server.trace, "rb") as file:
            while block := file.read(1 << 20):
                self.wfile.write(block)
        self.server.is_fetched = True

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        """Says nothing."""


def show(path, port=9001, has_browser=True):
    """Opens the trace, and returns when the page has it."""
    if not os.path.isfile(path):
        raise WrongInput(1, f"{path}: no such trace")
    try:
        server = http.server.HTTPServer(("127.0.0.1", port), Handler)
    except OSError as error:
        raise WrongInput(1, f"port {port}: {error.strerror}; end what uses it (another view, or trace_processor)") from error
    with server:
        server.trace, server.is_fetched = path, False
        where = address(path, server.server_port)
        print(where, flush=True)
        if has_browser:
            webbrowser.open_new_tab(where)
        while not server.is_fetched:
            server.handle_request()


def main():
    """The command."""
    parser = argparse.ArgumentParser(prog="python3 -m gridloom.view", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("trace", metavar="TRACE.pftrace")
    parser.add_argument("--no-browser", action="store_true", help="print the address and open nothing")
    parser.add_argument("--port", type=int, default=9001, help=argparse.SUPPRESS)
    words = parser.parse_args()
    try:
        show(words.trace, words.port, not words.no_browser)
    except Error as error:
        print(f"gridloom.view: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
