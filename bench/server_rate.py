#!/usr/bin/env python3
"""How many small calls `shoal serve` answers.

    server_rate.py --program build/release/shoal [--seconds 10] [--rate 1000]

Sends calls at a steady rate over a few connections (session, 20 rows, a window of values, a spec), for some seconds, and
tells how many were answered, the times between question and answer, and the processor time of the server. With
--rate 0 it sends as fast as answers come. For docs/performance.md.
"""

import argparse
import http.client
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

CALLS = ["/api/spec", "/api/rows?from=100&count=20", "/api/columns/0/values?count=20", "/api/session"]


def ask(address, seconds, rate, place, count, out):
    """Every count-th call of the rate, from place on."""
    connection = http.client.HTTPConnection("127.0.0.1", address[0], timeout=30)
    begin = time.monotonic()
    number = place
    while True:
        due = begin + number / rate if rate else time.monotonic()
        now = time.monotonic()
        if now - begin > seconds or due - begin > seconds:
            return
        if due > now:
            time.sleep(due - now)
        start = time.monotonic()
        connection.request("GET", CALLS[number % len(CALLS)], headers={"Shoal-Token": address[1]})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise SystemExit(f"{CALLS[number % len(CALLS)]}: {answer.status}")
        out.append((time.monotonic() - max(start, due), time.monotonic()))
        number += count


def processor_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=float, default=1000)
    parser.add_argument("--connections", type=int, default=8)
    options = parser.parse_args()
    program = str(options.program.resolve())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "generate", "census", "--records", "10000", "-o", f"{folder}/people.csv"], check=True)
        server = subprocess.Popen([program, "serve", f"{folder}/people.csv", "--no-browser"], stdout=subprocess.PIPE, text=True)
        port, token = re.search(r":(\d+)/#token=(\w+)", server.stdout.readline()).groups()
        time.sleep(1)
        before = processor_seconds(server.pid)
        results = [[] for _ in range(options.connections)]
        threads = [threading.Thread(target=ask, args=((int(port), token), options.seconds, options.rate, i, options.connections, out))
                   for i, out in enumerate(results)]
        begin = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        spent = processor_seconds(server.pid) - before
        server.send_signal(signal.SIGTERM)
        server.wait()
    times = sorted(seconds for out in results for seconds, _ in out)
    last = max(end for out in results for _, end in out) - begin
    print(f"{len(times)} calls in {last:.2f} s: {len(times) / last:.0f} a second; "
          f"median {1000 * times[len(times) // 2]:.2f} ms, 99 % {1000 * times[len(times) * 99 // 100]:.2f} ms, "
          f"worst {1000 * times[-1]:.1f} ms; server {spent:.2f} s of processor time, {1e6 * spent / len(times):.0f} us a call")


if __name__ == "__main__":
    main()
