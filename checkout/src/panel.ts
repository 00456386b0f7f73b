/** Runs the test panel of a devnet: each button makes the chain pay, and the answer is shown. */
export function runPanel(document: Document): void {
  const panel = document.querySelector<HTMLElement>("[data-simulate]");
  if (panel === null) return;
  const { simulate = "", sent = "", failed = "" } = panel.dataset;
  panel.hidden = false;
  panel.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-case]") : null;
    const place = panel.querySelector("[data-answer]");
    if (button === null || place === null) return;
    place.textContent = "…";
    const fault = await pay(simulate, button.dataset.case ?? "");
    place.textContent = fault === undefined ? sent : `${failed} ${fault}`;
  });
}

/** Undefined after a payment; else the server's message for developers. */
async function pay(url: string, name: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ case: name }),
      credentials: "omit",
    });
    return answer.ok ? undefined : ((await answer.json()) as { message?: string }).message;
  } catch {
    return "";
  }
}
