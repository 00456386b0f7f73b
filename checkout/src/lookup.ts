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
    place.textContent = (await submit(form)) ?? form.dataset.failed ?? "";
    button.disabled = false;
  });
}

/** Submits the form. Returns the text of the result, or of the failure if the answer has no result. */
async function submit(form: HTMLFormElement): Promise<string | null | undefined> {
  try {
    const body = new URLSearchParams({ txHash: String(new FormData(form).get("txHash")) });
    const answer = await fetch(form.action, { method: "POST", body, credentials: "omit" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return (page.querySelector("[data-answer]") ?? page.querySelector("main p"))?.textContent;
  } catch {
    return undefined;
  }
}
