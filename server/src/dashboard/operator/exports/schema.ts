import { z } from "zod";
import { bom } from "../../../http/validate.ts";

export const operatorExportQuery = z.object({ format: z.enum(["csv", "json"]).default("csv"), bom });
