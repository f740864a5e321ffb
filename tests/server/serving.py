"""A server of the program to be tested, and requests to it, by the standard library alone."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

PATIENCE = 60  # seconds after which something that should have happened did not


class Server:
    """`shoal serve` on a folder; its private folder is below one of the test's own."""

    def __init__(self, program, folder, *arguments, temporary=None, limit=None):
        self.temporary = Path(temporary or tempfile.mkdtemp(prefix="server-test-"))
        environment = dict(os.environ, SHOAL_TMPDIR=str(self.temporary))
        command = [str(program), "serve", str(folder), "--no-browser", *arguments]
        if limit:
            command = ["bash", "-c", f"ulimit -f {limit}; exec \"$@\"", "limited", *command]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=environment)
        self.line = self.process.stdout.readline()
        match = re.fullmatch(r"Shoal is at http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{32})  \(Ctrl-C ends it\)\n",
                             self.line)
        if not match:
            raise AssertionError(f"no address: {self.line!r} {self.process.communicate()[1]}")
        self.port = int(match.group(1))
        self.token = match.group(2)

    def ask(self, method, path, body=None, headers=None, token=True, length=True):
        """Status, heads and body of an answer. A body that is no bytes is sent as JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        heads = {"Host": f"127.0.0.1:{self.port}"}
        if token:
            heads["Shoal-Token"] = self.token if token is True else token
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            heads["Content-Type"] = "application/json"
            if length:
                heads["Content-Length"] = str(len(body))
        heads.update(headers or {})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in heads.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        if body:
            try:
                connection.send(body)
            except (BrokenPipeError, ConnectionResetError):
                pass  # refused by its head
        response = connection.getresponse()
        try:
            data = response.read()
        except http.client.IncompleteRead as cut:
            data = cut.partial  # a server that ends cuts its events off
        connection.close()
        return response.status, response.headers, data

    def call(self, method, path, body=None, expect=200, **options):
        """The answer of a call as JSON, whose status must be the expected one."""
        status, _, data = self.ask(method, path, body, **options)
        if status != expect:
            raise AssertionError(f"{method} {path}: {status}, not {expect}: {data[:600]!r}")
        return json.loads(data)

    def refused(self, method, path, body=None, expect=400, **options):
        """The error of a call that must be refused."""
        answer = self.call(method, path, body, expect=expect, **options)
        assert set(answer) == {"error", "mistakes"}, answer
        return answer["error"]

    def events(self, job):
        """All events of a job, read to their end."""
        status, heads, data = self.ask("GET", f"/api/jobs/{job}/events")
        assert status == 200 and heads["Content-Type"] == "application/x-ndjson", (status, data)
        return [json.loads(line) for line in data.decode().splitlines()]

    def run(self, body, path="/api/jobs", state="done"):
        """Start a job and wait for its end."""
        status, _, data = self.ask("POST", path, body)
        assert status in (200, 202), data
        events = self.events(json.loads(data)["id"])
        job = events[-1]["job"]
        assert events[-1]["event"] == "end" and job["state"] == state, job
        return job

    def open(self, **what):
        return self.run(what, path="/api/open")

    def work_folders(self):
        return sorted(self.temporary.glob("shoal-serve-*"))

    def stop(self, number=signal.SIGTERM):
        """End it; its exit code, and what it said."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=PATIENCE)
        self.process.stdout.close()
        return self.process.returncode, errors


def hold_connections(port, count, text=b"GET /api/session HTTP/1.1\r\nHost:"):
    """Sockets that have begun to say something, and go on no further."""
    held = []
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        one.sendall(text)
        held.append(one)
    return held


def until(condition, seconds=PATIENCE):
    """Wait for something to be so."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not happen in time")
        time.sleep(0.02)


def in_background(function, *arguments):
    thread = threading.Thread(target=function, args=arguments, daemon=True)
    thread.start()
    return thread
