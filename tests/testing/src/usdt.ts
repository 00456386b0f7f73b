import type { Token } from "@daric/domain/asset";
import { hexToAddress } from "@daric/tron/address";

/** The USDT token of this network. @throws Error if the network has none. */
export function usdtOn({ tokens }: { readonly tokens: readonly Token[] }): Token {
  const token = tokens.find(({ currency }) => currency === "USDT");
  if (token === undefined) throw new Error("this network has no USDT");
  return token;
}

/** The tokens of a chain whose only accepted one is USDT, at this contract (`41…`). */
export function usdtAt(contractHex: string): readonly Token[] {
  return [{ currency: "USDT", contract: hexToAddress(contractHex), contractHex }];
}
