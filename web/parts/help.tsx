// A word of help beside a choice, opened by its button, with the page of the manual that the program serves, too.
import { useState } from "preact/hooks";
import { told, type Term } from "../help/terms";

export function Help({ term }: { term: Term }) {
  const [isOpen, setOpen] = useState(false);
  const text = told(term);
  return (
    <span class="help" onKeyDown={(e) => e.key === "Escape" && setOpen(false)}>
      <button type="button" class="help-button" aria-expanded={isOpen} aria-label={`Help: ${text.title}`} onClick={() => setOpen(!isOpen)}>
        ?
      </button>
      {isOpen && (
        <span class="help-text" role="note">
          <strong>{text.title}</strong>
          {text.paragraphs.map((p) => (
            <span>{p}</span>
          ))}
          {text.docs && (
            <a href={"/docs/" + text.docs.replace(/#.*/, "")} target="_blank" rel="noopener noreferrer">
              more in the manual: {text.docs.replace(/\.md.*/, "")}
            </a>
          )}
        </span>
      )}
    </span>
  );
}
