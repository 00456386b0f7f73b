/** A page on the web that shows transactions of a network. */
type Explorer = { readonly id: string; readonly name: string; readonly pages: Record<string, string> };

export const explorers: readonly Explorer[] = [
  {
    id: "tronscan",
    name: "Tronscan",
    pages: {
      mainnet: "https://tronscan.org/#/transaction/",
      nile: "https://nile.tronscan.org/#/transaction/",
      shasta: "https://shasta.tronscan.org/#/transaction/",
    },
  },
  { id: "oklink", name: "OKLink", pages: { mainnet: "https://www.oklink.com/tron/tx/" } },
];

/** The page of a transaction; undefined if no explorer knows the network, as for a local chain. */
export function transactionUrl(txHash: string, network: string, chosen: string | null): string | undefined {
  const known = explorers.filter(({ pages }) => pages[network] !== undefined);
  const explorer = known.find(({ id }) => id === chosen) ?? known[0];
  const page = explorer?.pages[network];
  return page === undefined ? undefined : `${page}${txHash}`;
}
