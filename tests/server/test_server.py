#!/usr/bin/env python3
"""The server of the workbench, as its users and its enemies meet it.

    test_server.py --program build/dev/shoal --source . [TEST...]

Starts the real program and talks to it over its socket. What it answers is held against what the program's other
commands say of the same files. SHOAL_TEST_DEEP=1 adds what takes long.
"""

import argparse
import csv
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from serving import Server, hold_connections, in_background, until

DEEP = os.environ.get("SHOAL_TEST_DEEP") == "1"
OPTIONS = argparse.Namespace(program=None, source=None)

# Every call, with a body where it takes one. {j} stands for a job that made a release.
CALLS = [
    ("GET", "/api/session", None), ("GET", "/api/choices", None), ("GET", "/api/folder", None),
    ("POST", "/api/upload?name=a.csv", b"a\n1\n"), ("POST", "/api/open", {"path": "patients.csv"}),
    ("GET", "/api/rows", None), ("GET", "/api/columns", None), ("GET", "/api/columns/0/values", None),
    ("GET", "/api/spec", None), ("PUT", "/api/spec", {"yaml": "columns: {}"}), ("POST", "/api/spec/check", {"spec": {}}),
    ("POST", "/api/spec/open", {"path": "patients.yaml"}), ("POST", "/api/hierarchy", {"column": "job"}),
    ("POST", "/api/hierarchy/save", {"column": "job", "file": "h.csv"}), ("GET", "/api/jobs", None),
    ("POST", "/api/jobs", {"kind": "risk"}), ("GET", "/api/jobs/{j}", None), ("DELETE", "/api/jobs/j99", None),
    ("GET", "/api/jobs/{j}/events", None), ("GET", "/api/jobs/{j}/report", None), ("GET", "/api/jobs/{j}/text", None),
    ("GET", "/api/jobs/{j}/points", None), ("GET", "/api/jobs/{j}/rows", None), ("GET", "/api/jobs/{j}/columns", None),
    ("GET", "/api/jobs/{j}/command", None), ("GET", "/api/jobs/{j}/file?what=release", None),
    ("POST", "/api/jobs/{j}/ticket", {"what": "release"}), ("POST", "/api/release", {"job": "{j}", "file": "r.csv"}),
]


def program(*arguments, folder=None):
    """Exit code, standard output and messages of a command."""
    done = subprocess.run([str(OPTIONS.program), *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def read_lines(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def read_table(path):
    rows = read_lines(path)
    return rows[0], rows[1:]


class Case(unittest.TestCase):
    """A server on a copy of the examples, for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="server-folder-"))
        cls.temporary = Path(tempfile.mkdtemp(prefix="server-work-"))
        cls.place = cls.folder / "study"
        shutil.copytree(Path(OPTIONS.source) / "examples", cls.place,
                        ignore=lambda _, names: [n for n in names if not n.endswith((".csv", ".yaml"))])
        cls.server = Server(OPTIONS.program, cls.place, temporary=cls.temporary)

    @classmethod
    def tearDownClass(cls):
        code, errors = cls.server.stop()
        left = list(cls.temporary.iterdir())
        shutil.rmtree(cls.folder)
        shutil.rmtree(cls.temporary)
        assert (code, errors, left) == (0, "", []), (code, errors, left)

    def release(self, spec="patients.yaml", table="patients.csv"):
        """A job that made a release of a table by a spec of the folder."""
        self.server.open(path=table)
        self.server.call("POST", "/api/spec/open", {"path": spec})
        return self.server.run({"kind": "anonymize"})


class Gate(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.job = cls.release(cls)["id"]

    def fill(self, path, body):
        if isinstance(body, dict):
            body = {key: self.job if value == "{j}" else value for key, value in body.items()}
        return path.replace("{j}", self.job), body

    def each(self):
        for method, path, body in CALLS:
            with self.subTest(call=f"{method} {path}"):
                yield (method, *self.fill(path, body))

    def test_nothing_without_the_token(self):
        wrong = [None, "", "0" * 32, self.server.token[:-1], self.server.token + "0", self.server.token.upper() + "x"]
        before = self.server.call("GET", "/api/session")["revision"]
        for method, path, body in self.each():
            for token in wrong:
                error = self.server.refused(method, path, body, expect=401, token=False,
                                            headers={"Shoal-Token": token})
                self.assertEqual(error["status"], "token")
        self.assertEqual(self.server.call("GET", "/api/session")["revision"], before)

    def test_a_token_elsewhere_does_not_count(self):
        token = self.server.token
        self.server.refused("GET", f"/api/session?token={token}", expect=401, token=False)
        self.server.refused("GET", "/api/session", expect=401, token=False, headers={"Cookie": f"Shoal-Token={token}"})
        self.server.refused("GET", "/api/session", expect=401, token=False, headers={"Authorization": f"Bearer {token}"})

    def test_only_our_own_hosts(self):
        port = self.server.port
        for host in ["evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "127.0.0.1", "localhost",
                     f"127.0.0.1:{port + 1}", f"[::1]:{port}", f"0.0.0.0:{port}", f"LOCALHOST:{port}", "", f"127.0.0.1:{port}.",
                     f"127.0.0.1:0{port}", f"user@127.0.0.1:{port}"]:
            for path in ["/api/session", "/", "/view/" + "0" * 32, "/docs/server.md"]:
                with self.subTest(host=host, path=path):
                    status, _, data = self.server.ask("GET", path, headers={"Host": host})
                    self.assertIn(status, (403, 400), data)
                    self.assertNotIn(b"study", data)
        self.assertEqual(self.server.ask("GET", "/api/session", headers={"Host": f"localhost:{port}"})[0], 200)

    def test_two_hosts_or_none(self):
        port, token = self.server.port, self.server.token
        for heads in ["", f"Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n", f"Host: evil.example\r\nHost: 127.0.0.1:{port}\r\n",
                      f"Host: 127.0.0.1:{port}\r\nShoal-Token: {'0' * 32}\r\n"]:
            with socket.create_connection(("127.0.0.1", port), timeout=30) as one:
                one.sendall(f"GET /api/session HTTP/1.1\r\n{heads}Shoal-Token: {token}\r\nConnection: close\r\n\r\n".encode())
                answer = b"".join(iter(lambda: one.recv(65536), b""))
            self.assertRegex(answer.split(b"\r\n")[0], rb" 40[03] ")

    def test_only_our_own_pages(self):
        port = self.server.port
        for origin in ["http://evil.example", "null", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port}/", "http://127.0.0.1",
                       f"http://localhost:{port}.evil.example", "file://", f"http://127.0.0.1:{port + 1}"]:
            for method, path, body in (("GET", "/api/session", None), ("POST", "/api/open", {"path": "patients.csv"})):
                with self.subTest(origin=origin):
                    self.assertEqual(self.server.ask(method, path, body, headers={"Origin": origin})[0], 403)
        for host in ("127.0.0.1", "localhost"):
            self.assertEqual(self.server.ask("GET", "/api/session", headers={"Origin": f"http://{host}:{port}"})[0], 200)
        for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
            self.assertEqual(self.server.ask("GET", "/api/session", headers={"Sec-Fetch-Site": site})[0], status)

    def test_heads_of_every_answer(self):
        for method, path, body in [("GET", "/", None), ("GET", "/api/session", None), ("GET", "/api/nothing", None),
                                   ("OPTIONS", "/api/session", None), ("GET", f"/api/jobs/{self.job}/file?what=report.html", None)]:
            _, heads, _ = self.server.ask(method, path, body, headers={"Origin": f"http://127.0.0.1:{self.server.port}"})
            self.assertIn("default-src 'none'", heads["Content-Security-Policy"])
            self.assertNotRegex(heads["Content-Security-Policy"], r"script-src[^;]*unsafe|\*|http:")
            self.assertEqual(heads["X-Content-Type-Options"], "nosniff")
            self.assertEqual(heads["Cache-Control"], "no-store")
            self.assertEqual(heads["Referrer-Policy"], "no-referrer")
            self.assertFalse([name for name in heads if name.lower().startswith("access-control")])

    def test_routes_and_methods(self):
        for path in ["/api/", "/api/sessions", "/api/session/", "/api/jobs/", "/api/jobs/j1/nothing", "/api//session", "/view/",
                     "/api/jobs/j1/events/x", "/favicon", "/../etc/passwd", "/docs/../server.md", "/api/jobs/" + "x" * 3000]:
            with self.subTest(path=path):
                self.assertEqual(self.server.ask("GET", path)[0], 404)
        for method, path, body in self.each():
            other = "PATCH" if method != "PATCH" else "GET"
            self.assertEqual(self.server.ask(other, path.split("?")[0])[0], 405)
            self.assertEqual(self.server.ask("OPTIONS", path.split("?")[0])[0], 405)
        self.assertEqual(self.server.ask("POST", "/", b"x", headers={"Content-Type": "text/plain"})[0], 405)

    def test_bodies(self):
        calls = [(m, p, b) for m, p, b in CALLS if isinstance(b, dict)]
        self.assertGreater(len(calls), 8)
        for method, path, body in calls:
            path, _ = self.fill(path, body)
            ask = self.server.ask
            with self.subTest(path=path):
                for text in [b"", b"{", b"[]", b"1", b"null", b'{"a": 1, "a": 2}', b"{}x", b'"\xff"', b'{"kind": "\\u0000"}',
                             b'{"no such key": 1}', b"[" * 5000, b"\x00"]:
                    self.assertIn(ask(method, path, text)[0], (400, 413), text[:20])
                for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", None,
                             "application/jsonp"]:
                    self.assertEqual(ask(method, path, b"{}", headers={"Content-Type": kind})[0], 415)
                self.assertEqual(ask(method, path, b"", headers={"Content-Length": None})[0], 411)
                self.assertEqual(ask(method, path, b"", headers={"Content-Length": str(2 << 20 | 1)})[0], 413)
                self.assertEqual(ask(method, path, b"2\r\n{}\r\n0\r\n\r\n", length=False,
                                     headers={"Transfer-Encoding": "chunked"})[0], 411)
        self.assertEqual(self.server.ask("GET", "/api/session", b"{}")[0], 400)
        self.assertEqual(self.server.ask("POST", "/api/upload?name=a", b"x")[0], 415)
        self.assertEqual(self.server.ask("POST", "/api/upload?name=a", b"", headers={
            "Content-Type": "application/octet-stream", "Content-Length": str((4 << 30) + 1)})[0], 413)
        for name, value in [("from", "-1"), ("from", "x"), ("count", "501"), ("count", ""), ("from", "9" * 30), ("count", "1e2")]:
            self.assertEqual(self.server.refused("GET", f"/api/rows?{name}={value}")["status"], "request")

    def test_values_of_the_wrong_kind(self):
        for path, body in [("/api/open", {"path": 1}), ("/api/open", {}), ("/api/open", {"path": "a", "upload": "b"}),
                           ("/api/open", {"path": "patients.csv", "from": 3}), ("/api/jobs", {"kind": "open"}),
                           ("/api/jobs", {"kind": ["risk"]}), ("/api/jobs", {"kind": "pairs"}), ("/api/spec/check", {}),
                           ("/api/spec/check", {"spec": []}), ("/api/spec/check", {"spec": {}, "yaml": ""}),
                           ("/api/hierarchy", {"column": "job", "how": "flat", "text": "x"}),
                           ("/api/hierarchy", {"column": "job", "tree": []}), ("/api/hierarchy", {"column": "job", "tree": {"label": 1}}),
                           ("/api/jobs", {"kind": "risk", "again": "yes"}), ("/api/jobs", {"kind": "query", "of": "{j}"}),
                           (f"/api/jobs/{self.job}/ticket", {"what": "passwd"}), (f"/api/jobs/{self.job}/ticket", {}),
                           ("/api/release", {"job": "{j}"}), ("/api/release", {"job": "{j}", "file": "x.csv", "with": ["all"]})]:
            with self.subTest(path=path, body=body):
                self.server.refused("POST", path, self.fill(path, body)[1])
        for job in ["j0", "j", "1", "j1x", "j-1", "j999999999999999999999", "..", "%2e%2e", "j1%00"]:
            self.assertIn(self.server.ask("GET", f"/api/jobs/{job}")[0], (404, 200) if job == "j1%00" else (404,))


class Files(Case):
    """No file outside of the folder is read or written, by whatever name."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.secret = cls.folder / "secret.csv"
        cls.secret.write_text("name,age\nsecret,7\n")
        (cls.folder / "secret.yaml").write_text("privacy: {k: 7}\n")
        (cls.place / "link.csv").symlink_to("../secret.csv")
        (cls.place / "absolute.csv").symlink_to(cls.secret)
        (cls.place / "link.yaml").symlink_to("../secret.yaml")
        (cls.place / "out").symlink_to("..")
        (cls.place / "inner").mkdir()
        (cls.place / "inner" / "people.csv").write_text("a,b\n1,2\n")
        (cls.place / "good.csv").symlink_to("inner/people.csv")
        (cls.place / ".hidden.csv").write_text("a\n1\n")
        (cls.place / "line\nbreak.csv").write_text("a\n1\n")
        cls.job = cls.release(cls)["id"]
        cls.before = sorted(path.name for path in cls.folder.iterdir())

    BAD = ["../secret.csv", "..", "inner/../../secret.csv", "inner/../patients.csv", "link.csv", "absolute.csv", "out/secret.csv",
           ".hidden.csv", "./.hidden.csv", "-", "", "inner//people.csv", "/etc/passwd", "/dev/stdin", "a\nb", "x" * 2000, "./../secret.csv"]

    def test_no_way_out(self):
        job, secret = self.job, str(self.secret)
        for path in self.BAD + [secret]:
            calls = [
                ("POST", "/api/open", {"path": path}),
                ("POST", "/api/spec/open", {"path": path.replace(".csv", ".yaml")}),
                ("POST", "/api/hierarchy", {"column": "job", "path": path}),
                ("POST", "/api/hierarchy", {"column": "job", "how": "./" + path}),
                ("POST", "/api/spec/check", {"spec": {"columns": {"job": {"hierarchy": {"file": path}}}}}),
                ("POST", "/api/spec/check", {"spec": {"columns": {"age": {"populations": {"file": path}}}}}),
                ("POST", "/api/spec/check", {"spec": {"privacy": {"population": path}}}),
                ("POST", "/api/spec/check", {"spec": {"privacy": {"previous": ["patients.csv", path]}}}),
                ("POST", "/api/spec/check", {"spec": {"report": {"frontier": path}}}),
                ("POST", "/api/jobs", {"kind": "risk", "spec": {"columns": {"job": {"hierarchy": {"file": path}}}}}),
                ("POST", "/api/open", {"path": "patients.csv", "from": {"privacy": {"population": path}}}),
            ]
            for method, call, body in calls:
                with self.subTest(path=path, call=call, body=body):
                    status, _, data = self.server.ask(method, call, body)
                    self.assertIn(status, (400, 403, 404, 422), data)
                    self.assertNotIn(b"secret,7", data)
                    self.assertEqual("root:" in data.decode(), False)
            # What is written goes elsewhere than in through a link, too.
            writes = [path] if path not in ("inner/../patients.csv",) else []
            for target in writes:
                for call, body in [("/api/release", {"job": job, "file": target, "replace": True}),
                                   ("/api/hierarchy/save", {"column": "job", "file": target, "replace": True})]:
                    with self.subTest(target=target, call=call):
                        self.assertIn(self.server.ask("POST", call, body)[0], (400, 403))
        for setting in ("temporary", "output.sensitive_table"):
            first, _, second = setting.partition(".")
            value = {second: "../x"} if second else "../x"
            self.server.refused("POST", "/api/spec/check", {"spec": {first: value}}, expect=403)
        self.assertEqual(self.secret.read_text(), "name,age\nsecret,7\n")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), self.before)

    def test_names_of_uploads_and_downloads(self):
        heads = {"Content-Type": "application/octet-stream"}
        for name in ["", "..", "../x.csv", "a/b.csv", ".x", "x%0Ay", "a" * 201, "-", "%2e%2e%2fx"]:
            self.server.refused("POST", f"/api/upload?name={name}", b"a\n1\n", headers=heads)
        self.server.refused("POST", "/api/upload", b"a\n1\n", headers=heads)
        for name in ["../x", "a/b", "", ".x", "x\ny"]:
            self.server.refused("POST", f"/api/jobs/{self.job}/ticket", {"what": "spec", "name": name})

    def test_folder(self):
        names = {entry["name"]: entry for entry in self.server.call("GET", "/api/folder")["entries"]}
        self.assertEqual(names["patients.csv"]["kind"], "table")
        self.assertEqual(names["patients.yaml"]["kind"], "spec")
        self.assertEqual(names["inner"]["kind"], "folder")
        self.assertIn("good.csv", names)
        for hidden in ("link.csv", "absolute.csv", "link.yaml", "out", ".hidden.csv", "line\nbreak.csv"):
            self.assertNotIn(hidden, names)
        inner = self.server.call("GET", "/api/folder?path=inner")["entries"]
        self.assertEqual(inner, [{"name": "people.csv", "kind": "table", "bytes": 8}])
        for path in ["..", "../", "out", "/", "inner/..", "nothing", "%2e%2e", "patients.csv"]:
            self.assertIn(self.server.ask("GET", f"/api/folder?path={path}")[0], (403, 404))
        self.server.open(path="good.csv")
        self.server.open(path="inner/people.csv")
        self.release()


class Data(Case):
    def test_rows_are_those_of_the_file(self):
        self.server.open(path="patients.csv")
        names, rows = read_table(self.place / "patients.csv")
        answer = self.server.call("GET", "/api/rows?from=0&count=500")
        self.assertEqual((answer["columns"], answer["rows"], answer["total"]), (names, rows, len(rows)))
        self.assertEqual(answer["lines"], list(range(2, len(rows) + 2)))
        self.assertEqual(self.server.call("GET", "/api/rows?from=58&count=7")["rows"], rows[58:])
        self.assertEqual(self.server.call("GET", "/api/rows?from=60")["rows"], [])
        self.assertEqual(self.server.call("GET", "/api/rows?from=123456789&count=0")["rows"], [])
        self.assertEqual(len(self.server.call("GET", "/api/rows?count=3")["rows"]), 3)

    def test_columns_count_what_is_there(self):
        self.server.open(path="patients.csv")
        names, rows = read_table(self.place / "patients.csv")
        columns = self.server.call("GET", "/api/columns")["columns"]
        self.assertEqual([column["name"] for column in columns], names)
        for place, column in enumerate(columns):
            values = [row[place] for row in rows]
            self.assertEqual(column["distinct"], len(set(values)))
            if column["bins"]:
                bins = column["bins"]
                numbers = [float(value) for value in values]
                expected = [sum(float(low) <= number <= float(high) for number in numbers)
                            for low, high in zip(bins["from"], bins["to"])]
                self.assertEqual(bins["counts"], expected)
                self.assertEqual(sum(expected), len(rows))
            else:
                counts = sorted(((values.count(v), v) for v in set(values)), key=lambda pair: (-pair[0], pair[1]))
                self.assertEqual(column["top"], [[value, count] for count, value in counts[:12]])
                self.assertEqual(column["others"], len(rows) - sum(count for count, _ in counts[:12]))
            got = self.server.call("GET", f"/api/columns/{place}/values?count=500")
            self.assertEqual({value: count for value, count in got["values"]}, {v: values.count(v) for v in set(values)})
            self.assertEqual([count for _, count in got["values"]], sorted((c for _, c in got["values"]), reverse=True))
        jobs = [row[3] for row in rows]
        found = self.server.call("GET", "/api/columns/3/values?contains=er&sort=value")
        self.assertEqual(found["values"], [[v, jobs.count(v)] for v in sorted(set(jobs)) if "er" in v])
        self.assertEqual((found["total"], found["more"]), (len(found["values"]), False))
        self.assertEqual(self.server.call("GET", "/api/columns/3/values?sort=value&from=1&count=1")["values"][0][0],
                         sorted(set(jobs))[1])
        for path in ["/api/columns/6/values", "/api/columns/-1/values", "/api/columns/x/values", "/api/columns/1x/values"]:
            self.assertEqual(self.server.ask("GET", path)[0], 404)
        self.server.refused("GET", "/api/columns/1/values?sort=size")

    def test_messy_cells(self):
        text = "id,note\n1,<script>alert(1)</script>\n2,\"say \"\"hi\"\"\n there\"\n3,\u202eabc\n4,?\n5,\n6," + "\u00e9" * 1000 + "\n"
        (self.place / "messy.csv").write_text(text)
        self.server.open(path="messy.csv")
        answer = self.server.call("GET", "/api/rows")
        self.assertEqual([row[1] for row in answer["rows"]],
                         ["<script>alert(1)</script>", 'say "hi"\n there', "\u202eabc", None, None, "\u00e9" * 512])
        self.assertEqual(answer["cut"], [[5, 1, 2000]])
        column = self.server.call("GET", "/api/columns")["columns"][1]
        self.assertEqual((column["missing"], column["distinct"]), (2, 4))

    def test_wide_rows_are_fewer(self):
        names = [f"c{i}" for i in range(300)]
        cells = ["x" * 600 + str(i) for i in range(300)]
        (self.place / "wide.csv").write_text(",".join(names) + "\n" + (",".join(cells) + "\n") * 30)
        fit = -(-(4 << 20) // sum(len(cell) + 4 for cell in cells))
        self.assertTrue(15 < fit < 30)
        self.server.run({"path": "wide.csv"}, path="/api/open")
        first = self.server.call("GET", "/api/rows?count=60")
        self.assertEqual((first["total"], first["rows"], first["lines"][-1]), (30, [cells] * fit, fit + 1))
        rest = self.server.call("GET", f"/api/rows?from={fit}&count=60")
        self.assertEqual((len(rest["rows"]), rest["lines"][0]), (30 - fit, fit + 2))

    def test_how_a_file_is_read_can_be_corrected(self):
        (self.place / "latin.csv").write_bytes("Ort;Größe\nKöln;1,75\nBonn;1,62\n".encode("latin-1"))
        job = self.server.run({"path": "latin.csv"}, path="/api/open", state="failed")
        code, _, said = program("inspect", "latin.csv", folder=self.place)
        self.assertEqual(re.sub(r" \(--[^)]*\)", "", said),
                         f"shoal: latin.csv:{job['error']['line']}:{job['error']['column']}: {job['error']['message']}\n")
        self.server.open(path="latin.csv", **{"from": {"input": {"encoding": "latin1", "delimiter": ";"}}})
        session = self.server.call("GET", "/api/session")
        self.assertEqual(session["spec"]["spec"]["input"]["encoding"], "latin1")
        self.assertFalse(session["table"]["stale"])
        columns = self.server.call("GET", "/api/columns")["columns"]
        self.assertEqual([(c["name"], c["type"]) for c in columns], [("Ort", "string"), ("Größe", "real")])
        spec = session["spec"]["spec"]
        spec["columns"]["Größe"] = {"role": "sensitive", "type": "string"}
        self.assertTrue(self.server.call("PUT", "/api/spec", {"spec": spec})["stale_table"])
        self.server.open(path="latin.csv", **{"from": "current"})
        session = self.server.call("GET", "/api/session")
        self.assertEqual((session["spec"]["spec"]["columns"]["Größe"]["type"], session["table"]["stale"]), ("string", False))
        self.assertEqual(self.server.call("GET", "/api/columns")["columns"][1]["top"], [["1,62", 1], ["1,75", 1]])

    def test_bad_files_say_what_the_program_says(self):
        bad = {"empty.csv": b"", "ragged.csv": b"a,b\n1\n", "quote.csv": b"a,b\n1,\"x\n", "twice.csv": b"a,a\n1,2\n",
               "nul.csv": b"a\n\x00\n", "header.csv": b"a,b\n", "book.csv": b"PK\x03\x04" + b"\x00" * 60, "bytes.csv": b"a\n\xff\n"}
        self.server.open(path="patients.csv")
        before = self.server.call("GET", "/api/session")
        for name, data in bad.items():
            with self.subTest(name=name):
                (self.place / name).write_bytes(data)
                error = self.server.run({"path": name}, path="/api/open", state="failed")["error"]
                code, out, _ = program("inspect", name, "--json", folder=self.place)
                said = json.loads(out)["error"]
                self.assertEqual((error["message"], error["source"] or "", error["line"] or 0, error["column"] or 0),
                                 (said["message"], said["source"], said["line"], said["column"]))
        after = self.server.call("GET", "/api/session")
        self.assertEqual((after["source"], after["spec"], after["table"]), (before["source"], before["spec"], before["table"]))

    def test_upload_and_example(self):
        data = (self.place / "patients.csv").read_bytes()
        heads = {"Content-Type": "application/octet-stream"}
        upload = self.server.call("POST", "/api/upload?name=my%20people.csv", data, expect=201, headers=heads)
        self.assertEqual((upload["name"], upload["bytes"]), ("my people.csv", len(data)))
        self.server.open(upload=upload["upload"])
        session = self.server.call("GET", "/api/session")
        self.assertEqual(session["source"], {"name": "my people.csv", "origin": "upload", "path": upload["upload"],
                                             "bytes": len(data)})
        self.assertTrue(session["spec"]["yaml"].startswith("# A start, guessed from my people.csv"))
        self.assertEqual(len(self.server.call("GET", "/api/rows?count=500")["rows"]), 60)
        job = self.server.run({"kind": "anonymize"})
        report = self.server.call("GET", f"/api/jobs/{job['id']}/report")
        self.assertEqual((report["input"], report["release"]), ("my people.csv", "release.csv"))
        page = self.server.ask("GET", f"/api/jobs/{job['id']}/file?what=report.html")[2].decode()
        self.assertNotIn(str(self.temporary), page)
        work = self.server.work_folders()[0]
        self.assertEqual(stat.S_IMODE(work.stat().st_mode), 0o700)
        self.server.refused("POST", "/api/open", {"upload": "u99"}, expect=404)
        self.server.refused("POST", "/api/open", {"example": "people"}, expect=404)
        others = []
        for _ in range(17):
            last = self.server.call("POST", "/api/upload?name=a.csv", b"a\n1\n", expect=201, headers=heads)
            others.append(last["upload"])
        self.assertEqual(len(list((work / "uploads").iterdir())), 16)
        self.server.open(example="census")
        self.assertEqual(self.server.call("GET", "/api/rows")["total"], 1000)
        self.server.open(upload=last["upload"])
        for gone in others[:2]:
            self.server.refused("POST", "/api/open", {"upload": gone}, expect=404)
        self.server.open(upload=upload["upload"])  # it was open, and stayed


class Specs(Case):
    def test_forms_are_one_spec(self):
        yaml = (self.place / "patients.yaml").read_text()
        first = self.server.call("PUT", "/api/spec", {"yaml": yaml})
        self.assertEqual(first["yaml"], yaml)
        second = self.server.call("PUT", "/api/spec", {"spec": first["spec"]})
        self.assertEqual((second["hash"], second["spec"]), (first["hash"], first["spec"]))
        self.assertEqual(second["spec"]["privacy"], {"k": "3"})
        third = self.server.call("PUT", "/api/spec", {"yaml": second["yaml"]})
        self.assertEqual(third["hash"], first["hash"])
        tree = dict(first["spec"], privacy={"k": 4})
        fourth = self.server.call("PUT", "/api/spec", {"spec": tree})
        self.assertNotEqual(fourth["hash"], first["hash"])
        self.assertEqual(fourth["spec"]["privacy"], {"k": "4"})
        self.assertEqual(self.server.call("GET", "/api/spec"), fourth)

    def test_odd_names_survive(self):
        names = ["a b", "x=y", '"q"', "it's", "- x", "a: b", "#c", "tab\t", "line\nfeed", "{a}", "\u0085", "\u2028", "\ufeff", "null", "~",
                 "back\\slash", "\U0001f41f", "\x7f", "n" * 1500, "levels"]
        tree = {"columns": {name: {"role": "quasi", "hierarchy": {"levels": [[name, "*"], [None, "*"]]}} for name in names}}
        answer = self.server.call("PUT", "/api/spec", {"spec": tree})
        self.assertEqual(answer["spec"], tree)

    def test_every_mistake_with_its_place(self):
        yaml = "columns:\n  age: {role: quasi, wieght: 2}\nprivacy: {k: few}\n"
        before = self.server.call("GET", "/api/spec")
        answer = self.server.call("PUT", "/api/spec", {"yaml": yaml}, expect=422)
        self.assertEqual([(m["line"], m["column"]) for m in answer["mistakes"]], [(2, 22), (3, 14)])
        self.assertEqual(answer["error"], answer["mistakes"][0])
        tree = {"columns": {"age": {"role": "quasi", "wieght": 2}, "b": {"hierarchy": {"levels": [["x"], "y"]}}},
                "privacy": {"k": "few", "l": [2, "none:3"]}}
        answer = self.server.call("POST", "/api/spec/check", {"spec": tree}, expect=422)
        paths = [mistake["path"] for mistake in answer["mistakes"]]
        self.assertIn(["columns", "age", "wieght"], paths)
        self.assertIn(["privacy", "k"], paths)
        self.assertIn(["privacy", "l", 1], paths)
        self.assertTrue(all(mistake["line"] is None for mistake in answer["mistakes"]))
        self.assertEqual(self.server.call("GET", "/api/spec"), before)
        self.assertIn("not YAML", self.server.refused("POST", "/api/spec/check", {"yaml": "a: ["}, expect=422)["message"])

    def test_two_pages_do_not_overwrite_each_other(self):
        mine = self.server.call("PUT", "/api/spec", {"yaml": "privacy: {k: 2}"})
        self.server.call("PUT", "/api/spec", {"yaml": "privacy: {k: 3}", "base": mine["hash"]})
        error = self.server.refused("PUT", "/api/spec", {"yaml": "privacy: {k: 4}", "base": mine["hash"]}, expect=409)
        self.assertEqual(error["status"], "conflict")
        self.assertEqual(self.server.call("GET", "/api/spec")["spec"]["privacy"], {"k": "3"})

    def test_choices_are_those_of_the_program(self):
        choices = self.server.call("GET", "/api/choices")
        listed = [line.split(":")[0] for line in program("help", "settings")[1].splitlines() if line and line[0].islower() and ": " in line]
        keys = [setting["key"] for setting in choices["settings"]]
        self.assertTrue(set(keys) <= set(listed), set(keys) - set(listed))
        methods = [line.split()[0] for line in program("methods")[1].splitlines() if line and line[0].islower()]
        self.assertEqual([m["name"] for m in choices["methods"]], [m for m in methods if m in {x["name"] for x in choices["methods"]}])
        self.assertEqual(len(choices["methods"]), len(set(m["name"] for m in choices["methods"])))
        self.assertEqual(set(choices["roles"]), {"insensitive", "identifier", "quasi", "sensitive", "person"})


class Hierarchies(Case):
    def setUp(self):
        self.server.open(path="patients.csv")

    def test_builders_and_files(self):
        self.server.call("POST", "/api/spec/open", {"path": "patients.yaml"})
        by_spec = self.server.call("POST", "/api/hierarchy", {"column": "job"})
        by_file = self.server.call("POST", "/api/hierarchy", {"column": "job", "path": "job.csv"})
        by_text = self.server.call("POST", "/api/hierarchy", {"column": "job", "text": (self.place / "job.csv").read_text()})
        by_tree = self.server.call("POST", "/api/hierarchy", {"column": "job", "tree": by_file["tree"]})
        self.assertEqual(by_spec, by_file)
        self.assertEqual(by_text, by_file)
        self.assertEqual(by_tree, by_file)
        self.assertEqual(by_file["tree"]["records"], 60)
        _, rows = read_table(self.place / "patients.csv")
        lines = {line.split(";")[0]: line.split(";") for line in (self.place / "job.csv").read_text().split()}
        self.assertEqual({level[0]: level for level in by_file["levels"]},
                         {job: lines[job] for job in {row[3] for row in rows}})
        prefix = self.server.call("POST", "/api/hierarchy", {"column": "zip", "how": "prefix:5"})
        self.assertEqual((prefix["height"], prefix["levels"][0][1:3]), (5, ["5370*", "537**"]))
        self.server.refused("POST", "/api/hierarchy", {"column": "zip", "how": "dates"}, expect=422)
        self.server.refused("POST", "/api/hierarchy", {"column": "none", "how": "flat"}, expect=404)

    def test_an_edited_tree(self):
        tree = self.server.call("POST", "/api/hierarchy", {"column": "sex", "how": "flat"})["tree"]
        self.assertEqual([child["label"] for child in tree["children"]], ["F", "M"])
        tree["children"] = [{"label": 'say "x";y', "children": tree["children"][:1]}, tree["children"][1]]
        edited = self.server.call("POST", "/api/hierarchy", {"column": "sex", "tree": tree})
        self.assertEqual(edited["levels"], [["F", 'say "x";y', "*"], ["M", "*"]])
        tree["children"].append({"label": 'say "x";y', "children": [{"label": "M"}]})
        answer = self.server.call("POST", "/api/hierarchy", {"column": "sex", "tree": tree}, expect=422)
        self.assertEqual(answer["error"]["leaf"], "M")
        answer = self.server.call("POST", "/api/hierarchy", {"column": "sex", "tree": {"label": "*", "children": [{"label": "F"}]}},
                                  expect=422)
        self.assertIn("1", answer["error"]["message"])
        deep = {"label": "F"}
        for level in range(70):
            deep = {"label": f"l{level}", "children": [deep]}
        self.assertIn(self.server.ask("POST", "/api/hierarchy", {"column": "sex", "tree": deep})[0], (400, 413))

    def test_missing_values_have_a_place(self):
        (self.place / "gaps.csv").write_text("a,b\nx,1\ny,2\n?,3\n,4\n")
        self.server.open(path="gaps.csv")
        tree = self.server.call("POST", "/api/hierarchy", {"column": "a", "how": "flat"})
        self.assertEqual(tree["levels"], [["x", "*"], ["y", "*"], [None, "*"]])
        self.assertEqual([child.get("missing", False) for child in tree["tree"]["children"]], [False, False, True])
        again = self.server.call("POST", "/api/hierarchy", {"column": "a", "tree": tree["tree"]})
        self.assertEqual(again, tree)

    def test_saved(self):
        body = {"column": "zip", "how": "prefix:5", "file": "zip.csv"}
        self.server.call("POST", "/api/hierarchy/save", body, expect=201)
        program("hierarchy", "build", "patients.csv", "--column", "zip", "--prefix", "5", "-o", "expected.csv", folder=self.place)
        self.assertEqual((self.place / "zip.csv").read_bytes(), (self.place / "expected.csv").read_bytes())
        self.server.refused("POST", "/api/hierarchy/save", body, expect=409)
        self.server.call("POST", "/api/hierarchy/save", dict(body, replace=True, form="outline"), expect=201)
        self.assertTrue((self.place / "zip.csv").read_text().startswith("*\n"))
        self.server.refused("POST", "/api/hierarchy/save", dict(body, form="tree"))


class Jobs(Case):
    def test_the_release_is_the_programs(self):
        """To the byte, of classes and of buckets; boxes are dealt out anew each time, and must verify."""
        for method, files in [("topdown", 1), ("best", 1), ("mondrian", 1), ("bucketize", 2)]:
            with self.subTest(method=method):
                spec = (self.place / "patients.yaml").read_text().replace("method: topdown", f"method: {method}")
                if method == "bucketize":
                    spec = spec.replace("  k: 3", "  l: 2").replace("job.csv", "flat")
                name = f"by_{method}"
                (self.place / f"{name}.yaml").write_text(spec)
                code, _, said = program("anonymize", "patients.csv", "-o", f"{name}.csv", "--spec", f"{name}.yaml", "--quiet",
                                        folder=self.place)
                self.assertEqual(code, 0, said)
                job = self.release(f"{name}.yaml")
                self.assertTrue(job["holds"])
                status, _, data = self.server.ask("GET", f"/api/jobs/{job['id']}/file?what=release")
                self.assertEqual((status, data), (200, (self.place / f"{name}.csv").read_bytes()))
                written = self.server.call("POST", "/api/release", {"job": job["id"], "file": f"mine_{method}.csv"}, expect=201)["files"]
                self.assertEqual(len(written), files)
                self.assertEqual((self.place / f"mine_{method}.csv").read_bytes(), data)
                if files == 2:
                    self.assertIn("sensitive", job["has"])
                    self.assertEqual((self.place / f"mine_{method}.sensitive.csv").read_bytes(),
                                     (self.place / f"{name}.sensitive.csv").read_bytes())
                    second = self.server.call("GET", f"/api/jobs/{job['id']}/rows?table=sensitive&count=500")
                    self.assertEqual([second["columns"], *second["rows"]],
                                     read_lines(self.place / f"{name}.sensitive.csv"))

    def test_boxes(self):
        spec = (self.place / "patients.yaml").read_text().replace("method: topdown", "method: nonhomogeneous")
        (self.place / "boxes.yaml").write_text(spec)
        job = self.release("boxes.yaml")
        self.server.call("POST", "/api/release", {"job": job["id"], "file": "boxes.csv"}, expect=201)
        code, out, said = program("verify", "boxes.csv", "--original", "patients.csv", "--spec", "boxes.yaml", folder=self.place)
        self.assertEqual(code, 0, out + said)
        risk = self.server.run({"kind": "risk", "of": job["id"]})
        self.assertEqual(risk["of"], job["id"])

    def test_what_a_release_shows(self):
        job = self.release()
        names, rows = read_table_of(self.server.ask("GET", f"/api/jobs/{job['id']}/file?what=release")[2])
        shown = self.server.call("GET", f"/api/jobs/{job['id']}/rows?count=500")
        self.assertEqual((shown["columns"], shown["rows"]), (names, rows))
        report = self.server.call("GET", f"/api/jobs/{job['id']}/report")
        program("anonymize", "patients.csv", "-o", "release.csv", "--spec", "patients.yaml", "--report", "report.json", "--quiet",
                folder=self.place)
        expected = json.loads((self.place / "report.json").read_text())
        for answer in (report, expected):
            answer.pop("seconds")
        self.assertEqual(report, expected)
        self.assertEqual(self.server.ask("GET", f"/api/jobs/{job['id']}/text")[2].decode().splitlines()[0], "Records   60")
        columns = {c["name"]: c for c in self.server.call("GET", f"/api/jobs/{job['id']}/columns")["columns"]}
        self.assertIsNone(columns["name"]["after"])
        age = columns["age"]
        expected = [0.0] * len(age["bins"]["counts"])
        lows, highs = ([float(x) for x in age["bins"][key]] for key in ("from", "to"))
        for row in rows:
            ends = [float(x) for x in row[0].strip("[]").split("..")]
            touched = [i for i in range(len(lows)) if lows[i] <= ends[-1] and highs[i] >= ends[0]]
            for i in touched:
                expected[i] += 1 / len(touched)
        for one, other in zip(age["after"]["counts"], expected):
            self.assertAlmostEqual(one, other, places=9)
        sexes = [row[3] for row in rows]
        self.assertEqual({v: n for v, n in columns["sex"]["after"]["top"]}, {v: sexes.count(v) for v in set(sexes)})

    def test_before_and_after(self):
        job = self.release()
        pairs = self.server.run({"kind": "pairs", "of": job["id"]})
        shown = self.server.call("GET", f"/api/jobs/{pairs['id']}/rows?count=500")
        names, rows = read_table(self.place / "patients.csv")
        released = self.server.call("GET", f"/api/jobs/{job['id']}/rows?count=500")
        self.assertEqual(shown["columns"], names)
        self.assertEqual([pair["record"] for pair in shown["rows"]], list(range(60)))
        for pair in shown["rows"]:
            self.assertEqual(pair["before"], rows[pair["record"]])
            self.assertIsNone(pair["after"][0])
        self.assertEqual(sorted(pair["after"][1:] for pair in shown["rows"]), sorted(released["rows"]))
        for pair in shown["rows"]:
            low, _, high = pair["after"][1].strip("[]").partition("..")
            self.assertTrue(int(low) <= int(pair["before"][1]) <= int(high or low))
            self.assertEqual(pair["after"][5], pair["before"][5])
        self.server.refused("POST", "/api/jobs", {"kind": "pairs", "of": pairs["id"]}, expect=409)

    def test_frontier_points_arrive(self):
        self.server.open(path="patients.csv")
        spec = self.server.call("POST", "/api/spec/open", {"path": "patients.yaml"})["spec"]
        spec["frontier"] = {"sweep": [{"k": ["2", "5", "61"]}], "methods": ["topdown", "mondrian"]}
        self.server.call("PUT", "/api/spec", {"spec": spec})
        job = json.loads(self.server.ask("POST", "/api/jobs", {"kind": "frontier"})[2])
        events = self.server.events(job["id"])
        points = [event for event in events if event["event"] == "point"]
        report = self.server.call("GET", f"/api/jobs/{job['id']}/report")
        done = [point for point in report["points"] if point["state"] == "done"]
        self.assertEqual(len(done), 4)
        self.assertEqual(sorted((p["requirement"], p["method"]) for p in points),
                         sorted((p["requirement"], p["method"]) for p in done))
        for point in points:
            other = next(p for p in done if (p["requirement"], p["method"]) == (point["requirement"], point["method"]))
            self.assertEqual((point["classes"], point["smallest_class"], point["shape"]),
                             (other["classes"], other["smallest_class"], other["shape"]))
            for name, figure in point["figures"].items():
                self.assertAlmostEqual(figure, other[name], places=9)
        specs = self.server.call("GET", f"/api/jobs/{job['id']}/points")["points"]
        self.assertEqual(len(specs), 6)
        self.assertEqual(specs[0]["spec"]["privacy"]["k"], "2")
        self.assertNotIn("temporary", specs[0]["spec"])
        self.assertIn("points.svg", events[-1]["job"]["has"])
        again = self.server.run({"kind": "anonymize", "spec": specs[0]["spec"]})
        self.assertEqual(self.server.call("GET", f"/api/jobs/{again['id']}/report")["classes"], done[0]["classes"])

    def test_risk_attack_query(self):
        job = self.release()
        risk = self.server.run({"kind": "risk"})
        report = self.server.call("GET", f"/api/jobs/{risk['id']}/report")
        expected = json.loads(program("risk", "patients.csv", "--spec", "patients.yaml", "--json", folder=self.place)[1])
        self.assertEqual(report["risk"], expected["risk"])
        self.server.call("POST", "/api/release", {"job": job["id"], "file": "asked.csv"}, expect=201)
        query = self.server.run({"kind": "query", "of": job["id"], "query": "COUNT WHERE age < 40"})
        report = self.server.call("GET", f"/api/jobs/{query['id']}/report")
        expected = json.loads(program("query", "asked.csv", "COUNT WHERE age < 40", "--original", "patients.csv", "--spec",
                                      "patients.yaml", "--json", folder=self.place)[1])
        self.assertEqual((report["estimate"], report["exact"]), (expected["estimate"], expected["exact"]))
        failed = self.server.run({"kind": "query", "of": job["id"], "query": "COUNT WHERE agge < 40"}, state="failed")
        self.assertEqual((failed["error"]["source"], failed["error"]["status"]), ("query", "not_found"))
        attack = self.server.run({"kind": "attack", "of": job["id"]})
        self.assertIn("attacks", self.server.call("GET", f"/api/jobs/{attack['id']}/report"))
        inspect = self.server.run({"kind": "inspect"})
        self.assertEqual(self.server.call("GET", f"/api/jobs/{inspect['id']}/report")["columns"][0]["guessed_by"], "spec")

    def test_what_cannot_be_met_is_said(self):
        self.server.open(path="patients.csv")
        spec = self.server.call("POST", "/api/spec/open", {"path": "patients.yaml"})["spec"]
        spec["privacy"] = {"k": "61"}
        job = self.server.run({"kind": "anonymize", "spec": spec}, state="failed")
        self.assertEqual((job["error"]["status"], "release" in job["has"]), ("unsatisfiable", False))
        self.server.refused("POST", "/api/release", {"job": job["id"], "file": "never.csv"}, expect=409)
        self.server.refused("GET", f"/api/jobs/{job['id']}/file?what=release", expect=409)
        self.server.refused("POST", f"/api/jobs/{job['id']}/ticket", {"what": "release"}, expect=409)
        self.assertFalse((self.place / "never.csv").exists())
        spec["privacy"] = {"k": "3"}
        spec["strict"] = "true"
        spec.pop("accept")
        job = self.server.run({"kind": "anonymize", "spec": spec}, state="failed")
        self.assertEqual(job["error"]["status"], "warned")
        self.assertIn("single-value", [warning["code"] for warning in job["warnings"]])
        self.assertEqual(("report" in job["has"], "release" in job["has"]), (True, False))

    def test_results_are_kept_by_their_spec(self):
        first = self.release()
        again = self.server.call("POST", "/api/jobs", {"kind": "anonymize"})
        self.assertEqual(again["id"], first["id"])
        other = self.server.run({"kind": "anonymize", "again": True})
        self.assertNotEqual(other["id"], first["id"])
        self.assertTrue(other["current"])
        self.server.call("PUT", "/api/spec", {"yaml": "columns: {age: quasi}\nprivacy: {k: 2}"})
        self.assertFalse(self.server.call("GET", f"/api/jobs/{first['id']}")["current"])
        removed = self.server.call("DELETE", f"/api/jobs/{other['id']}")
        self.assertEqual(removed["id"], other["id"])
        self.server.refused("GET", f"/api/jobs/{other['id']}", expect=404)
        self.assertFalse((self.server.work_folders()[0] / "jobs" / other["id"][1:]).exists())

    def test_writing_and_tickets(self):
        job = self.release()["id"]
        body = {"job": job, "file": "out.csv", "with": ["report.html", "external.html", "report.json", "spec"]}
        files = self.server.call("POST", "/api/release", body, expect=201)["files"]
        self.assertEqual([one["file"] for one in files],
                         ["out.csv", "out.html", "out.external.html", "out.json", "out.yaml"])
        for one in files:
            self.assertEqual((self.place / one["file"]).stat().st_size, one["bytes"])
        self.assertEqual(stat.S_IMODE((self.place / "out.html").stat().st_mode), 0o600)
        digest = subprocess.run(["sha256sum", self.place / "out.csv"], capture_output=True, text=True).stdout.split()[0]
        self.assertEqual(files[0]["sha256"], digest)
        self.assertNotIn(str(self.temporary), (self.place / "out.html").read_text() + (self.place / "out.json").read_text())
        self.assertIn("out.csv", self.server.refused("POST", "/api/release", body, expect=409)["message"])
        self.server.call("POST", "/api/release", dict(body, replace=True), expect=201)
        self.server.refused("POST", "/api/release", {"job": job, "file": "patients.csv", "replace": True}, expect=409)
        self.assertFalse(list(self.place.glob(".shoal-*")))
        ticket = self.server.call("POST", f"/api/jobs/{job}/ticket", {"what": "report.html"})
        status, heads, data = self.server.ask("GET", ticket["path"], token=False)
        self.assertEqual((status, data), (200, (self.place / "out.html").read_bytes()))
        self.assertIn("sandbox", heads["Content-Security-Policy"])
        self.assertEqual(self.server.ask("GET", ticket["path"], token=False)[0], 404)
        ticket = self.server.call("POST", f"/api/jobs/{job}/ticket", {"what": "release", "download": True, "name": "réponse \"x\".csv"})
        status, heads, data = self.server.ask("GET", ticket["path"], token=False)
        self.assertEqual(heads["Content-Disposition"], "attachment; filename*=UTF-8''r%C3%A9ponse%20%22x%22.csv")
        self.assertEqual(data, (self.place / "out.csv").read_bytes())
        self.assertEqual(self.server.ask("GET", ticket["path"], token=False, headers={"Host": "evil.example"})[0], 403)
        command = self.server.call("GET", f"/api/jobs/{job}/command")
        (self.place / "patients.release.yaml").write_text(command["spec"])
        words = command["command"].split()
        self.assertEqual(words[:2], ["shoal", "anonymize"])
        self.assertEqual(program(*words[1:], folder=command["folder"])[0], 0)
        self.assertEqual((self.place / "patients.release.csv").read_bytes(), (self.place / "out.csv").read_bytes())


def read_table_of(data):
    rows = list(csv.reader(data.decode().splitlines()))
    return rows[0], rows[1:]


class Long(Case):
    """Jobs that would last, on more records."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        program("generate", "census", "--records", "4000", "-o", "people.csv", folder=cls.place)
        cls.server.open(path="people.csv")
        spec = cls.server.call("GET", "/api/spec")["spec"]
        spec.update({"method": "best", "effort": "high", "time": "1h"})
        cls.server.call("PUT", "/api/spec", {"spec": spec})

    def begin(self):
        job = self.server.call("POST", "/api/jobs", {"kind": "anonymize", "again": True}, expect=202)["id"]
        until(lambda: self.server.call("GET", f"/api/jobs/{job}")["state"] == "running")
        return job

    def test_cancel_and_queue(self):
        job = self.begin()
        waiting = self.server.call("POST", "/api/jobs", {"kind": "risk", "again": True}, expect=202)["id"]
        also = self.server.call("POST", "/api/jobs", {"kind": "inspect", "again": True}, expect=202)["id"]
        self.assertEqual(self.server.call("DELETE", f"/api/jobs/{waiting}")["state"], "cancelled")
        self.assertEqual(len(self.server.call("GET", "/api/rows?count=5")["rows"]), 5)
        self.server.refused("GET", f"/api/jobs/{job}/report", expect=409)
        self.server.refused("POST", "/api/release", {"job": job, "file": "half.csv"}, expect=409)
        self.server.call("DELETE", f"/api/jobs/{job}", expect=202)
        until(lambda: self.server.call("GET", f"/api/jobs/{job}")["state"] == "cancelled")
        self.assertFalse((self.server.work_folders()[0] / "jobs" / job[1:] / "release.csv").exists())
        self.assertEqual(self.server.events(also)[-1]["job"]["state"], "done")
        self.assertEqual(self.server.events(waiting)[-1]["job"]["state"], "cancelled")

    def test_readers_come_and_go(self):
        job = self.begin()
        heads = f"GET /api/jobs/{job}/events HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nShoal-Token: {self.server.token}\r\n\r\n"
        gone = hold_connections(self.server.port, 5, heads.encode())
        for one in gone[:3]:
            self.assertIn(b" 200 ", one.recv(64))
            one.close()
        seen = []
        readers = [in_background(lambda: seen.append(self.server.events(job))) for _ in range(3)]
        self.assertEqual(self.server.call("GET", f"/api/jobs/{job}")["state"], "running")
        self.server.call("DELETE", f"/api/jobs/{job}", expect=202)
        for reader in readers:
            reader.join(60)
        self.assertEqual([events[-1]["job"]["state"] for events in seen], ["cancelled"] * 3)
        for one in gone[3:]:
            one.close()
        self.server.call("GET", "/api/session")

    def test_too_many_jobs(self):
        job = self.begin()
        for _ in range(16):
            self.server.call("POST", "/api/jobs", {"kind": "risk", "again": True}, expect=202)
        self.assertEqual(self.server.refused("POST", "/api/jobs", {"kind": "risk", "again": True}, expect=429)["status"], "busy")
        for one in self.server.call("GET", "/api/jobs")["jobs"]:
            if one["state"] == "waiting":
                self.server.call("DELETE", f"/api/jobs/{one['id']}")
        self.server.call("DELETE", f"/api/jobs/{job}", expect=202)
        until(lambda: self.server.call("GET", f"/api/jobs/{job}")["state"] == "cancelled")


class Life(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="server-folder-"))
        self.temporary = Path(tempfile.mkdtemp(prefix="server-work-"))
        shutil.copy(Path(OPTIONS.source) / "examples" / "patients.csv", self.folder)

    def tearDown(self):
        shutil.rmtree(self.folder)
        shutil.rmtree(self.temporary)

    def start(self, operand=None, *arguments, **options):
        return Server(OPTIONS.program, operand or self.folder, *arguments, temporary=self.temporary, **options)

    def test_killed_and_started_again(self):
        living = self.start()
        killed = self.start()
        folders = set(self.temporary.iterdir())
        self.assertEqual(len(folders), 2)
        killed.call("POST", "/api/upload?name=secret.csv", b"a\n1\n", expect=201, headers={"Content-Type": "application/octet-stream"})
        killed.open(path="patients.csv")
        killed.stop(signal.SIGKILL)
        self.assertTrue(any(self.temporary.rglob("secret.csv")))
        third = self.start()
        self.assertFalse(any(self.temporary.rglob("secret.csv")))
        self.assertEqual(len(set(self.temporary.iterdir())), 2)
        living.call("GET", "/api/session")
        self.assertEqual(living.stop(), (0, ""))
        self.assertEqual(third.stop(signal.SIGINT), (0, ""))
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_what_is_not_ours_stays(self):
        (self.temporary / "shoal-serve-abcdef").mkdir(mode=0o755)
        (self.temporary / "shoal-serve-abcdef" / "lock").write_text("")
        (self.temporary / "shoal-serve-ghijkl").symlink_to(self.folder)
        (self.folder / "lock").write_text("")
        self.start().stop()
        self.assertTrue((self.temporary / "shoal-serve-abcdef" / "lock").exists())
        self.assertTrue((self.folder / "patients.csv").exists())

    def test_ended_in_the_middle_of_a_job(self):
        program("generate", "census", "--records", "4000", "-o", self.folder / "people.csv")
        server = self.start(self.folder / "people.csv")
        until(lambda: server.call("GET", "/api/session")["inspect"])
        spec = server.call("GET", "/api/spec")["spec"]
        job = server.call("POST", "/api/jobs", {"kind": "anonymize", "spec": dict(spec, time="1h")}, expect=202)["id"]
        until(lambda: server.call("GET", f"/api/jobs/{job}")["state"] == "running")
        heads = f"GET /api/jobs/{job}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nShoal-Token: {server.token}\r\n\r\n"
        reader = hold_connections(server.port, 1, heads.encode())[0]
        self.assertIn(b" 200 ", reader.recv(64))
        self.assertEqual(server.stop(), (0, ""))
        reader.close()
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["patients.csv", "people.csv"])

    def count_threads(self, count, least):
        """Threads of a server with so many for each run, in the middle of one, once there are so many at least."""
        server = self.start(self.folder / "people.csv", "--threads", str(count))
        until(lambda: server.call("GET", "/api/session")["inspect"])
        spec = server.call("GET", "/api/spec")["spec"]
        job = server.call("POST", "/api/jobs", {"kind": "anonymize", "spec": dict(spec, time="1h")}, expect=202)["id"]
        until(lambda: server.call("GET", f"/api/jobs/{job}")["state"] == "running")
        tasks = f"/proc/{server.process.pid}/task"
        until(lambda: len(os.listdir(tasks)) >= least)
        threads = len(os.listdir(tasks))
        self.assertEqual(server.stop(), (0, ""))
        return threads

    def test_threads_of_a_run(self):
        program("generate", "census", "--records", "4000", "-o", self.folder / "people.csv")
        alone = self.count_threads(1, 1)
        self.assertEqual(self.count_threads(6, alone + 5), alone + 5)

    def test_what_cannot_begin(self):
        server = self.start()
        code, out, said = program("serve", self.folder, "--no-browser", "--port", server.port)
        self.assertEqual((code, out), (1, ""))
        self.assertIn(f"Port {server.port} is taken", said)
        server.stop()
        for arguments, code, words in [(["nowhere"], 1, "nowhere: No such file or directory"), (["-"], 2, "a file or a folder"),
                                       ([self.folder / ".hidden.csv"], 1, "hidden"), (["--port", "65536"], 2, "--port"),
                                       (["a", "b"], 2, "at most one"), (["--json"], 2, "--json"), (["--quiet"], 2, "--quiet"),
                                       (["--threads", "x"], 2, "threads")]:
            (self.folder / ".hidden.csv").write_text("a\n1\n")
            got, out, said = program("serve", *arguments, "--no-browser")
            self.assertEqual((got, out), (code, ""), said)
            self.assertIn(words, said)
        if os.geteuid() != 0:
            os.chmod(self.folder, 0)
            got, _, said = program("serve", self.folder, "--no-browser")
            os.chmod(self.folder, 0o755)
            self.assertEqual(got, 1)
            self.assertIn("cannot be read", said)

    def test_a_file_is_opened_at_once(self):
        server = self.start(self.folder / "patients.csv")
        until(lambda: server.call("GET", "/api/session")["inspect"])
        session = server.call("GET", "/api/session")
        self.assertEqual((session["source"]["path"], session["folder"]), ("patients.csv", str(self.folder.resolve())))
        self.assertEqual(server.stop(), (0, ""))

    def test_a_full_disk(self):
        server = self.start(limit=64)
        heads = {"Content-Type": "application/octet-stream"}
        error = server.refused("POST", "/api/upload?name=big.csv", b"a\n" * 200000, expect=507, headers=heads)
        self.assertEqual((error["status"], "big.csv" in error["message"]), ("full", True))
        self.assertEqual(list((server.work_folders()[0] / "uploads").iterdir()), [])
        server.call("POST", "/api/upload?name=small.csv", b"a\n1\n", expect=201, headers=heads)
        self.assertEqual(server.stop(), (0, ""))

    def test_slow_connections(self):
        server = self.start()
        count = 10000 if DEEP else 300
        held = []
        for first in range(0, count, 100):
            held += hold_connections(server.port, 100)
            if len(held) > 700:  # as many as a process may have
                for one in held[:300]:
                    one.close()
                held = held[300:]
        server.call("GET", "/api/session")
        upload = hold_connections(server.port, 3, f"POST /api/open HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nShoal-Token: {server.token}\r\n"
                                  "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{".encode())
        server.call("GET", "/api/session")
        for one in held + upload:
            one.close()
        server.call("GET", "/api/session")
        self.assertEqual(server.stop(), (0, ""))

    def test_nonsense(self):
        server = self.start()
        for text in [b"\x00" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
                     b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n",
                     b"POST /api/open HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"GET /%00%ff HTTP/1.1\r\nHost: x\r\n\r\n",
                     b"GET /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999999999999\r\n\r\n"]:
            with socket.create_connection(("127.0.0.1", server.port), timeout=60) as one:
                try:
                    one.sendall(text)
                    is_whole = text.endswith(b"\r\n\r\n")  # else the server waits for more of it
                    answer = b"".join(iter(lambda: one.recv(65536), b"")) if is_whole else b""
                except (BrokenPipeError, ConnectionResetError):
                    answer = b""
            self.assertNotIn(b" 200 ", answer.split(b"\r\n")[0])
        server.call("GET", "/api/session")
        self.assertEqual(server.stop(), (0, ""))

    def test_page_and_manual(self):
        server = self.start()
        status, heads, data = server.ask("GET", "/", token=False)
        self.assertEqual((status, heads["Content-Type"]), (200, "text/html; charset=utf-8"))
        session = server.call("GET", "/api/session")
        self.assertEqual(session["page"], b"make page" not in data)
        self.assertNotIn(b"<script>", data)
        status, heads, data = server.ask("GET", "/docs/server.md", token=False)
        self.assertEqual((heads["Content-Type"], data), ("text/plain; charset=utf-8",
                                                         (Path(OPTIONS.source) / "docs" / "server.md").read_bytes()))
        self.assertEqual(server.ask("HEAD", "/", token=False)[0], 200)
        self.assertEqual(server.stop(), (0, ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    OPTIONS.program = options.program.resolve()
    OPTIONS.source = options.source.resolve()
    sys.exit(0 if unittest.main(argv=[sys.argv[0], *options.tests], exit=False).result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
