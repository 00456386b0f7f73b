import { zero } from "../../domain/money.ts";
import type { PageView } from "./view.ts";

const GREEN = "#16a34a";
const AMBER = "#d97706";

/**
 * The sign of the tab, drawn for 16 pixels: a coin with a check; money that has been found puts a dot on it, amber, and green once
 * it is paid, for a payer who is in the wallet meanwhile. It stands in the page itself, so that it costs no request.
 */
export function iconOf(view?: PageView): string {
  const dot = view === undefined || view.received === zero ? "" : dotOf(view.isReceipt);
  const svg =
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><circle cx='16' cy='16' r='15' fill='#0f766e'/>" +
    "<path d='m9.5 16.5 4.5 4.5 8.5-9.5' fill='none' stroke='#fff' stroke-width='3.2' stroke-linecap='round' stroke-linejoin='round'/>" +
    `${dot}</svg>`;
  return `data:image/svg+xml,${svg.replace(/[<>#]/g, encodeURIComponent)}`;
}

function dotOf(isPaid: boolean): string {
  return `<circle cx='25' cy='7' r='6.5' fill='${isPaid ? GREEN : AMBER}' stroke='#fff' stroke-width='1.5'/>`;
}
