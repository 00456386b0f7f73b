import type { Language } from "@daric/hosted-checkout/messages/languages";
import type { MessageNetwork } from "./letter.ts";

/** That the coins of a test network have no value; null on mainnet. */
export function testNotice(network: MessageNetwork, messages: Language["messages"]): string | null {
  if (network === "mainnet") return null;
  const { page, testNetworks } = messages;
  return `${page.test}: ${testNetworks[network]}. ${page.noCoinValue}`;
}
