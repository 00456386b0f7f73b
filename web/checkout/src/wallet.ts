import { askWallet, findWallet, type WithWallet } from "./ask-wallet.ts";
import { type Followed, type FollowedPage, followTransaction, keepFollowed } from "./follow-transaction.ts";
import type { PageTexts } from "./texts.ts";

/**
 * Shows the wallet button, and starts its payment. The wallet itself asks the payer. Its answers after the
 * signature prove nothing: the page follows the transaction on the chain, also after a reload of the tab. Returns a
 * function to call after each new page.
 */
export function offerWallet(
  document: Document,
  texts: PageTexts,
  page: Pick<FollowedPage, "clock" | "lookUp" | "seen">,
): () => void {
  const kept = keepFollowed(location.pathname);
  const window = document.defaultView as WithWallet;
  let isBusy = false;
  let said: string | undefined;
  const show = () => {
    const button = document.querySelector<HTMLButtonElement>("[data-wallet]");
    if (button === null) return;
    if (findWallet(window) !== undefined) button.hidden = false;
    button.disabled = isBusy;
    const place = document.getElementById("wallet-says");
    if (place !== null && place.textContent !== (said ?? "")) place.textContent = said ?? "";
  };
  const say = (text: string | undefined) => {
    said = text;
    show();
  };
  const during = async (work: () => Promise<string | undefined>) => {
    isBusy = true;
    const text = await work();
    isBusy = false;
    say(text);
  };
  const follow = async (followed: Followed) => {
    kept.write(followed);
    say(texts.walletLooks);
    const parts = {
      ...page,
      pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
      offersPayment: () => document.querySelector("[data-wallet]") !== null,
    };
    const text = await followTransaction(followed, parts, texts);
    kept.write(undefined);
    return text;
  };
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>("[data-wallet]") : null;
    const wallet = findWallet(window);
    if (button === null || wallet === undefined || isBusy) return;
    void during(async () => {
      say(texts.walletAsks);
      const { wallet: to = "", units = "", contract = "", genesis = "" } = button.dataset;
      const outcome = await askWallet({ to, units, contract, genesis }, wallet, window);
      if (typeof outcome === "object") return follow(outcome);
      return outcome === "refused" ? texts.walletRefused : texts.walletOnOtherNetwork;
    });
  });
  const pending = kept.read();
  if (pending !== undefined) void during(() => follow(pending));
  show();
  return show;
}
