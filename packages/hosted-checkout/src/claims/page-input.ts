import type { PayeeFault } from "@daric/refunds/vet-address";
import type { Language } from "../messages/languages.ts";
import type { Operator } from "../page/operator.ts";
import type { NetworkLabel } from "../page/view.ts";
import type { ShownClaim } from "./schema.ts";

/** The fault of a typed address; `unchecked` while no node answers. */
export type ClaimFault = PayeeFault | { readonly is: "missing" | "unchecked" };

/** An address between the two steps of the form. */
export type AddressToConfirm = {
  readonly address: string;
  readonly hasPaidOrder: boolean;
  readonly isNew: boolean;
};

export type ClaimPageInput = {
  readonly claim: ShownClaim;
  readonly typed: string;
  readonly fault: ClaimFault | undefined;
  /** to be confirmed; the page asks for an address without it */
  readonly checked: AddressToConfirm | undefined;
  /** another address was sent to a link that has taken one */
  readonly isTooLate: boolean;
  readonly network: NetworkLabel;
  readonly language: Language;
  readonly languages: readonly Language[];
  readonly operator: Operator | undefined;
};
