/** The request that the document sends before the program has loaded. */
export const FIGURES = "GET /dashboard/v1/home";
