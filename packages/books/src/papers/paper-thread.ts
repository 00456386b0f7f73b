import { serveWorkerRpc } from "@daric/runtime/worker-rpc-server";
import type { PaperRequest } from "./papers.ts";
import { writeReceiptPaper } from "./receipt-paper.ts";
import { writeStatementPaper } from "./statement-paper.ts";

serveWorkerRpc<PaperRequest, Uint8Array>((asked) =>
  asked.kind === "receipt"
    ? writeReceiptPaper(asked.facts, asked.terms, asked)
    : writeStatementPaper(asked.facts, asked.terms, asked),
);
