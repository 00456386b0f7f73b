import type { Grants } from "@daric/postgres/grants";

/** The rights of the signer's role: read its requests, and write its results, its list and its state. */
export const signerGrants = {
  signing_requests: {},
  signing_results: { insert: true },
  signer_destinations: { insert: true },
  signer_state: { select: false, insert: true, update: ["seen_at", "state"] },
} as const satisfies Grants;
