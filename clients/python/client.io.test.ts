import { FOREIGN_TESTS_MS, pythonClient } from "@daric/testing/foreign-client";
import { startVectorService } from "@daric/testing/vector-service";
import { expect, it } from "vitest";

it.skipIf(!pythonClient.isHere)(
  "the Python client passes its tests and obeys the vectors (skipped where python3 lacks httpx)",
  async () => {
    const service = await startVectorService();
    await pythonClient.test({ DARIC_VECTORS_URL: service.url });
    expect([...service.faultsOf("sync"), ...service.faultsOf("async")]).toEqual([]);
    await service.close();
  },
  FOREIGN_TESTS_MS,
);
