import { html } from "hono/html";
import { toIso } from "../../ground/times.ts";
import type { FailedJob, QueueStatus } from "../../platform/jobs/queue.ts";
import type { LiveProcesses } from "../../platform/process/live-processes.ts";
import { STYLESHEET } from "../../text/stylesheets.ts";

/** The contents of the board. */
export interface Board {
  process: string;
  queues: readonly QueueStatus[];
  failures: readonly FailedJob[];
  live: LiveProcesses;
  nowMs: number;
  /** One sentence about the last action, or null. */
  notice: string | null;
}

/** The operators' page of queues and failed jobs: plain HTML without scripts. */
export function renderBoard({ process, queues, failures, live, nowMs, notice }: Board): string {
  return renderPage(
    "Queues",
    html`<h1>Queues</h1>
<p>What the workers of this service have before them, as the ${process} process sees it. Load the page again for newer figures; <a href="/metrics">metrics</a> are for Prometheus.</p>
${notice === null ? "" : html`<p role="status"><strong>${notice}</strong></p>`}
<div class="table-scroll" role="region" aria-label="Queues" tabindex="0"><table>
<caption>Oldest is the age in seconds of the job that waits longest.</caption>
<thead><tr><th scope="col">Queue</th><th scope="col" class="figure">Waiting</th><th scope="col" class="figure">Active</th><th scope="col" class="figure">Delayed</th><th scope="col" class="figure">Failed</th><th scope="col" class="figure">Oldest</th><th scope="col">Failed jobs</th></tr></thead>
<tbody>${queues.map(renderQueue)}</tbody>
</table></div>
<h2>Processes</h2>
${live.missing.length === 0 ? "" : html`<p role="alert"><strong>No process does the work of ${live.missing.join(", ")}.</strong> Start one: <code>npm run workers -- ${live.missing.join(" ")}</code></p>`}
${renderProcesses(live, nowMs)}
<h2>Failed jobs</h2>
${failures.length === 0 ? html`<p>None. A job comes here when its last try has failed.</p>` : renderFailures(failures)}`,
  );
}

/** A page with one sentence that says why nothing was done. */
export function renderRefusal(sentence: string): string {
  return renderPage(
    "Refused",
    html`<h1>That did not work</h1>\n<p>${sentence}</p>\n<p><a href="/">Queues</a></p>`,
  );
}

function renderQueue({ queue, waiting, active, delayed, failed, oldest }: QueueStatus) {
  const retry = html`<form method="post" action="/queues/${queue}/retry"><button class="quiet" aria-label="Try again: failed jobs of ${queue}">Try again</button></form>`;
  const figures = [waiting, active, delayed, failed, oldest ?? "none"];
  return html`<tr><th scope="row">${queue}</th>${figures.map((figure) => html`<td class="figure">${figure}</td>`)}<td>${failed > 0 ? retry : ""}</td></tr>\n`;
}

function renderProcesses({ processes }: LiveProcesses, nowMs: number) {
  const rows = processes.map(
    ({ kind, workers, host, pid, version, started_at, seen_at }) =>
      html`<tr><th scope="row">${kind}</th><td>${workers.join(", ")}</td><td>${host}</td><td class="figure">${pid}</td><td>${version}</td><td>${toIso(started_at)}</td><td class="figure">${Math.max(0, Math.round((nowMs - seen_at) / 1000))}</td></tr>\n`,
  );
  return html`<div class="table-scroll" role="region" aria-label="Processes" tabindex="0"><table>
<caption>Each gives a sign of life every ten seconds. Last sign is its age in seconds.</caption>
<thead><tr><th scope="col">Process</th><th scope="col">Workers</th><th scope="col">Machine</th><th scope="col" class="figure">Id</th><th scope="col">Version</th><th scope="col">Started</th><th scope="col" class="figure">Last sign</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

function renderFailures(failures: readonly FailedJob[]) {
  const rows = failures.map(
    ({ queue, id, failedAtMs, reason, payload }) =>
      html`<tr><th scope="row">${queue}</th><td>${toIso(failedAtMs)}</td><td>${reason}</td><td><code>${JSON.stringify(payload)}</code></td><td><code>${id}</code></td></tr>\n`,
  );
  return html`<div class="table-scroll" role="region" aria-label="Failed jobs" tabindex="0"><table>
<caption>The latest first, ${failures.length} shown.</caption>
<thead><tr><th scope="col">Queue</th><th scope="col">Failed</th><th scope="col">Reason</th><th scope="col">Of what</th><th scope="col">Job</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

function renderPage(title: string, main: ReturnType<typeof html>): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Broadsheet operators</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${STYLESHEET.path}">
</head>
<body>
<main id="main" class="narrow">
${main}
</main>
</body>
</html>
`);
}
