import type { Messages } from "./catalogue.ts";

/** Who has read a translation and found it right: nobody yet, or a person on a day. No payer is told. */
type Review = "unreviewed" | { readonly by: string; readonly on: string };

/** A catalogue in another language than that in which the texts are written first. */
export type Translation = Messages & {
  /** what those who read the language call it */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  readonly review: Review;
};
