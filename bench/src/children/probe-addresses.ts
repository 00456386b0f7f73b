import { randomBytes } from "node:crypto";
import { openDatabase } from "@daric/postgres/database";
import { findOwners } from "@daric/server/addresses/directory-store";
import { processVariables } from "@daric/server/config";
import { workWhenTold } from "./tell.ts";

/** What is asked of the database for each block: who owns the addresses in it. Of mainnet's blocks they are nobody's. */
const ADDRESSES = 430;
const db = openDatabase({ url: processVariables().DATABASE_URL ?? "", max: 1, onError: () => {} });

workWhenTold(async (extent) => {
  const startedMs = performance.now();
  const endMs = "seconds" in extent ? startedMs + extent.seconds * 1_000 : Number.POSITIVE_INFINITY;
  const count = "count" in extent ? extent.count : Number.POSITIVE_INFINITY;
  let done = 0;
  for (; done < count && performance.now() < endMs; done += 1) {
    const hashes = Array.from({ length: ADDRESSES }, () => randomBytes(20));
    const found = await findOwners(db, hashes);
    if (found.length > 0) throw new Error("an address that was drawn by chance has an owner");
  }
  return { done, elapsedMs: performance.now() - startedMs };
});
