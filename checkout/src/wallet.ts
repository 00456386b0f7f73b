import type { PageTexts } from "./texts.ts";

/** The part of TronWeb that a payment needs. */
type TronWeb = {
  readonly defaultAddress: { readonly base58: string | false };
  readonly transactionBuilder: {
    sendTrx(to: string, units: number, from: string): Promise<unknown>;
    triggerSmartContract(
      contract: string,
      call: string,
      options: { feeLimit: number },
      values: readonly { type: string; value: string }[],
      from: string,
    ): Promise<{ transaction: unknown }>;
  };
  readonly trx: {
    getBlock(number: number): Promise<{ blockID: string }>;
    sign(transaction: unknown): Promise<unknown>;
    sendRawTransaction(signed: unknown): Promise<{ result?: boolean }>;
  };
};
/** The objects that TronLink and similar wallets inject. */
type Wallet = {
  readonly tronWeb?: TronWeb | false;
  request(wanted: { method: string }): Promise<unknown>;
};
type WithWallet = Window & { tron?: Wallet; tronLink?: Wallet; tronWeb?: TronWeb };

const APPEARS = "tronLink#initialized";
/**
 * The most energy burnt for a transfer, in sun: a transfer to an address without USDT needs less than a
 * third.
 */
const FEE_LIMIT = 100_000_000;

/**
 * Shows the wallet button if the browser has a wallet, also a late one, and starts the payment of the button.
 * The wallet itself asks the payer. On another network the payer sees a message and nothing is signed.
 */
export function offerWallet(document: Document, texts: PageTexts): () => void {
  const window = document.defaultView as WithWallet;
  const walletOf = () => window.tron ?? window.tronLink;
  const show = () => {
    if (walletOf() !== undefined) document.getElementById("wallet")?.removeAttribute("hidden");
  };
  window.addEventListener(APPEARS, show);
  document.addEventListener("click", async (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLButtonElement>("[data-wallet]") : null;
    const wallet = walletOf();
    if (button === null || wallet === undefined) return;
    const display = (text: string | undefined) => {
      const [label] = button.children;
      if (label && text) label.textContent = text;
    };
    button.disabled = true;
    display(texts.walletAsks);
    const outcome = await pay(button.dataset, wallet, window).catch(() => "refused" as const);
    // A payment is not sent twice: the button returns with the page's next state.
    button.disabled = outcome === "sent";
    display(
      { sent: texts.walletSent, refused: texts.walletRefused, elsewhere: texts.walletOnOtherNetwork }[
        outcome
      ],
    );
  });
  show();
  return show;
}

async function pay(
  wanted: DOMStringMap,
  wallet: Wallet,
  window: WithWallet,
): Promise<"sent" | "refused" | "elsewhere"> {
  const method = wallet === window.tron ? "eth_requestAccounts" : "tron_requestAccounts";
  await wallet.request({ method });
  const tronWeb = wallet.tronWeb || window.tronWeb;
  if (!tronWeb || tronWeb.defaultAddress.base58 === false) return "refused";
  const { blockID } = await tronWeb.trx.getBlock(0);
  if (blockID !== wanted.genesis) return "elsewhere";
  const transaction = await transferOf(wanted, tronWeb, tronWeb.defaultAddress.base58);
  const { result } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction));
  return result === true ? "sent" : "refused";
}

async function transferOf(
  { wallet: to = "", units = "", contract }: DOMStringMap,
  { transactionBuilder }: TronWeb,
  from: string,
): Promise<unknown> {
  if (!contract) return transactionBuilder.sendTrx(to, Number(units), from);
  const values = [
    { type: "address", value: to },
    { type: "uint256", value: units },
  ];
  const options = { feeLimit: FEE_LIMIT };
  const call = "transfer(address,uint256)";
  return (await transactionBuilder.triggerSmartContract(contract, call, options, values, from)).transaction;
}
