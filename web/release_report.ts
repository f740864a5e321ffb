// What the page reads of the report of a release (docs/formats.md has all of it).
export interface RiskSide {
  records: number;
  uniques: number;
  smallest_class?: number;
  prosecutor: { highest: number; mean: number; above: { threshold: number; records: number; share: number }[] };
}

export interface ReleaseReport {
  records: number;
  classes: number;
  smallest_class: number;
  largest_class?: number;
  shape: string;
  gcp: number | null;
  persons?: number;
  fewest_persons?: number;
  counted?: string;
  suppression?: { records: number; omitted: number; dropped: number };
  columns: { name: string; loss: number; suppressed: number }[];
  requirements: { key: string; asked: string; holds: boolean; worst_figure: number | null; failing_classes: number; failing_records: number }[];
  warnings: { code: string; column?: string | null; message: string; accepted?: boolean }[];
  holds: boolean;
  passed?: boolean;
  published?: boolean;
  sha256?: { input?: string; release?: string };
  released_as_is?: (string | { name: string })[];
  left_out?: (string | { name: string })[];
  risk?: { original: RiskSide; release: RiskSide };
  distributions?: { name: string; role: string; distance: number }[];
  queries?: { workload: string; query_error: number }[];
}

export const nameOf = (item: string | { name: string }): string => (typeof item === "string" ? item : item.name);
