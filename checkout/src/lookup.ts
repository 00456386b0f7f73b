/**
 * Lets the form that looks a transaction up be answered in its live region instead of by a page of its own: the server's
 * page of that answer says it, in the page's own language.
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

/** Of a page that has no answer, the reason that it gives. */
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
