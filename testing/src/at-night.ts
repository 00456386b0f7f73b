/** Whether `npm run test:nightly` runs: it also plays what takes too long for every change. */
export const isNight = process.env.NIGHTLY !== undefined;
