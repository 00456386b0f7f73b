import { type Html, html } from "../runtime/html.ts";
import type { NodeBlock, NodeStatus, RateStatus } from "./status.ts";
import { countText, durationText } from "./text.ts";

/** Said longer ago than this it is told when. */
const FRESH_SECONDS = 10;

/** Every node, and what it says. */
export function nodesTable(nodes: readonly NodeStatus[] | undefined): Html | null {
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

/** Every rate, and what it is made of. */
export function ratesTable(rates: readonly RateStatus[] | undefined): Html | null {
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
