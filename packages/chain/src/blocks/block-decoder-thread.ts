import { serveWorkerRpc } from "@daric/runtime/worker-rpc-server";
import { memoryOf, validateBlock } from "./raw-block-response.ts";

serveWorkerRpc(validateBlock, ({ answers }) => memoryOf(answers));
