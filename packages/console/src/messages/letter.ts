import type { Language } from "@daric/hosted-checkout/messages/languages";

/** A message to a person, ready to send. Neither text names a page but ours. */
export type Letter = {
  /** one line of at most 150 characters */
  readonly subject: string;
  /** all that the HTML part says, readable alone */
  readonly text: string;
  /** a whole document that loads nothing */
  readonly html: string;
  readonly attachments: readonly Attachment[];
  /** One or two lines for a chat: amount, reference and link. It is plain text: a chat that reads markup needs it escaped. */
  readonly short: string;
};

export type Attachment = {
  readonly filename: string;
  readonly content: Buffer;
  readonly contentType: string;
  /** the name by which the HTML part shows it */
  readonly cid?: string;
};

/** The network of the money. On any but mainnet a message says that it is a test. */
export type MessageNetwork = "mainnet" | keyof Language["messages"]["testNetworks"];
