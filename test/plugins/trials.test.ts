import type { Dataset } from '../../src/sdk/types/dataset.js';
import { Understudy } from '../../src/sdk/testing/jest.js';
import { testEnvironment } from '../support/environment.js';
import { startTestServer } from '../support/server.js';

/* Programs as users of companion plugins write them, with tests that steer the site. */

const DATASET: Dataset = {
  users: [{ login: 'anna', role: 'editor', password: 'account of anna' }],
  acf_field_groups: [
    {
      title: 'Doors',
      location: 'tribe_events',
      fields: [
        { name: 'doors', type: 'time_picker', required: 1 },
        { name: 'seats', type: 'number', min: 1, max: 500 },
        { name: 'access', type: 'checkbox', choices: { ramp: 'Ramp', lift: 'Lift' } },
        { name: 'poster', type: 'image' },
      ],
    },
  ] as never,
  events: [{ title: 'Concert', slug: 'concert', start: '+1d 20:00', duration: '2h' }],
};

const server = startTestServer({
  dataset: DATASET,
  now: '2026-06-15T12:00:00Z',
  wordpress: '6.8',
  plugins: ['jwt-authentication-for-wp-rest-api', 'advanced-custom-fields'],
});
testEnvironment(() => ({ UNDERSTUDY_URL: server().url }));

let understudy: Understudy;
beforeAll(async () => {
  understudy = await Understudy.open();
});
afterEach(() => understudy.reset());
afterAll(() => understudy.close());

interface Shown {
  id: number;
  acf: Record<string, unknown>;
}

interface Refusal {
  code: string;
  message: string;
  data: { params?: Record<string, string> };
}

/** A front end that signs in, and asks for the password again once its token is not good any more. */
class FrontEnd {
  token: string | null = null;
  /** Messages that its page shows. */
  readonly messages: string[] = [];

  constructor(private readonly root: string) {}

  async signIn(username: string, password: string): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${this.root}/jwt-auth/v1/token`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ username, password }),
    });
    const { token = null, message = '' } = (await response.json()) as { token?: string; message?: string };
    this.token = token;
    if (token === null) this.messages.push(message.replace(/<[^>]*>/g, ''));
  }

  async send<T>(method: string, path: string, body?: object): Promise<T | Refusal> {
    const headers = { 'content-type': 'application/json', ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }) };
    const response = await fetch(`${this.root}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const answer = (await response.json()) as T | Refusal;
    if (response.status === 403 && (answer as Refusal).code.startsWith('jwt_auth_')) {
      this.token = null;
      this.messages.push('Please sign in again.');
    }
    return answer;
  }
}

test('a front end signs in, its token expires, and it asks for the password again', async () => {
  const front = new FrontEnd(understudy.restUrl);
  await front.signIn('anna', 'wrong');
  expect([front.token, front.messages.pop()]).toEqual([null, expect.stringContaining('password')]);
  await front.signIn('anna', 'account of anna');
  expect(await front.send('GET', '/wp/v2/users/me')).toMatchObject({ slug: 'anna' });
  await understudy.clock.advance('6 days');
  expect(await front.send('POST', '/wp/v2/posts', { title: 'News', status: 'publish' })).toMatchObject({ status: 'publish' });
  await understudy.clock.advance('2 days');
  expect(await front.send('POST', '/wp/v2/posts', { title: 'More' })).toMatchObject({ message: 'Expired token' });
  expect([front.token, front.messages]).toEqual([null, ['Please sign in again.']]);
  // What everybody may read is there without a token.
  expect(await front.send('GET', '/wp/v2/posts?_fields=title.rendered')).toEqual([{ title: { rendered: 'News' } }]);
  await front.signIn('anna', 'account of anna');
  expect(await front.send('POST', '/wp/v2/posts', { title: 'More' })).toMatchObject({ status: 'draft' });
});

/** An input of a form, as the schema of a field describes it. */
interface Input {
  required: boolean;
  kind: 'number' | 'choices' | 'text';
  error?: string;
}

interface Schema {
  required: boolean;
  type: string[];
  items?: { enum?: unknown[] };
}

/** A form for the fields of an event, which it knows from `OPTIONS`. */
class Form {
  inputs: Record<string, Input> = {};

  constructor(
    private readonly front: FrontEnd,
    private readonly path: string,
  ) {}

  async open(): Promise<void> {
    const { schema } = (await this.front.send('OPTIONS', this.path)) as {
      schema: { properties: { acf: { properties: Record<string, Schema> } } };
    };
    this.inputs = Object.fromEntries(
      Object.entries(schema.properties.acf.properties).map(([name, { required, type, items }]) => [
        name,
        { required, kind: items?.enum ? 'choices' : type.some((each) => each === 'number' || each === 'integer') ? 'number' : 'text' },
      ]),
    );
  }

  /** Sends values, and shows an error at its input. */
  async save(acf: object): Promise<Record<string, unknown> | null> {
    for (const input of Object.values(this.inputs)) delete input.error;
    const answer = await this.front.send<Shown>('POST', this.path, { acf });
    if ('acf' in answer) return answer.acf;
    const message = answer.data.params?.['acf'] ?? answer.message;
    const name = /^acf\[(\w+)\]/.exec(message)?.[1] ?? /^(\w+) is a required/.exec(message)?.[1] ?? '';
    this.inputs[name].error = message;
    return null;
  }

  get errors(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.inputs).flatMap(([name, { error }]) => (error === undefined ? [] : [[name, error]])));
  }
}

test('the form of an editor has the fields of an event, and shows errors at them', async () => {
  const front = new FrontEnd(understudy.restUrl);
  front.token = await understudy.token('editor');
  const [{ id }] = (await front.send<Shown[]>('GET', '/wp/v2/tribe_events?slug=concert')) as Shown[];
  const form = new Form(front, `/wp/v2/tribe_events/${id}`);
  await form.open();
  expect(form.inputs).toEqual({
    doors: { required: true, kind: 'text' },
    seats: { required: false, kind: 'number' },
    access: { required: false, kind: 'choices' },
    poster: { required: false, kind: 'number' },
  });
  const tries: [object, Record<string, string>][] = [
    [{ seats: 20 }, { doors: 'doors is a required property of acf.' }],
    [{ doors: '19:00:00', seats: 501 }, { seats: 'acf[seats] must be between 1 (inclusive) and 500 (inclusive)' }],
    [{ doors: '19:00:00', access: ['stairs'] }, { access: 'acf[access][0] is not one of ramp and lift.' }],
    [{ doors: '19:00:00', poster: 999 }, { poster: 'acf[poster] requires a valid attachment ID.' }],
  ];
  for (const [acf, errors] of tries) {
    expect(await form.save(acf)).toBeNull();
    expect(form.errors).toEqual(errors);
  }
  const saved = { doors: '19:00:00', seats: 120, access: ['ramp'], poster: null };
  expect(await form.save({ doors: '19:00:00', seats: '120', access: ['ramp'] })).toEqual(saved);
  expect(form.errors).toEqual({});
  expect(await front.send('GET', `/wp/v2/tribe_events/${id}?_fields=acf`)).toEqual({ acf: saved });
});
