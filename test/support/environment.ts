/** Environment variables for the tests of a file. @param values called when they start */
export function testEnvironment(values: () => Record<string, string>): void {
  let names: string[] = [];
  beforeAll(() => {
    const given = values();
    names = Object.keys(given);
    Object.assign(process.env, given);
  });
  afterAll(() => {
    for (const name of names) delete process.env[name];
  });
}
