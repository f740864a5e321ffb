export function ColumnsScreen(_: { detail?: string }) { return <section><h1>Columns</h1></section>; }
