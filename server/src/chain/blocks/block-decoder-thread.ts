import { serveWorkerRpc } from "../../runtime/worker-rpc-server.ts";
import { memoryOf, validateBlock } from "./raw-block-response.ts";

serveWorkerRpc(validateBlock, ({ answers }) => memoryOf(answers));
