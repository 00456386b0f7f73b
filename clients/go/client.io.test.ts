import { FOREIGN_TESTS_MS, goClient } from "@daric/testing/foreign-client";
import { startVectorService } from "@daric/testing/vector-service";
import { expect, it } from "vitest";

it.skipIf(!goClient.isHere)(
  "the Go client passes its tests and obeys the vectors (skipped where go is missing or older than 1.21)",
  async () => {
    const service = await startVectorService();
    await goClient.test({ DARIC_VECTORS_URL: service.url });
    expect(service.faultsOf("go")).toEqual([]);
    await service.close();
  },
  FOREIGN_TESTS_MS,
);
