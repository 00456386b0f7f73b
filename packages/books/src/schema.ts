import { paymentFilters } from "@daric/charges/list-filter-store";
import { currencies } from "@daric/domain/asset";
import { chargeKinds, chargeStatuses } from "@daric/domain/charge";
import type { CsvMarks } from "@daric/domain/csv";
import { refundStatuses } from "@daric/domain/refund";
import { settlementStatuses } from "@daric/domain/sweep";
import { moment } from "@daric/http/moment";
import { bom, csvMarks, text, uuid } from "@daric/http/validate";
import { z } from "zod";
import { fileFormats } from "./files/export.ts";

const MAX_REFERENCE_CHARS = 120;

/** How a file is written. The marks count in CSV alone. */
export const fileQuery = z.object({
  format: z
    .enum(fileFormats)
    .default("csv")
    .meta({ description: "The kind of file. XLSX is for spreadsheets, JSON for programs." }),
  bom,
  ...csvMarks,
});

/** The query of a file of a list that has a time. */
export const rangedQuery = fileQuery.extend({ from: moment.optional(), to: moment.optional() });

/** The query of each list of a merchant's business: the filters of its page. */
export const exportQueries = {
  payments: rangedQuery.extend({
    kind: z.enum(chargeKinds).optional(),
    status: z.enum(chargeStatuses).optional(),
    payment: z.enum(paymentFilters).optional(),
    reference: text(MAX_REFERENCE_CHARS)
      .min(1, "must not be empty")
      .optional()
      .meta({
        description: "How `order_ref` begins, letter by letter.",
        examples: ["A-10"],
      }),
    paymentLinkId: uuid("paymentLink").optional(),
    payerRef: text(MAX_REFERENCE_CHARS)
      .optional()
      .meta({ examples: ["newsletter"] }),
  }),
  refunds: rangedQuery.extend({
    status: z.enum(refundStatuses).optional(),
    depositAddressId: uuid("charge").optional(),
  }),
  settlements: rangedQuery.extend({
    status: z.enum(settlementStatuses).optional(),
    currency: z.enum(currencies).optional(),
  }),
  fees: rangedQuery,
  journal: rangedQuery,
  deposits: rangedQuery,
  deliveries: rangedQuery,
  events: rangedQuery,
  endpoints: rangedQuery,
} as const;

const MAX_LANGUAGE_CHARS = 64;
export const receiptQuery = z.object({
  language: text(MAX_LANGUAGE_CHARS)
    .default("en")
    .meta({ description: "The language of the receipt.", examples: ["pt-BR"] }),
});

type FileQuery = z.output<typeof fileQuery>;

/** How the file is written, and the filters of its list. */
export function splitQuery<Query extends FileQuery>({
  format,
  bom: reader,
  separator,
  decimal,
  ...filter
}: Query) {
  return { file: { format, reader, marks: { separator, decimal } satisfies CsvMarks }, filter };
}
