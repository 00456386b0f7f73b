import { AnswerError, readObject } from "./read-json.ts";

/**
 * Whether the chain has this account: an address that nobody ever activated is answered with an empty object.
 *
 * @throws AnswerError for an answer that is neither that nor the account of this address (hex, `41…`).
 */
export function parseIsAccount(answer: unknown, addressHex: string): boolean {
  const account = readObject(answer, "account");
  if (account.address === addressHex) return true;
  if (Object.keys(account).length === 0) return false;
  throw new AnswerError("the account is that of another address");
}
