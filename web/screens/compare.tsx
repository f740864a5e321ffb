export function CompareScreen(_: { detail?: string }) { return <section><h1>Compare</h1></section>; }
