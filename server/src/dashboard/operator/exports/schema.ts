import { z } from "zod";

export const operatorExportQuery = z.object({ format: z.enum(["csv", "json"]).default("csv") });
