"""Loss and seconds of Shoal, anjana and anonypy on Adult, by the same definitions: docs/python_peers.md.

    python_peers.py FOLDER [--k 5 10 50]

FOLDER has adult/adult_train.csv and adult/hierarchies. The 30,162 complete records, eight quasi columns. What a package
makes is verified and measured by Shoal as anybody's release is. Runs in an environment with python/requirements/peers.txt
and the wheel.
"""

import argparse
import sys
import time
import warnings
from pathlib import Path

import pandas
import shoal

QUASI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]


def read(folder):
    frame = pandas.read_csv(folder / "adult/adult_train.csv", na_values="?", skipinitialspace=True)
    frame = frame[[*QUASI, "class"]].dropna().reset_index(drop=True)
    levels = {}
    for name in QUASI:
        lines = (folder / f"adult/hierarchies/{name}.csv").read_text().splitlines()
        levels[name] = [line.split(";") for line in lines if line]
    return frame, levels


def by_hierarchies(levels):
    return {name: {row[0]: row[1:] for row in rows} for name, rows in levels.items()}


def run_shoal(frame, levels, k, **how):
    release = shoal.anonymize(frame, k=k, quasi=QUASI, sensitive="class", hierarchies=by_hierarchies(levels), seed=1, **how)
    return release.to_pandas()


def run_anjana(frame, levels, k, share):
    from anjana.anonymity import k_anonymity

    hierarchies = {}
    for name, rows in levels.items():
        values = [int(row[0]) if name == "age" else row[0] for row in rows]
        hierarchies[name] = {0: pandas.Series(values).to_numpy()}
        for level in range(1, len(rows[0])):
            hierarchies[name][level] = pandas.Series([row[level] for row in rows]).to_numpy()
    return k_anonymity(frame.copy(), [], QUASI, k, share, hierarchies)


def run_anonypy(frame, levels, k):
    import anonypy

    frame = frame.copy()
    for name in frame.columns:
        if name != "age":
            frame[name] = frame[name].astype("category")
    rows = anonypy.Preserver(frame, QUASI, "class").anonymize_k_anonymity(k)
    result = pandas.DataFrame([{name: cell[0] if isinstance(cell, list) else cell for name, cell in row.items()}
                               for row in rows])
    result = result.loc[result.index.repeat(result["count"])].drop(columns="count").reset_index(drop=True)
    # 17-25 and a,b as the sets that they are.
    ages = sorted(set(frame["age"]))
    ranges = {text: [int(end) for end in text.split("-")] for text in set(result["age"])}
    sets = {text: [age for age in ages if ends[0] <= age <= ends[-1]] for text, ends in ranges.items()}
    result["age"] = ["{" + "|".join(map(str, sets[text])) + "}" if "-" in text else text for text in result["age"]]
    for name in QUASI[1:]:
        result[name] = [f"{{{'|'.join(text.split(','))}}}" if "," in text else text for text in result[name]]
    return result


def judge(frame, release, levels, k):
    """Records, the smallest class, and the loss of a release; records that are left out lose everything."""
    texts = release[[*QUASI, "class"]].astype(str)
    smallest = int(shoal.verify(texts, k=k, quasi=QUASI).verdicts[0].worst)
    report = shoal.measure(frame, texts, k=k, quasi=QUASI, hierarchies=by_hierarchies(levels))
    return len(texts), smallest, report.gcp


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--k", type=int, nargs="+", default=[5, 10, 50])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    frame, levels = read(options.folder)
    ways = {
        "Shoal, `topdown`": lambda k: run_shoal(frame, levels, k, method="topdown"),
        "Shoal, `best`, fast": lambda k: run_shoal(frame, levels, k, effort="fast"),
        "Shoal, `best` (the default)": lambda k: run_shoal(frame, levels, k),
        "anjana, nothing suppressed": lambda k: run_anjana(frame, levels, k, 0),
        "anjana, up to 10 % suppressed": lambda k: run_anjana(frame, levels, k, 10),
        "anonypy": lambda k: run_anonypy(frame, levels, k),
    }
    print(f"{len(frame)} records\n")
    print("| | k | seconds | records released | smallest class | GCP, % |\n|---|---:|---:|---:|---:|---:|")
    for name, way in ways.items():
        for k in options.k:
            start = time.perf_counter()
            try:
                release = way(k)
            except Exception as error:  # noqa: BLE001 - whatever a package raises
                print(f"| {name} | {k} | | {type(error).__name__} | | |", flush=True)
                continue
            seconds = time.perf_counter() - start
            rows, smallest, gcp = judge(frame, release, levels, k)
            print(f"| {name} | {k} | {seconds:.1f} | {rows} | {smallest} | {100 * gcp:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
