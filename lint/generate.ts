/**
 * Writes all generated files, or fails with `--check` if one is out of date. One process, one step after the
 * other: most steps read the same sources, and the contract reads the document.
 */
await import("../apps/daric/scripts/write-openapi.ts");
await import("../clients/typescript/scripts/write-contract.ts");
await import("../clients/generate/write-clients.ts");
await import("../apps/daric/scripts/write-webhook-vectors.ts");
await import("../apps/daric/scripts/write-configuration.ts");
await import("../apps/daric/scripts/write-alerts.ts");
