import { serveWorkerRpc } from "../../runtime/worker-rpc-server.ts";
import { memoryOf, validateBlock } from "./raw-block-response.ts";

// What `block-decoder.ts` starts as a thread.

serveWorkerRpc(validateBlock, ({ answers }) => memoryOf(answers));
