import type { MacKind } from "@daric/runtime/mac";
import { SETTINGS } from "./settings.ts";

const BLOCK_BYTES = 64;

/** The service's `macOf` in SQL, under the benches' key; `parts` are expressions of ASCII text. */
export function macInSql(kind: MacKind, parts: readonly string[]): string {
  const key = Buffer.alloc(BLOCK_BYTES);
  Buffer.from(SETTINGS.DARIC_INTEGRITY_KEY, "hex").copy(key);
  const padded = (pad: number) => `'\\x${Buffer.from(key.map((byte) => byte ^ pad)).toString("hex")}'::bytea`;
  const hashed = [`'daric ${kind} 1'`, ...parts].map(
    (part) => `length((${part})::text) || ':' || (${part})::text`,
  );
  const message = `convert_to(${hashed.join(" || ")}, 'utf8')`;
  return `sha256(${padded(0x5c)} || sha256(${padded(0x36)} || ${message}))`;
}
