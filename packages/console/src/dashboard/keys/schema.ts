import { apiScopes, type Environment } from "@daric/domain/api-scope";
import { timestamp } from "@daric/http/validate";
import { keyPrefix } from "@daric/merchants/api-key";
import type { ApiKey } from "@daric/merchants/api-key-store";
import { z } from "zod";

const id = z.string().meta({ format: "uuid" });
const scope = z.enum(apiScopes);
const MAX_TEXT = 200;
/** Each field has its own rule beside. */
const formText = z.string().max(MAX_TEXT);

export const keyRow = z.object({
  id,
  prefix: z.string().meta({ description: "The public part, by which a leaked key is found." }),
  name: z.string().nullable(),
  scopes: z.array(scope),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
});
export const issuedKey = keyRow.extend({
  key: z.string().meta({ description: "The whole key. No other answer has it." }),
});
export const rotatedKey = issuedKey.extend({ previous_id: id, previous_expires_at: timestamp.nullable() });

export function toKeyRow(key: ApiKey, environment: Environment): z.input<typeof keyRow> {
  return {
    id: key.id,
    prefix: keyPrefix({ environment, lookupId: key.lookupId }),
    name: key.name,
    scopes: [...key.scopes],
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}

export const keyBody = z.object({
  name: formText.exactOptional(),
  scopes: z.array(scope).exactOptional(),
  expiresIn: formText.exactOptional().meta({ examples: ["90d"] }),
});
export const rotationBody = z.object({ overlap: formText.exactOptional().meta({ examples: ["24h"] }) });

export const shopCode = z.object({
  code: z.string().meta({ pattern: "^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$" }),
  expires_at: timestamp,
  service_url: z
    .string()
    .nullable()
    .meta({ description: "The address of the service, which the shop asks for." }),
});
