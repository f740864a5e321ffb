// A hierarchy as a tree to look at and to edit: by mouse (drag a row onto a group) and by keyboard alone.
//
// Keys: up and down move, right and left open and close, Space selects, F2 renames. What is selected can be moved, merged, put
// together or dissolved by the buttons below.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Levels } from "../spec_tree";
import { CellText, Name } from "./cell_text";
import { number } from "./chart";
import { depth, dissolve, find, groupTogether, groups, isLeaf, leafCount, levelsOfTree, merge, move, parentOf, rename, treeOf, type Edited, type Node } from "./tree_model";

const FIRST = 100;

interface Line {
  node: Node;
  level: number;
  more?: number;
}

export function TreeEditor(props: { label: string; levels: Levels; counts: ReadonlyMap<string, number>; change: (label: string, levels: (string | null)[][]) => void }) {
  const tree = useMemo(() => treeOf(props.levels), [props.levels]);
  // What is open is remembered by names, as every edit makes new nodes.
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState(0);
  const [refusal, setRefusal] = useState("");
  const [over, setOver] = useState("");
  const rows = useRef<HTMLDivElement>(null);
  const wasMoved = useRef(false);

  const key = (node: Node) => (isLeaf(node) ? "v:" + (node.value ?? "\u0000") : "g:" + node.label);
  const lines: Line[] = [];
  const walk = (node: Node, level: number) => {
    lines.push({ node, level });
    if (isLeaf(node) || (node !== tree && !open.has(key(node)))) return;
    const shown = all.has(key(node)) ? node.children : node.children.slice(0, FIRST);
    for (const child of shown) walk(child, level + 1);
    if (shown.length < node.children.length) lines.push({ node, level: level + 1, more: node.children.length - shown.length });
  };
  walk(tree, 1);
  const at = Math.min(active, lines.length - 1);

  useEffect(() => {
    if (!wasMoved.current) return;
    wasMoved.current = false;
    rows.current?.querySelector<HTMLElement>(`[data-line="${at}"]`)?.focus();
  }, [at]);

  const chosen = lines.filter((l) => l.more === undefined && selected.has(key(l.node))).map((l) => l.node);
  const apply = (label: string, made: Edited) => {
    setRefusal(made.refusal);
    if (made.refusal) return;
    setSelected(new Set());
    props.change(label, levelsOfTree(made.tree));
  };
  const toggle = (set: ReadonlySet<string>, item: string) => {
    const made = new Set(set);
    if (!made.delete(item)) made.add(item);
    return made;
  };
  const select = (node: Node, add: boolean) => setSelected(add ? toggle(selected, key(node)) : new Set([key(node)]));

  const onKey = (e: KeyboardEvent) => {
    const line = lines[at];
    if (!line) return;
    const k = key(line.node);
    const go = (to: number) => {
      wasMoved.current = true;
      setActive(Math.max(0, Math.min(lines.length - 1, to)));
    };
    if (e.key === "ArrowDown") go(at + 1);
    else if (e.key === "ArrowUp") go(at - 1);
    else if (e.key === "Home") go(0);
    else if (e.key === "End") go(lines.length - 1);
    else if (e.key === "ArrowRight" && !isLeaf(line.node)) open.has(k) || line.node === tree ? go(at + 1) : setOpen(toggle(open, k));
    else if (e.key === "ArrowLeft" && open.has(k)) setOpen(toggle(open, k));
    else if (e.key === "ArrowLeft") {
      const parent = parentOf(tree, line.node.id);
      if (parent) go(lines.findIndex((l) => l.node.id === parent.id));
    } else if (e.key === " ") select(line.node, true);
    else if (e.key === "Enter" && line.more) setAll(toggle(all, k));
    else if (e.key === "F2") {
      select(line.node, false);
      setTimeout(() => document.getElementById("tree-name")?.focus());
    } else return;
    e.preventDefault();
  };

  const drop = (target: Node) => (e: DragEvent) => {
    e.preventDefault();
    setOver("");
    const id = Number(e.dataTransfer?.getData("text/plain"));
    const node = find(tree, id);
    if (node) apply(`Moved in ${props.label}`, move(tree, id, target.id));
  };

  return (
    <div class="tree-editor">
      <p class="quiet">
        {number(leafCount(tree))} values, {depth(tree)} levels above them. Drag a row onto a group to move it, or select rows and use the buttons below.
      </p>
      <div class="tree-box" role="tree" aria-label={props.label} aria-multiselectable="true" ref={rows} onKeyDown={onKey}>
        {lines.map((line, i) => {
          const { node } = line;
          const k = key(node);
          if (line.more !== undefined) {
            return (
              <div class="tree-row" role="treeitem" aria-level={line.level} tabIndex={i === at ? 0 : -1} data-line={i} style={{ paddingLeft: line.level * 18 + "px" }} onClick={() => setAll(toggle(all, k))}>
                … {number(line.more)} more
              </div>
            );
          }
          const isOpen = node === tree || open.has(k);
          const records = props.counts.get(k.slice(2));
          return (
            <div
              class={"tree-row" + (selected.has(k) ? " selected" : "") + (over === k ? " over" : "")}
              role="treeitem"
              aria-level={line.level}
              aria-expanded={isLeaf(node) ? undefined : isOpen}
              aria-selected={selected.has(k)}
              tabIndex={i === at ? 0 : -1}
              data-line={i}
              data-label={node.label}
              style={{ paddingLeft: (line.level - 1) * 18 + 4 + "px" }}
              draggable={node !== tree}
              onDragStart={(e) => e.dataTransfer?.setData("text/plain", String(node.id))}
              onDragOver={(e) => !isLeaf(node) && (e.preventDefault(), setOver(k))}
              onDragLeave={() => setOver("")}
              onDrop={drop(node)}
              onClick={(e) => (setActive(i), select(node, e.ctrlKey || e.metaKey || e.shiftKey || selected.size > 0))}
            >
              <span class="twist" aria-hidden="true" onClick={(e) => !isLeaf(node) && (e.stopPropagation(), setActive(i), setOpen(toggle(open, k)))}>
                {isLeaf(node) ? "" : isOpen ? "▾" : "▸"}
              </span>
              <span class="tree-label">{isLeaf(node) ? <CellText text={node.value ?? null} /> : <Name of={node.label} />}</span>
              <span class="tree-count">
                {isLeaf(node) ? "" : `${number(leafCount(node))} values`}
                {records !== undefined ? `${isLeaf(node) ? "" : ", "}${number(records)} records` : ""}
              </span>
            </div>
          );
        })}
      </div>
      <Actions tree={tree} chosen={chosen} apply={apply} column={props.label} />
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}

function Actions(props: { tree: Node; chosen: readonly Node[]; column: string; apply: (label: string, made: Edited) => void }) {
  const { tree, chosen, apply, column } = props;
  const [name, setName] = useState("");
  const [target, setTarget] = useState("");
  const ids = chosen.map((n) => n.id);
  const one = chosen.length === 1 ? chosen[0]! : null;
  const places = groups(tree).slice(0, 300);
  const moveAll = () => {
    const to = places.find((g) => g.label === target);
    let made: Edited = { tree, refusal: "Choose what to move, and where to." };
    for (const id of to ? ids : []) {
      made = move(made.tree, id, to!.id);
      if (made.refusal) break;
    }
    apply(`Moved to ${target} in ${column}`, made);
  };
  return (
    <div class="row tree-actions">
      <span class="quiet" aria-live="polite">
        {chosen.length} selected
      </span>
      <label>
        Name{" "}
        <input id="tree-name" type="text" value={name} placeholder={one && !isLeaf(one) ? one.label : "a new name"} onInput={(e) => setName(e.currentTarget.value)} />
      </label>
      <button type="button" disabled={!one || isLeaf(one)} onClick={() => apply(`Renamed in ${column}`, rename(tree, one!.id, name))}>
        Rename
      </button>
      <button type="button" disabled={!chosen.length} onClick={() => apply(`New group in ${column}`, groupTogether(tree, ids, name))}>
        Put together
      </button>
      <label>
        Move to{" "}
        <select value={target} onChange={(e) => setTarget(e.currentTarget.value)}>
          <option value="">a group</option>
          {places.map((g) => (
            <option value={g.label}>{g.label}</option>
          ))}
        </select>
      </label>
      <button type="button" disabled={!chosen.length || !target} onClick={moveAll}>
        Move
      </button>
      <button type="button" disabled={chosen.length < 2} onClick={() => apply(`Merged in ${column}`, merge(tree, ids))}>
        Merge
      </button>
      <button type="button" disabled={!one || isLeaf(one)} onClick={() => apply(`Dissolved in ${column}`, dissolve(tree, one!.id))}>
        Dissolve
      </button>
    </div>
  );
}
