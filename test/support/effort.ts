/** Factor on the number of cases in tests that search without an end. `npm run test:long` sets it to 20. */
export const EFFORT = Number(process.env['UNDERSTUDY_TEST_EFFORT'] ?? 1);

/** Every n-th of similar cases. With more effort, all of them. */
export const sample = <T>(cases: readonly T[], n: number): T[] => (EFFORT > 1 ? [...cases] : cases.filter((_, index) => index % n === 0));
