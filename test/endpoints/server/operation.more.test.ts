import { startCli } from '../../support/cli.js';
import { testDatabase } from '../../support/database.js';
import { http } from '../../support/http.js';
import { WORLD } from '../../support/api.js';

describe('serve', () => {
  const { address } = testDatabase();

  test('says as JSON where it is, and logs each request', async () => {
    const variables = { MONGODB_URI: address, UNDERSTUDY_LOG_FORMAT: 'json' };
    const server = startCli(['serve', '--port', '0', '--dataset', WORLD, '--ephemeral'], variables);
    const isSilent = (): boolean => !server.output().stdout.includes('\n');
    for (const deadline = performance.now() + 50_000; isSilent() && performance.now() < deadline;)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const said = JSON.parse(server.output().stdout) as { msg: string; url: string; apis: string[] };
    expect(said).toMatchObject({ level: 'info', msg: 'Understudy serves a calendar' });
    expect((await http('GET', `${said.apis[0]}/events?per_page=1`)).status).toBe(200);
    const { stderr } = await server.stop('SIGTERM');
    // Warnings about the dataset come before it.
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      method: 'GET',
      url: expect.stringContaining('/events?per_page=1') as string,
      status: 200,
    });
  });
});
