const line = (parts) => console.log(parts.filter((part) => part != null).join("  "));

/** Prints what a command did: JSON where asked for it or where no terminal reads it, else lines of text. */
export function print(report, options) {
  if (options.json || !process.stdout.isTTY) return process.stdout.write(`${JSON.stringify(report)}\n`);
  for (const { path, did, state, url, publish_at, changed, no_longer_holds = [], ...more } of report.works) {
    const rows = more.rows_added && `${more.rows_added} rows added`;
    const open = more.fill_in && `fill in: ${more.fill_in.join(", ")}`;
    const sides = changed?.length > 0 ? `changed: ${changed.join(", ")}` : null;
    line([did.replace("_", " ").padEnd(10), state, publish_at, path, url, rows, sides, open]);
    for (const { kind, n, text, value, state: now } of no_longer_holds)
      line(["  ", `${kind} ${n}, "${text}": ${value ?? now.replaceAll("_", " ")}`]);
  }
  for (const { path, member } of report.ignored) line(["ignored   ", `${path}: ${member}`]);
  for (const { path, field, message } of report.not_checked)
    line(["not checked", `${path}: ${field}`, message]);
  for (const { path, id } of report.drafts) line(["draft left", `${path} (${id})`]);
  for (const { path, line: at, field, message, hint, plan } of report.errors) {
    const place = [path, at, field?.replace("payload.", "")].filter((part) => part != null).join(":");
    line([place || null, message]);
    if (hint) line(["  ", hint]);
    if (plan) line(["  ", `Take its plan with --auto: ${JSON.stringify(plan.dialect)}`]);
  }
  return true;
}
