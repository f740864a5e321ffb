// Where one is: the step, and what of it is open, in the fragment of the address (#/columns/age).
//
// The token arrives in the fragment, too, so that it is in no request and no log. It moves to this tab's storage and leaves the
// address before anything else happens: an address that is copied or photographed gives nobody access.

export const STEPS = ["data", "columns", "privacy", "compare", "release"] as const;
export type Step = (typeof STEPS)[number];

export interface Route {
  step: Step;
  /** What is open on the screen, such as a column; empty: nothing. */
  detail: string;
}

const TOKEN = /(?:^#?|[#&?])token=([A-Za-z0-9._~-]+)/;

/** The token in a fragment, or null. */
export function tokenIn(fragment: string): string | null {
  return TOKEN.exec(fragment)?.[1] ?? null;
}

/** The fragment without the token. */
export function withoutToken(fragment: string): string {
  const rest = fragment.replace(TOKEN, "").replace(/^#?[&?]?/, "");
  return rest ? "#" + rest : "";
}

export function parseRoute(fragment: string): Route {
  const [step = "", ...rest] = fragment.replace(/^#?\/?/, "").split("/");
  const known = STEPS.find((s) => s === step);
  return { step: known ?? "data", detail: known ? decode(rest.join("/")) : "" };
}

export function routeText(route: Route): string {
  return "#/" + route.step + (route.detail ? "/" + encodeURIComponent(route.detail) : "");
}

/** Names of columns may hold anything; half an escape in a typed address is taken as it stands. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
