import { serveWorkerRpc } from "../runtime/worker-rpc-server.ts";
import { deriveRange } from "./derive-range.ts";

serveWorkerRpc(deriveRange);
