/** response_code of protocol.Return, with the misspelling of real nodes. */
export type BroadcastCode =
  | "SIGERROR"
  | "CONTRACT_VALIDATE_ERROR"
  | "CONTRACT_EXE_ERROR"
  | "BANDWITH_ERROR"
  | "DUP_TRANSACTION_ERROR"
  | "TAPOS_ERROR"
  | "TOO_BIG_TRANSACTION_ERROR"
  | "TRANSACTION_EXPIRATION_ERROR"
  | "SERVER_BUSY";

/** `detail` is the node's inner text, `message` the one for clients. */
export class BroadcastRefusal extends Error {
  override readonly name = "BroadcastRefusal";
  readonly code: BroadcastCode;
  readonly detail: string;

  constructor(code: BroadcastCode, detail: string) {
    super(messageOf(code, detail));
    this.code = code;
    this.detail = detail;
  }
}

export function contractRefusal(detail: string): BroadcastRefusal {
  return new BroadcastRefusal("CONTRACT_VALIDATE_ERROR", detail);
}

/** Texts of java-tron's Wallet.broadcastTransaction. */
function messageOf(code: BroadcastCode, detail: string): string {
  switch (code) {
    case "SIGERROR":
      return `Validate signature error: ${detail}`;
    case "CONTRACT_VALIDATE_ERROR":
      return `Contract validate error : ${detail}`;
    case "CONTRACT_EXE_ERROR":
      return `Contract execute error : ${detail}`;
    case "BANDWITH_ERROR":
      return "Account resource insufficient error.";
    case "DUP_TRANSACTION_ERROR":
      return "Dup transaction.";
    case "TAPOS_ERROR":
      return "Tapos check error.";
    case "TOO_BIG_TRANSACTION_ERROR":
      return "Transaction size is too big.";
    case "TRANSACTION_EXPIRATION_ERROR":
      return "Transaction expired";
    case "SERVER_BUSY":
      return "Server busy.";
  }
}
