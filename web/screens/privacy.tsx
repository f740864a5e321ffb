export function PrivacyScreen(_: { detail?: string }) { return <section><h1>Privacy</h1></section>; }
