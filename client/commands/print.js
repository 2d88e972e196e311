/** Prints what a command did: JSON where asked for it or where no terminal reads it, else lines of text. */
export function print(report, options) {
  if (options.json || !process.stdout.isTTY) return process.stdout.write(`${JSON.stringify(report)}\n`);
  for (const { path, did, state, url, rows_added } of report.works)
    console.log(
      [
        did.replace("_", " ").padEnd(10),
        state,
        path,
        url ?? "",
        rows_added ? `(${rows_added} rows added)` : "",
      ].join("  "),
    );
  for (const { path, member } of report.ignored) console.log(`ignored  ${path}: ${member}`);
  for (const { path, field } of report.not_checked) console.log(`not checked  ${path}: ${field}`);
  for (const { path, id } of report.drafts) console.log(`draft left  ${path} (${id})`);
  for (const { path, line, message, hint, plan } of report.errors) {
    console.error(
      `${[path, line].filter((part) => part !== null).join(":")}${path ? ": " : ""}${message}${hint ? `\n  ${hint}` : ""}`,
    );
    if (plan) console.error(`  Take its plan with --auto: ${JSON.stringify(plan.dialect ?? plan)}`);
  }
  return true;
}
