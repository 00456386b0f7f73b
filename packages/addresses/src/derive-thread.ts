import { serveWorkerRpc } from "@daric/runtime/worker-rpc-server";
import { deriveRange } from "./derive-range.ts";

serveWorkerRpc(deriveRange);
