import type { Token } from "@daric/server/domain/asset";

/** The USDT token of this network. @throws Error if the network has none. */
export function usdtOn({ tokens }: { readonly tokens: readonly Token[] }): Token {
  const token = tokens.find(({ currency }) => currency === "USDT");
  if (token === undefined) throw new Error("this network has no USDT");
  return token;
}
