export function ReleaseScreen(_: { detail?: string }) { return <section><h1>Release</h1></section>; }
