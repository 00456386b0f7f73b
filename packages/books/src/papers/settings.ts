import { setting } from "@daric/runtime/setting";
import { z } from "zod";

export const bookSettings = {
  fontFile: setting({
    env: "PDF_FONT_FILE",
    read: z.string().optional(),
    default: "none: Chinese receipts and statements are in English",
    roles: ["api"],
    meaning:
      "The path of a font (TTF or OTF) with Chinese letters, such as Noto Sans SC, for PDFs in Chinese and for names in Chinese.",
  }),
};
