// A slider over a few coarse steps, of which the first is "nothing chosen": numbers that matter start empty. Beside it any number in
// range can be typed.

export function StepsSlider(props: {
  id: string;
  label: string;
  steps: readonly number[];
  value: string;
  none: string;
  words: (step: number) => string;
  set: (value: string) => void;
  least?: number;
  most?: number;
  step?: number;
}) {
  const { steps, value } = props;
  const n = Number(value);
  // A typed number between two steps stands at the one before it.
  let at = 0;
  if (value !== "") {
    const towards = (steps[1] ?? 0) >= (steps[0] ?? 0) ? (s: number) => s <= n + 1e-12 : (s: number) => s >= n - 1e-12;
    at = Math.max(1, steps.filter(towards).length);
  }
  return (
    <div class="slider">
      <div class="row">
        <label for={props.id}>{props.label}</label>
        <input
          type="number"
          aria-label={`${props.label}, as a number`}
          min={props.least}
          max={props.most}
          step={props.step ?? "any"}
          placeholder="none"
          value={value}
          onChange={(e) => props.set(e.currentTarget.value)}
        />
        {props.most !== undefined && <span class="quiet">up to {props.most.toLocaleString("en", { maximumFractionDigits: 3 })} can be met</span>}
      </div>
      <input
        id={props.id}
        type="range"
        min={0}
        max={steps.length}
        step={1}
        value={at}
        aria-valuetext={at === 0 ? props.none : props.words(steps[at - 1]!)}
        onInput={(e) => {
          const index = Number(e.currentTarget.value);
          props.set(index === 0 ? "" : String(steps[index - 1]!));
        }}
      />
      <div class="slider-steps" aria-hidden="true">
        <span>{props.none}</span>
        {steps.length > 0 && <span>{steps[steps.length - 1]!.toLocaleString("en")}</span>}
      </div>
    </div>
  );
}
