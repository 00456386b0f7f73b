import type { NetworkAccess } from "@daric/egress/guarded-dial";
import type { Context } from "./context.ts";
import { createPost, type Post } from "./post-json.ts";
import { sealKeysOf } from "./seal-secret.ts";
import { createSigningKeys, type FindSigningKeys } from "./signing-keys.ts";

/** Everything that signs and sends: the keys of endpoints, and the connections to them. */
export type Sender = {
  readonly keysOf: FindSigningKeys;
  readonly post: Post;
  /** for the line of each attempt: no field can hold a secret, so it skips redaction, which costs four times the line */
  readonly log: Context["log"];
};

export function createSender(
  context: Pick<Context, "config" | "clock" | "log">,
  access?: NetworkAccess,
): Sender {
  return {
    log: context.log.child({}, { redact: [] }),
    keysOf: createSigningKeys(sealKeysOf(context.config.webhooks)),
    post: createPost(context, access),
  };
}
