/** Sets environment variables during the tests of a file. @param values called before the tests */
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
