import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/**
 * Computes the key of a passphrase and a salt once: it costs half a second of a core. The tests of a file open copies of one
 * seed dozens of times.
 */
const { scryptSync } = crypto;
const known = new Map<string, Buffer>();

crypto.scryptSync = (password, salt, length, options?: ScryptOptions) => {
  const name = JSON.stringify([
    String(password),
    Buffer.from(salt as Uint8Array).toString("hex"),
    length,
    options,
  ]);
  const key = known.get(name) ?? scryptSync(password, salt, length, options);
  known.set(name, key);
  return Buffer.from(key);
};
syncBuiltinESMExports();
