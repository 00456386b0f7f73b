/**
 * Writes all that is generated from the sources, or fails with `--check` where a file is not what they say. In one process
 * and one after the other: most read the same sources, and the contract reads the document.
 */
await import("./write-import-rules.ts");
await import("../server/scripts/write-openapi.ts");
await import("../sdk/scripts/write-contract.ts");
await import("../server/scripts/write-webhook-vectors.ts");
await import("../server/scripts/write-configuration.ts");
