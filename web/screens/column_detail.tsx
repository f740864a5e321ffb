// One column: how its values are grouped, as a tree or as intervals; how much it matters; ends of ranges.
import { useEffect, useState } from "preact/hooks";
import { Refused, call, type ColumnFacts, type HierarchyAnswer, type Mistake, type TreeAnswer } from "../api";
import { Name } from "../parts/cell_text";
import { number } from "../parts/chart";
import { Help } from "../parts/help";
import { Intervals } from "../parts/intervals";
import { Mistakes } from "../parts/notes";
import { TreeEditor } from "../parts/tree";
import { fileOf, treeOf } from "../parts/tree_model";
import { choices, type Guess } from "../session";
import { columnOf, hierarchyText, levelsOf, roleOf, textAt, withSaid, type Levels } from "../spec_tree";
import { change, spec } from "../store";
import { typeWords } from "../words";

interface Builder {
  how: string;
  words: string;
}

function buildersFor(facts: ColumnFacts, type: string): Builder[] {
  const kind = type || facts.type;
  if (kind === "date") return [{ how: "", words: "ranges of dates" }, { how: "dates", words: "month, quarter, year, decade" }];
  if (kind === "integer" || kind === "real") {
    const masks = kind === "integer" ? [{ how: "prefix", words: "codes, masked from the right: 5371*" }] : [];
    return [{ how: "", words: "ranges, as narrow as possible" }, { how: "widths", words: "steps of fixed width" }, { how: "breaks", words: "intervals of one's own" }, ...masks];
  }
  const codes = (choices.value?.codes ?? []).map((c) => ({ how: c.name, words: "known groups of codes: " + c.name }));
  return [{ how: "", words: "all or nothing" }, { how: "prefix", words: "masked from the right: 5371*" }, ...codes];
}

/** Which builder a text is of. */
function builderOf(how: string, builders: readonly Builder[]): string {
  if (how === "own") return "own";
  const word = how.replace(/[:@].*/, "");
  return builders.some((b) => b.how === word) ? word : how ? "own" : "";
}

export function ColumnDetail({ facts, guess }: { facts: ColumnFacts; guess: Guess | undefined }) {
  const { name } = facts;
  const said = columnOf(spec.value, name);
  const type = textAt(said, "type");
  const role = roleOf(spec.value, name);
  const how = hierarchyText(spec.value, name);
  const own = levelsOf(spec.value, name);
  const builders = buildersFor(facts, type);
  const [shown, setShown] = useState<HierarchyAnswer | null>(null);
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([]);
  const isNumber = ["integer", "real"].includes(type || facts.type);
  const isRange = !how && (isNumber || (type || facts.type) === "date");

  const set = (label: string, value: string | { levels: Levels } | undefined) => change(label, withSaid(spec.value, [name], "hierarchy", value));
  const refused = (e: unknown) => setMistakes(e instanceof Refused ? (e.mistakes.length ? e.mistakes : [e.error]) : [{ status: "", message: String(e) }]);

  // The server builds and checks what the spec says, also a tree of one's own.
  useEffect(() => {
    setMistakes([]);
    if (isRange || (role !== "quasi" && role !== "sensitive")) {
      setShown(null);
      return undefined;
    }
    const control = new AbortController();
    const timer = setTimeout(() => {
      const body = own ? { column: name, text: fileOf(treeOf(own)) } : { column: name, how: how || "flat" };
      call<HierarchyAnswer>("POST", "/hierarchy", body, control.signal).then(setShown, (e) => control.signal.aborted || (own || setShown(null), refused(e)));
    }, 150);
    return () => (clearTimeout(timer), control.abort());
  }, [how, own, type, role]);

  const load = async (file: File) => {
    try {
      const answer = await call<HierarchyAnswer>("POST", "/hierarchy", { column: name, text: await file.text() });
      set(`Groups of ${name} from a file`, { levels: answer.levels });
    } catch (e) {
      refused(e);
    }
  };

  const counts = new Map<string, number>();
  const countUp = (t: TreeAnswer) => {
    counts.set(t.label, t.records);
    t.children.forEach(countUp);
  };
  if (shown) countUp(shown.tree);

  return (
    <section class="card detail" aria-label={`Groups of ${name}`}>
      <h2>
        <Name of={name} />
      </h2>
      {role !== "quasi" && role !== "sensitive" ? (
        <p class="quiet">Only columns that somebody could know, or would like to learn, have groups.</p>
      ) : (
        <>
          <div class="row">
            <div class="field">
              <label>
                How its values are grouped
                <select
                  value={builderOf(how, builders)}
                  onChange={(e) => {
                    const value = e.currentTarget.value;
                    if (value !== "own") set(`Groups of ${name}`, starting(value, facts, guess) || undefined);
                    else if (shown) set(`Groups of ${name} as a tree`, { levels: shown.levels });
                  }}
                >
                  {builders.map((b) => (
                    <option value={b.how}>{b.words}</option>
                  ))}
                  <option value="own">{how && how !== "own" && builderOf(how, builders) === "own" ? `from ${how}` : "a tree of one's own"}</option>
                </select>
              </label>
              <Help term="hierarchy" />
            </div>
            <label class="field">
              <span>
                Load groups from a file:{" "}
                <input
                  type="file"
                  onChange={(e) => {
                    const file = e.currentTarget.files?.[0];
                    if (file) void load(file);
                    e.currentTarget.value = "";
                  }}
                />
              </span>
            </label>
            {guess?.hierarchy_instead && how !== guess.hierarchy_instead && (
              <button type="button" onClick={() => set(`Groups of ${name}`, guess.hierarchy_instead)}>
                Use {guess.hierarchy_instead} instead
              </button>
            )}
          </div>
          <Parameters name={name} how={how} set={(value) => set(`Groups of ${name}…`, value)} />
          {how.startsWith("breaks:") && <Intervals column={name} facts={facts} how={how} change={(value) => set(`Intervals of ${name}…`, value || undefined)} />}
          <Mistakes of={mistakes} />
          {isRange && <p class="quiet">What is released are ranges of {typeWords(type || facts.type)}, as narrow as they can be: no groups are needed.</p>}
          {(own ?? shown?.levels) && (
            <TreeEditor label={name} levels={(own ?? shown?.levels)!} counts={counts} change={(label, levels) => set(label, { levels })} />
          )}
          {shown && <Save name={name} levels={own ?? shown.levels} />}
        </>
      )}
      {role === "quasi" && (
        <div class="row">
          <div class="field">
            <label>
              How much it matters
              <select value={textAt(said, "weight")} onChange={(e) => change(`Weight of ${name}`, withSaid(spec.value, [name], "weight", e.currentTarget.value))}>
                <option value="0.5">half as much</option>
                <option value="">as the others</option>
                <option value="2">twice</option>
                <option value="4">four times</option>
                {!["0.5", "", "2", "4"].includes(textAt(said, "weight")) && <option value={textAt(said, "weight")}>{textAt(said, "weight")}</option>}
              </select>
            </label>
            <Help term="weight" />
          </div>
          {isRange && (
            <div class="field">
              <label>
                Ends of ranges are multiples of
                <input type="text" placeholder="nothing: exact values" value={textAt(said, "grid")} onChange={(e) => change(`Grid of ${name}`, withSaid(spec.value, [name], "grid", e.currentTarget.value.trim()))} />
              </label>
              <Help term="grid" />
            </div>
          )}
        </div>
      )}
    </section>
  );
}

/** What a builder begins with. */
function starting(builder: string, facts: ColumnFacts, guess: Guess | undefined): string {
  const low = Number(facts.bins?.from[0] ?? 0);
  const high = Number(facts.bins?.to.at(-1) ?? 100);
  if (builder === "widths") return guess?.hierarchy_instead?.startsWith("widths:") ? guess.hierarchy_instead : "widths:5,10,20";
  if (builder === "breaks") {
    const round = (share: number) => Number((low + (high - low) * share).toPrecision(2));
    const levels = [...new Set([0.25, 0.5, 0.75].map(round))];
    return `breaks:${levels.join(",")};${round(0.5)}`;
  }
  return builder;
}

function Parameters({ name, how, set }: { name: string; how: string; set: (value: string) => void }) {
  if (how.startsWith("widths:")) {
    return (
      <label class="field">
        <span>
          Widths, each a multiple of the one before, with commas:{" "}
          <input type="text" aria-label={`Widths of ${name}`} value={how.slice(7)} onChange={(e) => set("widths:" + e.currentTarget.value.trim())} />
        </span>
      </label>
    );
  }
  if (/^prefix(:|$)/.test(how)) {
    return (
      <label class="field">
        <span>
          Signs masked at most:{" "}
          <input type="number" min={1} max={100} aria-label={`Signs of ${name} masked at most`} value={how.slice(7)} placeholder="all" onChange={(e) => set(e.currentTarget.value ? "prefix:" + e.currentTarget.value : "prefix")} />
        </span>
      </label>
    );
  }
  return null;
}

function Save({ name, levels }: { name: string; levels: Levels }) {
  const [file, setFile] = useState(name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 40) + ".csv");
  const [told, setTold] = useState("");
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([]);
  const save = async (replace: boolean) => {
    try {
      await call("POST", "/hierarchy/save", { column: name, text: fileOf(treeOf(levels)), file, form: "paths", replace });
      setTold(`Saved as ${file}, ${number(levels.length)} values.`);
      setMistakes([]);
    } catch (e) {
      setTold("");
      setMistakes([e instanceof Refused ? e.error : { status: "", message: String(e) }]);
    }
  };
  return (
    <div>
      <div class="row">
        <label>
          Save the tree into the folder as <input type="text" value={file} onInput={(e) => setFile(e.currentTarget.value)} />
        </label>
        <button type="button" disabled={!file.trim()} onClick={() => void save(false)}>
          Save
        </button>
        {mistakes.some((m) => m.status === "conflict") && (
          <button type="button" onClick={() => void save(true)}>
            Write over it
          </button>
        )}
        <span role="status">{told}</span>
      </div>
      <Mistakes of={mistakes} />
    </div>
  );
}
