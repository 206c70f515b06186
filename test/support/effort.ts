/** How many times as much as usual tests try that could try more for ever: `npm run test:long` asks for 20 times. */
export const EFFORT = Number(process.env['UNDERSTUDY_TEST_EFFORT'] ?? 1);

/** Each n-th of some cases that resemble each other; with more effort, all. */
export const sample = <T>(cases: readonly T[], n: number): T[] => (EFFORT > 1 ? [...cases] : cases.filter((_, index) => index % n === 0));
