import { findOwners } from "@daric/addresses/directory-store";
import { findGasWallets } from "@daric/addresses/gas-wallet-store";
import type { Currency } from "@daric/domain/asset";
import type { Queryable } from "@daric/postgres/sql";
import { parseAddress } from "@daric/tron/address";

/** Why an address takes no refund. `unusable` is said of ours too: the words must not tell which addresses are. */
export type PayeeFault =
  | { readonly is: "noAddress" | "mistyped" | "contract" | "unusable" }
  | { readonly is: "otherChain"; readonly chain: string }
  | { readonly is: "blacklisted"; readonly currency: Currency };

const otherChains: readonly (readonly [RegExp, string])[] = [
  [/^0x[0-9a-f]{40}$/i, "Ethereum"],
  [/^(bc1[0-9a-z]{11,71}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/, "Bitcoin"],
  [/^[LM][1-9A-HJ-NP-Za-km-z]{26,33}$|^ltc1[0-9a-z]{39,59}$/, "Litecoin"],
  [/^[EU]Q[0-9A-Za-z_-]{46}$/, "TON"],
  [/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/, "XRP"],
  [/^[1-9A-HJ-NP-Za-km-z]{43,44}$/, "Solana"],
];

/** Why a text is no address of TRON; undefined for one in its only form. */
function faultOfText(text: string): PayeeFault | undefined {
  const parsed = parseAddress(text);
  if (parsed.ok) return undefined;
  const other = otherChains.find(([form]) => form.test(text));
  if (other !== undefined) return { is: "otherChain", chain: other[1] };
  const isMistyped =
    parsed.problem === "wrong_checksum" || (parsed.problem === "not_base58" && text.length === 34);
  return { is: isMistyped ? "mistyped" : "noAddress" };
}

/** Why an address takes no refund, as far as the database knows; undefined where it may. */
export async function faultOfPayee(db: Queryable, text: string): Promise<PayeeFault | undefined> {
  const fault = faultOfText(text);
  const parsed = parseAddress(text);
  if (fault !== undefined || !parsed.ok) return fault;
  const owners = await findOwners(db, [Buffer.from(parsed.hex.slice(2), "hex")]);
  const isOurs = owners.length > 0 || (await findGasWallets(db)).has(parsed.hex);
  return isOurs ? { is: "unusable" } : undefined;
}

/** The fault in English, for `details` of an answer. */
export function payeeFaultText(fault: PayeeFault): string {
  switch (fault.is) {
    case "otherChain":
      return `is an address of ${fault.chain}: this refund goes to an address of TRON, which begins with T`;
    case "mistyped":
      return "has a wrong character: copy the whole address again";
    case "noAddress":
      return "must be an address of TRON: 34 characters that begin with T";
    case "contract":
      return "is a contract, not a wallet: its money may be lost";
    case "blacklisted":
      return `is blacklisted by ${fault.currency}: its money could never leave`;
    case "unusable":
      return "cannot take this refund: use the address of a wallet of your own";
  }
}
