import { afterEach } from "vitest";
import { requireDocumentedAnswers, watchApps, watchFetches } from "./checked-answers.ts";

watchFetches();
watchApps();
afterEach(requireDocumentedAnswers);
