"""Check a release with a box per record against its original, slowly and by definition.

Rows are in any order. Who could stand behind which row is a graph of rows and records; what counts
are its edges in some perfect matching (docs/methods/nonhomogeneous.md). One matching is found; an edge
from a record to a row is in some matching exactly when the row leads back to the record, going from
rows to the records matched to them and from records to rows that cover them.
"""
import sys

from check_release import Release, require


def find_matching(edges):
    """The row of each record by augmenting paths, or None; edges[record] is a set of rows."""
    sys.setrecursionlimit(10000)
    taken = {}

    def place(record, tried):
        for row in edges[record] - tried:
            tried.add(row)
            if row not in taken or place(taken[row], tried):
                taken[row] = record
                return True
        return False

    if not all(place(record, set()) for record in range(len(edges))):
        return None
    return {record: row for row, record in taken.items()}


def find_reached(edges, record_of, start):
    """The records that a row leads to."""
    reached, waiting = set(), [record_of[start]]
    while waiting:
        record = waiting.pop()
        if record not in reached:
            reached.add(record)
            waiting += [record_of[row] for row in edges[record]]
    return reached


class Boxes(Release):
    def check_others(self, header, records, new_header, new_records):
        """Other columns are kept, to be matched as well."""
        quasi = {c.name for c in self.columns}
        names = [n for n in header if n not in quasi and n in new_header]
        self.mine = [[r[header.index(n)] for n in names] for r in records]
        self.shown = [[r[new_header.index(n)] for n in names] for r in new_records]

    def covers(self, row, record):
        return all(true in found for true, found in zip(self.true[record], self.found[row]))

    def check(self):
        everybody = range(len(self.true))
        edges = [{row for row in everybody if self.covers(row, record)} for record in everybody]
        row_of = find_matching(edges)
        require(row_of, "rows and records cannot be matched")
        record_of = {row: record for record, row in row_of.items()}
        candidates = [0] * len(self.true)
        reached = {row: find_reached(edges, record_of, row) for row in everybody}
        for record in everybody:
            rows = [row for row in edges[record] if record in reached[row]]
            require(len(rows) >= self.k, "a record with %d candidates" % len(rows))
            for row in rows:
                candidates[row] += 1
        require(min(candidates) >= self.k, "a row with %d candidates" % min(candidates))
        alike = [{row for row in edges[record] if self.shown[row] == self.mine[record]}
                 for record in everybody]
        require(find_matching(alike), "values went to rows that do not cover their records")
