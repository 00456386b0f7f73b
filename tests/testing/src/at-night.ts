/** Whether `npm run test:nightly` runs, which includes tests too slow for every change. */
export const isNight = process.env.NIGHTLY !== undefined;
