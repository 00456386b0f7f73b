import { text, timestamp } from "@daric/http/validate";
import { z } from "zod";
import type { Passkey } from "../person-store.ts";
import { code, encoded, MAX_CODE_CHARS, name, password } from "../schema.ts";

/** The answer of `navigator.credentials.create`. */
const attestation = z.object({
  id: encoded,
  rawId: encoded,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z
      .array(z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]))
      .exactOptional(),
  }),
  clientExtensionResults: z.object({}).default({}),
});

export const passwordBody = z.object({ password, code: code.optional(), newPassword: password });
export const nameBody = z.object({ name });
export const totpBody = z.object({ secret: text(MAX_CODE_CHARS), code });
export const newPasskeyBody = z.object({ name, response: attestation });

export const passkeyRow = z.object({
  id: z.string(),
  name: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});

export function toPasskeyRow(row: Passkey): z.input<typeof passkeyRow> {
  return {
    id: row.id,
    name: row.name,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}
