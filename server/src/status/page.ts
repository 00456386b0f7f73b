import { type Html, html } from "../runtime/html.ts";
import type {
  CheckStatus,
  ErrorStatus,
  NodeBlock,
  NodeStatus,
  ProcessStatus,
  RateStatus,
  Status,
} from "./status.ts";
import { style } from "./style.ts";
import { countText, durationText } from "./text.ts";
import { readingTiles, settlementPart, waitingTiles } from "./tiles.ts";

const REFRESH_SECONDS = 5;

/** The whole page, which reloads by itself unless it `isStill`. */
export function statusPage(status: Status, { isStill = false }: { isStill?: boolean } = {}): string {
  const faults = status.checks.filter(({ ok }) => !ok);
  const verdict = faults.length === 0 ? "Ready" : "Not ready";
  // The style is our own text and has no character that markup escapes.
  const page = html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${isStill ? null : html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`}<meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>${verdict}: Daric</title><style>%style%</style></head><body><main>
${heading(status, verdict)}
${faultList(faults)}
<h2>Reading the chain</h2>${readingTiles(status)}
<h2>Waiting</h2>${waitingTiles(status.waiting)}
${settlementPart(status.settlement)}
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

/** An older value is shown with its age. */
const FRESH_SECONDS = 10;

function nodesTable(nodes: readonly NodeStatus[] | undefined): Html | null {
  if (nodes === undefined) return null;
  const rows = nodes.map(
    ({ label, head, solid, failures, lastFailure }) => html`<tr><th scope="row">${label}</th>
<td data-name="Head">${reportedText(head)}</td>
<td data-name="Solid">${reportedText(solid)}</td>
<td data-name="Failures">${countText(failures)}${lastFailure && html`<small>${lastFailure.message.replace(`${label}: `, "")}, ${durationText(lastFailure.agoSeconds)} ago</small>`}</td></tr>`,
  );
  return html`<h2>Nodes</h2><table><thead><tr><th scope="col">Node</th><th scope="col">Head</th><th scope="col">Solid</th><th scope="col">Failures</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function reportedText(header: NodeBlock | undefined): Html {
  if (header === undefined) return html`<span class="soft">not said yet</span>`;
  const { number, ageSeconds, agoSeconds } = header;
  const when = agoSeconds > FRESH_SECONDS ? `, said ${durationText(agoSeconds)} ago` : "";
  return html`${countText(number)}<small>${durationText(ageSeconds)} old${when}</small>`;
}

function ratesTable(rates: readonly RateStatus[] | undefined): Html | null {
  if (rates === undefined) return null;
  const rows = rates.flatMap(({ currency, price, refusal, sources }) => [
    html`<tr><th scope="row">${currency}</th><td class="${price === undefined ? "bad" : "good"}">${price === undefined ? "no rate" : `${price} USD`}</td><td></td><td>${refusal}</td></tr>`,
    ...sources.map(
      (source) =>
        html`<tr><td class="part">${source.source}</td><td data-name="Price">${source.price ?? "none"}</td><td data-name="Age">${source.ageSeconds === undefined ? "" : durationText(source.ageSeconds)}</td><td>${source.verdict}<small>${source.why}</small></td></tr>`,
    ),
  ]);
  return html`<h2>Rates</h2><table><thead><tr><th scope="col">Currency or source</th><th scope="col">Price</th><th scope="col">Age</th><th scope="col">Verdict</th></tr></thead><tbody>${rows}</tbody></table>`;
}
