import type { Database } from "@daric/postgres/sql";
import { findFaultOfXpub } from "../deployment/connect-network.ts";
import { variableOf } from "../process/config.ts";
import { type Trial, untried } from "./config-findings.ts";
import { failureLines } from "./failure.ts";
import type { ReadValues } from "./validate-settings.ts";
import { withNodes } from "./with-nodes.ts";

/**
 * Tries whether another database has used the xpub, which a start refuses. `db` is undefined before the first migration. No finding
 * without an xpub.
 */
export async function tryXpub(db: Database | undefined, { addresses, chain }: ReadValues): Promise<Trial[]> {
  const xpub = addresses.accountXpub;
  // Missing and invalid values are undefined, whatever the type.
  if (!xpub || !chain.nodeUrls || !chain.solidityUrls || !chain.network) return [];
  const trial = `${variableOf("addresses.accountXpub")} is used here alone`;
  try {
    const fault = await withNodes(chain, (nodes) => findFaultOfXpub(db, nodes, { xpub, unused: new Set() }));
    if (fault === undefined) return [{ trial, verdict: "OK", words: "no other database is known" }];
    return [{ trial, verdict: "fault", words: fault }];
  } catch (error) {
    return [untried(trial, failureLines(error).join("; "))];
  }
}
