import { FOREIGN_TESTS_MS, phpClient } from "@daric/testing/foreign-client";
import { startVectorService } from "@daric/testing/vector-service";
import { expect, it } from "vitest";

it.skipIf(!phpClient.isHere)(
  "the PHP client passes its tests and obeys the vectors (skipped where php or its curl is missing)",
  async () => {
    const service = await startVectorService();
    await phpClient.test({ DARIC_VECTORS_URL: service.url });
    expect(service.faultsOf("php")).toEqual([]);
    await service.close();
  },
  FOREIGN_TESTS_MS,
);
