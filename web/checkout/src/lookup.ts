/** The service's answer about a transaction. */
export type Looked = {
  /** in the page's language */
  readonly text: string;
  /** undefined if the look-up itself was refused */
  readonly result: string | undefined;
  /** the wait before the next look-up */
  readonly retryMs: number;
};

/**
 * Submits the look-up form in the background and shows the result in its live region. The server renders the
 * result in the page's language.
 */
export function answerLookups(document: Document): void {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.ask === undefined) return;
    event.preventDefault();
    const place = form.parentElement?.querySelector("[data-answer]");
    const button = form.querySelector("button");
    if (!place || !button || button.disabled) return;
    place.textContent = "";
    button.disabled = true;
    const looked = await lookUp(String(new FormData(form).get("txHash")));
    place.textContent = looked?.text ?? form.dataset.failed ?? "";
    button.disabled = false;
  });
}

/** Asks the page's own address for a transaction. Undefined without an answer of the service. */
export async function lookUp(txHash: string): Promise<Looked | undefined> {
  try {
    const body = new URLSearchParams({ txHash });
    const answer = await fetch(location.href, { method: "POST", body, credentials: "omit" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const place = page.querySelector<HTMLElement>("[data-projection] [data-answer], main.problem p");
    if (place === null) return undefined;
    const { result, retry = answer.headers.get("retry-after") } = place.dataset;
    return { text: place.textContent ?? "", result, retryMs: 1_000 * (Number(retry) || 0) };
  } catch {
    return undefined;
  }
}
