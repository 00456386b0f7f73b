/**
 * Writes all generated files, or fails with `--check` if one is out of date. One process, one step after the
 * other: most steps read the same sources, and the contract reads the document.
 */
await import("../server/scripts/write-openapi.ts");
await import("../sdk/scripts/write-contract.ts");
await import("../server/scripts/write-webhook-vectors.ts");
await import("../server/scripts/write-configuration.ts");
await import("../server/scripts/write-alerts.ts");
