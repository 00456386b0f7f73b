import { type Html, html } from "../checkout/page/html.ts";
import type { CheckStatus, ErrorStatus, ProcessStatus, Status } from "./status.ts";
import { style } from "./style.ts";
import { nodesTable, ratesTable } from "./tables.ts";
import { durationText } from "./text.ts";
import { readingTiles, waitingTiles } from "./tiles.ts";

const REFRESH_SECONDS = 5;

/** The whole page, which looks again by itself unless it `isStill`. */
export function statusPage(status: Status, { isStill = false }: { isStill?: boolean } = {}): string {
  const faults = status.checks.filter(({ ok }) => !ok);
  const verdict = faults.length === 0 ? "Ready" : "Not ready";
  // The style is ours, and nothing in it is a character that is escaped in markup.
  const page = html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${isStill ? null : html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`}<meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>${verdict}: Daric</title><style>%style%</style></head><body><main>
${heading(status, verdict)}
${faultList(faults)}
<h2>Reading the chain</h2>${readingTiles(status)}
<h2>Waiting</h2>${waitingTiles(status.waiting)}
${errorsTable(status.errors)}
${nodesTable(status.nodes)}
${ratesTable(status.rates)}
${checksTable(status.checks)}
${versionsLine(status.process, isStill)}
</main></body></html>`;
  return `<!doctype html>${page.toString().replace("%style%", () => style)}`;
}

function heading({ process, now }: Status, verdict: string): Html {
  const { network, environment, roles, host, pid, uptimeSeconds } = process;
  const tone = verdict === "Ready" ? "good" : "bad";
  return html`<header><h1 class="${tone}"><span class="mark"></span>${verdict}</h1><p>${network} (${environment}), ${roles.join(", ")}</p><p class="soft">${host}, pid ${pid}, up ${durationText(uptimeSeconds)}, ${now.toISOString().slice(0, 19).replace("T", " ")} UTC</p></header>`;
}

function faultList(faults: readonly CheckStatus[]): Html | null {
  if (faults.length === 0) return null;
  return html`<div class="faults">${faults.map(({ name, detail }) => html`<p><strong>${name}</strong>: ${detail}</p>`)}</div>`;
}

function checksTable(checks: readonly CheckStatus[]): Html {
  const rows = checks.map(
    ({ name, ok, detail }) =>
      html`<tr><th scope="row">${name}</th><td class="short ${ok ? "good" : "bad"}">${ok ? "OK" : "FAILED"}</td><td>${detail}</td></tr>`,
  );
  return html`<h2>Checks of readiness</h2><table class="compact"><thead><tr><th scope="col">Check</th><th scope="col">State</th><th scope="col">What was found</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function errorsTable(errors: readonly ErrorStatus[]): Html {
  const title = html`<h2>Last errors of this process</h2>`;
  if (errors.length === 0) return html`${title}<p class="soft">None since it was started.</p>`;
  const rows = errors.map(({ time, level, event, message, reason, code, worker }) => {
    const facts = [event, reason, code, worker].filter((fact) => fact !== undefined).join("; ");
    return html`<tr><td class="short"><time>${time.slice(0, 19).replace("T", " ")}</time></td><td class="short ${level === "warn" ? "soft" : "bad"}">${level}</td><td>${message}<small>${facts}</small></td></tr>`;
  });
  return html`${title}<table class="compact"><thead><tr><th scope="col">Time (UTC)</th><th scope="col">Level</th><th scope="col">Message</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function versionsLine({ versions }: ProcessStatus, isStill: boolean): Html {
  const { program, node, schema, postgresql } = versions;
  const again = isStill
    ? html`<a href="/">Look again every ${REFRESH_SECONDS} s</a>`
    : html`This page looks again every ${REFRESH_SECONDS} s; <a href="/?still">stop that</a>`;
  return html`<footer><p>Daric ${program}, Node ${node}, schema ${schema}, PostgreSQL ${postgresql}. Numbers for Prometheus: <a href="/metrics">/metrics</a>, checks: <a href="/readyz">/readyz</a>. ${again}.</p></footer>`;
}
