import type { Account } from "@daric/sdk/contract";

export type KeyScope = Account["scopes"][number];

/** The scopes that an assistant must not have: they promise money, choose where it goes, or read every event. */
const FORBIDDEN: readonly KeyScope[] = ["refunds:write", "refunds:address", "webhooks:write"];
const READS: readonly KeyScope[] = [
  "charges:read",
  "deposits:read",
  "refunds:read",
  "settlements:read",
  "webhooks:read",
];

/** Why the program does not start with this key, and how the right one is made; undefined if it starts. */
export function reasonToRefuse(
  { merchantId, scopes }: Pick<Account, "merchantId" | "scopes">,
  { canCreate }: { readonly canCreate: boolean },
): string | undefined {
  const wanted = canCreate ? [...READS, "charges:write"] : READS;
  const advice = `Make a key for the assistant alone: daric key create --merchant ${merchantId} --scopes ${wanted.join(",")}`;
  const tooMuch = FORBIDDEN.filter((scope) => scopes.includes(scope));
  if (tooMuch.length > 0)
    return `The key has ${tooMuch.join(" and ")}, which a key of an assistant must not have. ${advice}`;
  const tooLittle: KeyScope[] = canCreate ? ["charges:read", "charges:write"] : ["charges:read"];
  const missing = tooLittle.filter((scope) => !scopes.includes(scope));
  return missing.length > 0 ? `The key lacks ${missing.join(" and ")}. ${advice}` : undefined;
}
