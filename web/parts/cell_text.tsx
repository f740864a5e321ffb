// Texts of other people's files, shown as texts: isolated, so that marks of direction do not turn what stands around them, without
// invisible controls, and never longer than a screen.

const MOST = 200;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A sign that can be seen for each that cannot. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (c) => {
    const code = c.charCodeAt(0);
    if (code === 10) return "⏎";
    if (code === 9) return "⇥";
    return code < 32 ? String.fromCharCode(0x2400 + code) : "�";
  });
}

/** What fits, without half of a character at its end. */
export function shortened(text: string, most = MOST): string {
  if (text.length <= most) return text;
  const end = text.charCodeAt(most - 1);
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? most - 1 : most) + "…";
}

export function CellText({ text, bytes }: { text: string | null; bytes?: number }) {
  if (text === null) return <span class="missing">missing</span>;
  return (
    <>
      <bdi>{visible(shortened(text))}</bdi>
      {bytes ? <span class="cut"> {bytesText(bytes)}</span> : null}
    </>
  );
}

/** The name of a column, wherever it is shown. */
export function Name({ of }: { of: string }) {
  return <bdi class="name">{visible(shortened(of, 80))}</bdi>;
}

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ["kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = -1;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}
