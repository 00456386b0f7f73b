import { type Html, html } from "../checkout/page/html.ts";
import type { NodeStatus, RateStatus, SaidBlock } from "./status.ts";
import { countWords, spanWords } from "./words.ts";

/** Said longer ago than this it is told when. */
const FRESH_SECONDS = 10;

/** Every node, and what it says. */
export function nodesTable(nodes: readonly NodeStatus[] | undefined): Html | null {
  if (nodes === undefined) return null;
  const rows = nodes.map(
    ({ label, head, solid, failures, lastFailure }) => html`<tr><th scope="row">${label}</th>
<td data-name="Head">${saidWords(head)}</td>
<td data-name="Solid">${saidWords(solid)}</td>
<td data-name="Failures">${countWords(failures)}${lastFailure && html`<small>${lastFailure.words.replace(`${label}: `, "")}, ${spanWords(lastFailure.agoSeconds)} ago</small>`}</td></tr>`,
  );
  return html`<h2>Nodes</h2><table><thead><tr><th scope="col">Node</th><th scope="col">Head</th><th scope="col">Solid</th><th scope="col">Failures</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function saidWords(said: SaidBlock | undefined): Html {
  if (said === undefined) return html`<span class="soft">not said yet</span>`;
  const { number, ageSeconds, agoSeconds } = said;
  const when = agoSeconds > FRESH_SECONDS ? `, said ${spanWords(agoSeconds)} ago` : "";
  return html`${countWords(number)}<small>${spanWords(ageSeconds)} old${when}</small>`;
}

/** Every rate, and what it is made of. */
export function ratesTable(rates: readonly RateStatus[] | undefined): Html | null {
  if (rates === undefined) return null;
  const rows = rates.flatMap(({ currency, price, refusal, sources }) => [
    html`<tr><th scope="row">${currency}</th><td class="${price === undefined ? "bad" : "good"}">${price === undefined ? "no rate" : `${price} USD`}</td><td></td><td>${refusal}</td></tr>`,
    ...sources.map(
      (source) =>
        html`<tr><td class="part">${source.source}</td><td data-name="Price">${source.price ?? "none"}</td><td data-name="Age">${source.ageSeconds === undefined ? "" : spanWords(source.ageSeconds)}</td><td>${source.verdict}<small>${source.why}</small></td></tr>`,
    ),
  ]);
  return html`<h2>Rates</h2><table><thead><tr><th scope="col">Currency or source</th><th scope="col">Price</th><th scope="col">Age</th><th scope="col">Verdict</th></tr></thead><tbody>${rows}</tbody></table>`;
}
