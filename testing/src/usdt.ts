import type { Token } from "@daric/server/domain/asset";

/** USDT on this network. @throws Error where it has none. */
export function usdtOn({ tokens }: { readonly tokens: readonly Token[] }): Token {
  const token = tokens.find(({ currency }) => currency === "USDT");
  if (token === undefined) throw new Error("this network has no USDT");
  return token;
}
