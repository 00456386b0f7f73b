import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface ProvidedContext {
    /** the seed of property tests */
    seed: number;
  }
}

fc.configureGlobal({ seed: inject("seed") });
