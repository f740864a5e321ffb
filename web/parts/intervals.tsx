// Intervals of numbers: where they break, on a line over the histogram, by dragging or by the arrow keys.
import { useRef, useState } from "preact/hooks";
import type { ColumnFacts } from "../api";
import { barHeights, roundStep } from "./scales";
import { breaksOf, breaksText, moveBreak, setBreakLevels } from "./tree_model";

export function Intervals(props: { column: string; facts: ColumnFacts; how: string; change: (how: string) => void }) {
  const { facts } = props;
  const box = useRef<HTMLDivElement>(null);
  const [adding, setAdding] = useState("");
  const levels = breaksOf(props.how);
  const finest = [...(levels[0] ?? [])].sort((a, b) => a - b);
  const low = Number(facts.bins?.from[0] ?? 0);
  const high = Number(facts.bins?.to.at(-1) ?? 1);
  const span = Math.max(1e-9, high - low);
  const step = facts.type === "integer" ? Math.max(1, roundStep(span, 200)) : roundStep(span, 200);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const rounded = (value: number) => Number((Math.round(value / step) * step).toFixed(digits));
  const heights = barHeights(facts.bins?.counts ?? []);
  const levelCount = (b: number) => levels.filter((level) => level.includes(b)).length;

  const drag = (from: number) => (down: PointerEvent) => {
    const handle = down.currentTarget as HTMLElement;
    handle.setPointerCapture(down.pointerId);
    const rect = box.current!.getBoundingClientRect();
    let at = from;
    let held = levels;
    const onMove = (e: PointerEvent) => {
      const to = rounded(low + ((e.clientX - rect.left) / rect.width) * span);
      const made = moveBreak(held, at, to, step);
      const text = breaksText(made);
      const index = [...(held[0] ?? [])].sort((a, b) => a - b).indexOf(at);
      at = [...(made[0] ?? [])].sort((a, b) => a - b)[index] ?? at;
      held = made;
      props.change(text);
    };
    const onUp = () => {
      handle.removeEventListener("pointermove", onMove);
      handle.removeEventListener("pointerup", onUp);
    };
    handle.addEventListener("pointermove", onMove);
    handle.addEventListener("pointerup", onUp);
  };

  const onKey = (b: number) => (e: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
    if (e.key in steps) props.change(breaksText(moveBreak(levels, b, rounded(b + steps[e.key]! * step), step)));
    else if (e.key === "Delete" || e.key === "Backspace") props.change(breaksText(setBreakLevels(levels, b, 0)));
    else return;
    e.preventDefault();
  };

  const add = () => {
    const value = Number(adding);
    if (adding.trim() && Number.isFinite(value)) props.change(breaksText(setBreakLevels(levels, value, 1)));
    setAdding("");
  };

  return (
    <div class="intervals">
      <p class="quiet">Drag a handle, or move it with the arrow keys; Delete takes it away. A break in more levels parts coarser groups, too.</p>
      <div class="line-box" ref={box}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {heights.map((h, i) => (
            <rect class="bar" x={(i * 100) / heights.length} width={100 / heights.length - 0.3} y={100 - h * 70} height={h * 70} />
          ))}
        </svg>
        {finest.map((b) => (
          <button
            type="button"
            class="handle"
            role="slider"
            aria-label={`Break of ${props.column}`}
            aria-valuemin={low}
            aria-valuemax={high}
            aria-valuenow={b}
            aria-valuetext={`${b}, in ${levelCount(b)} levels`}
            style={{ left: `${((Math.min(high, Math.max(low, b)) - low) / span) * 100}%` }}
            onPointerDown={drag(b)}
            onKeyDown={onKey(b)}
          >
            <span>{b}</span>
          </button>
        ))}
      </div>
      <div class="line-ends">
        <span>{facts.bins?.from[0]}</span>
        <span>{facts.bins?.to.at(-1)}</span>
      </div>
      <div class="row">
        <label>
          Add a break at <input type="number" step="any" value={adding} onInput={(e) => setAdding(e.currentTarget.value)} onKeyDown={(e) => e.key === "Enter" && add()} />
        </label>
        <button type="button" onClick={add} disabled={!adding.trim()}>
          Add
        </button>
        {finest.length > 0 && (
          <div class="scroll-x" tabIndex={0} role="group" aria-label="levels of the breaks">
            <table>
              <thead>
                <tr>
                  <th scope="col">break</th>
                  <th scope="col">in levels</th>
                </tr>
              </thead>
              <tbody>
                {finest.map((b) => (
                  <tr>
                    <td class="number">{b}</td>
                    <td>
                      <select aria-label={`Levels of the break ${b}`} value={String(levelCount(b))} onChange={(e) => props.change(breaksText(setBreakLevels(levels, b, Number(e.currentTarget.value))))}>
                        <option value="0">none: take it away</option>
                        <option value="1">1, the finest</option>
                        <option value="2">2</option>
                        <option value="3">3</option>
                      </select>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </div>
  );
}
