import { z } from "zod";

export const exportQuery = z.object({ format: z.enum(["csv", "json"]).default("csv") });
