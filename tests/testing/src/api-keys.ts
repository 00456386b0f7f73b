import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Environment } from "@daric/domain/api-scope";
import { newApiKey } from "@daric/merchants/api-key";
import { TEST_PEPPER } from "./context.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A valid test key without a merchant. */
export function anUnknownKey(environment: Environment = "test"): string {
  return newApiKey(TEST_PEPPER, environment).key;
}

/** A key of the older, forgeable form; by default with an unknown look-up id. */
export function anOldKey({
  environment = "test",
  lookupId = hex(16),
}: {
  environment?: Environment;
  lookupId?: string;
} = {}): string {
  const body = `daric_${environment}_sk_${lookupId}_${hex(43)}`;
  let rest = crc32(body);
  let check = "";
  for (let index = 0; index < 6; index += 1) {
    check = BASE62.charAt(rest % 62) + check;
    rest = Math.floor(rest / 62);
  }
  return body + check;
}

function hex(chars: number): string {
  return randomBytes(chars).toString("hex").slice(0, chars);
}
