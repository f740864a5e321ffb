// The drawer: the spec as YAML, which can be edited, and the history of what was done.
import { useEffect, useState } from "preact/hooks";
import type { Mistake } from "../api";
import { putYaml, yaml } from "../session";
import { goTo, history } from "../store";
import { Mistakes } from "./notes";

export function Drawer({ close }: { close: () => void }) {
  const [tab, setTab] = useState<"yaml" | "history">("yaml");
  return (
    <aside class="drawer" aria-label="Spec and history" onKeyDown={(e) => e.key === "Escape" && close()}>
      <div class="drawer-head">
        <div class="tabs">
          <button type="button" aria-pressed={tab === "yaml"} onClick={() => setTab("yaml")}>
            Spec
          </button>
          <button type="button" aria-pressed={tab === "history"} onClick={() => setTab("history")}>
            History
          </button>
        </div>
        <button type="button" onClick={close} aria-label="Close the drawer">
          ✕
        </button>
      </div>
      {tab === "yaml" ? <Yaml /> : <History />}
    </aside>
  );
}

function Yaml() {
  const [draft, setDraft] = useState<string | null>(null);
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([]);
  const now = yaml.value;
  useEffect(() => setMistakes([]), [now]);
  const apply = async () => {
    const found = await putYaml(draft ?? "");
    setMistakes(found);
    if (!found.length) setDraft(null);
  };
  return (
    <div class="drawer-body">
      <p class="quiet">All that the page does stands here, and what the page cannot set can be written here.</p>
      <label class="block">
        Spec as YAML
        <textarea spellcheck={false} autocomplete="off" value={draft ?? now ?? ""} onInput={(e) => setDraft(e.currentTarget.value)} />
      </label>
      <label class="block">
        Open a spec that was kept:{" "}
        <input
          type="file"
          accept=".yaml,.yml"
          onChange={(e) => {
            void e.currentTarget.files?.[0]?.text().then(setDraft);
            e.currentTarget.value = "";
          }}
        />
      </label>
      {now === null && draft === null && <p class="quiet">The spec has a mistake that is named on its screen.</p>}
      <Mistakes of={mistakes} />
      <div class="row">
        <button type="button" class="primary" disabled={draft === null || draft === now} onClick={() => void apply()}>
          Take over
        </button>
        <button type="button" disabled={draft === null} onClick={() => (setDraft(null), setMistakes([]))}>
          Back to what was
        </button>
      </div>
    </div>
  );
}

function History() {
  const { changes, done } = history.value;
  return (
    <div class="drawer-body">
      <ol class="history">
        <li>
          <button type="button" aria-current={done === 0 ? "step" : undefined} onClick={() => goTo(0)}>
            As it was opened
          </button>
        </li>
        {changes.map((c, i) => (
          <li class={i >= done ? "undone" : ""}>
            <button type="button" aria-current={i === done - 1 ? "step" : undefined} onClick={() => goTo(i + 1)}>
              <bdi>{c.label}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
