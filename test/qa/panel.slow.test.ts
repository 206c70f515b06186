import { readFileSync } from 'node:fs';
import { signIn, WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import { Model, openPage, PRESETS, QUICK, type PanelPage } from './panel-page.mjs';

const TOKEN = 'open-sesame';
const server = startTestServer({ dataset: WORLD, profile: 'standard', qaToken: TOKEN, now: '2026-06-15T12:00:00Z' });
const API = '/wp-json/tribe/events/v1';

/** Headers that `fetch` sends. */
const CURL = "-H 'accept: */*' -H 'accept-language: *' -H 'sec-fetch-mode: cors' -H 'user-agent: node'";

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server().url}${path}`, { headers, redirect: 'manual' });
const qa = async (path: string): Promise<Record<string, unknown>> =>
  (await (await get(`/__qa/${path}`, { 'x-understudy-token': TOKEN })).json()) as Record<string, unknown>;

describe('using the page', () => {
  let page: PanelPage;
  beforeAll(async () => {
    page = await openPage(`${server().url}/__qa/ui`, ['wrong', TOKEN]);
  });
  afterAll(() => page.end());
  afterEach(() => page.requests());

  test('requests the token until it is correct, once for all requests', () => {
    expect(page.asked).toEqual(['', 'Invalid token.']);
    expect(page.text('#dataset')).toMatch(/^world\.json ?\d+ events · \d+ venues · \d+ organizers · TEC 6\.17\.2, standard$/);
    expect(page.text('#message')).toBe('');
  });

  test('the clock: freezes and runs from the status bar, advances and sets it', async () => {
    expect([page.text('#clock-local'), page.text('#clock-utc'), page.text('#clock-state')]).toEqual([
      '2026-06-15 08:00:00',
      '12:00:00 UTC',
      'frozen',
    ]);
    await page.send('#clock-advance', { advance: '2 days' });
    await page.click('[data-advance="1 hour"]');
    expect(page.text('#clock-local')).toBe('2026-06-17 09:00:00');
    await page.click('#clock-toggle');
    expect([page.text('#clock-state'), page.text('#clock-toggle'), page.text('#message [role=status]')]).toEqual([
      'live',
      'Freeze',
      'The clock runs.',
    ]);
    await page.click('#clock-freeze');
    await page.click('#clock-run');
    await page.send('#clock-set', { now: '2027-01-01T00:00:00' });
    await page.click('#clock-toggle');
    expect(await qa('clock')).toMatchObject({ now: expect.stringMatching(/^2027-01-01T05:00:0/), frozen: true });
    await page.click('#clock-real');
    expect(await qa('clock')).toMatchObject({ frozen: false });
    await page.send('#clock-advance', { advance: 'soon' });
    expect(page.text('#message')).toMatch(/^Invalid "advance"/);
    expect(page.requests()).toEqual([...Array<string>(8).fill('PUT /__qa/clock 200'), 'PUT /__qa/clock 400']);
  });

  test('a reset asks for nothing and is undone', async () => {
    await page.click('[data-advance="1 day"]');
    const { now } = await qa('clock');
    await page.click('#reset');
    expect(page.text('#message [role=status]')).toMatch(/^Reset in \d+ ms/);
    expect(await qa('clock')).toEqual({ now: '2026-06-15T12:00:00.000Z', frozen: true });
    await page.click('#undo');
    expect(page.text('#message [role=status]')).toBe('Undone.');
    expect(Date.parse(String((await qa('clock')).now))).toBeGreaterThanOrEqual(Date.parse(String(now)));
    expect(page.requests()).toEqual([
      'PUT /__qa/clock 200',
      'PUT /__qa/snapshots/before-reset 201',
      'POST /__qa/reset 200',
      'POST /__qa/snapshots/before-reset/restore 200',
    ]);
    await page.click('[aria-label="Delete before-reset"]');
    await page.click('#reset');
  });

  test('snapshots: saves, compares, restores and deletes them', async () => {
    await page.send('#snapshot-save', { name: 'here' });
    expect(page.text('#snapshots')).toMatch(/here ?\d+ posts/);
    await page.open('#compare');
    await page.change('#changes-since', 'here');
    expect(page.text('#changes')).toBe('Nothing has changed.');
    await page.click('#event-add');
    await page.send('#event-form', { title: 'Compared', start_date: '2026-07-01T20:00', end_date: '2026-07-01T22:00' });
    expect(page.text('#changes')).toMatch(/\+ ?Compared ?event \d+/);
    await page.click('[aria-label="Restore here"]');
    expect(page.text('#message [role=status]')).toMatch(/^Restored here in \d+ ms\.$/);
    expect(page.text('#changes')).toBe('Nothing has changed.');
    await page.click('[aria-label="Delete here"]');
    expect(await qa('snapshots')).toEqual({ snapshots: [expect.objectContaining({ name: 'before-reset' })] });
  });

  test('an event is added and changed in a form, which keeps what it does not show', async () => {
    const first = async (route: string): Promise<string> =>
      String(((await (await get(`${API}/${route}`)).json()) as Record<string, { id: number }[]>)[route][0].id);
    const [organizer, category] = [await first('organizers'), await first('categories')];
    await page.click('#event-add');
    await page.send('#event-form', {
      title: 'Open day',
      start_date: '2026-07-02T10:00',
      end_date: '2026-07-02T12:00',
      venue: '[10]',
      organizer: `[${organizer}]`,
      categories: `[${category}]`,
      cost: '5',
      description: 'Come in',
    });
    expect(page.text('#message a')).toBe('Open it');
    const { id } = /event (?<id>\d+)/.exec(page.text('#message'))?.groups ?? {};
    await fetch(`${server().url}${API}/events/${id}`, {
      method: 'POST',
      headers: { authorization: signIn('admin'), 'content-type': 'application/json' },
      // TEC: an update removes organizers that it does not name.
      body: JSON.stringify({ featured: true, show_map: true, timezone: 'Europe/Paris', cost: '5', organizer: [Number(organizer)] }),
    });
    await page.click('#event-edit');
    await page.type('#event-search', 'open day');
    await page.click('#event-list button');
    expect(page.text('#event-title')).toBe(`Edit event ${id}`);
    await page.send('#event-form', { title: 'Open days', status: 'draft' });
    const event = (await (await get(`${API}/events/${id}`, { authorization: signIn('admin') })).json()) as Record<string, unknown>;
    expect(event).toMatchObject({
      title: 'Open days',
      status: 'draft',
      featured: true,
      show_map: true,
      timezone: 'Europe/Paris',
      start_date: '2026-07-02 10:00:00',
      description: expect.stringContaining('Come in'),
      venue: { id: 10 },
      organizer: [{ id: Number(organizer) }],
      categories: [{ id: Number(category) }],
    });
    expect(event.cost_details).toMatchObject({ values: ['5'] });
    await page.click('#event-add');
    await page.send('#event-form', { title: 'Never', start_date: '2026-07-02T10:00', end_date: '2026-07-01T12:00', website: 'none' });
    expect(page.text('#event-form [role=alert]')).toMatch(/website|end_date/);
    await page.click('[aria-label="Close"]');
  });

  test('an event gets venues, organizers, categories and tags, of which some are new', async () => {
    const rest = async (path: string): Promise<ReturnType<typeof JSON.parse>> =>
      (await get(path, { authorization: signIn('admin') })).json();
    await page.click('#event-add');
    await page.type('#organizer-text', 'music guild');
    expect(page.text('[aria-label=Organizers]')).toMatch(/^Music Guild ?✕$/);
    for (const [field, name] of [
      ['venue', 'Quarry'],
      ['venue', 'Old Quarry'],
      ['organizer', 'Stone Choir'],
      ['tags', 'stone'],
      ['tags', 'open air'],
      ['tags', 'mistake'],
    ])
      await page.change(`#${field}-text`, name);
    expect(page.text('.picked[aria-label=Venue]')).toMatch(/^Old Quarry ?new ?✕$/);
    await page.click('[aria-label="Remove mistake"]');
    const times = { start_date: '2026-07-03T10:00', end_date: '2026-07-03T12:00' };
    await page.send('#event-form', { title: 'Echo', ...times, website: 'none' });
    expect(page.text('#event-form [role=alert]')).toMatch(/website/);
    await page.send('#event-form', { title: 'Echo', ...times, website: '' });
    const { id } = /event (?<id>\d+)/.exec(page.text('#message'))?.groups ?? {};
    const event = await rest(`${API}/events/${id}`);
    expect(event).toMatchObject({
      venue: { venue: 'Old Quarry' },
      organizer: [{ organizer: 'Music Guild' }, { organizer: 'Stone Choir' }],
      tags: [{ name: 'open air' }, { name: 'stone' }],
    });
    expect(await rest(`${API}/venues?search=quarry`)).toMatchObject({ total: 1 });

    await page.click('#event-edit');
    await page.type('#event-search', 'echo');
    await page.click('#event-list button');
    expect(page.text('.picked[aria-label=Organizers]')).toMatch(/^Music Guild ?✕ ?Stone Choir ?✕$/);
    await page.click('[aria-label="Remove Music Guild"]');
    await page.click('[aria-label="Remove Old Quarry"]');
    await page.change('#categories-text', 'Geology');
    await page.send('#event-form', {});
    expect(await rest(`${API}/events/${id}`)).toMatchObject({
      venue: [],
      organizer: [{ organizer: 'Stone Choir' }],
      categories: [{ name: 'Geology' }],
      tags: [{ name: 'open air' }, { name: 'stone' }],
    });
    await page.click('#reset');
  });

  test('the end of an event moves along with its start, and is refused before it', async () => {
    await page.click('#event-add');
    const values = (): string[] => ['start_date', 'end_date'].map((name) => page.value(`[name="${name}"]`));
    expect(values()).toEqual(['2026-06-15T08:00', '2026-06-15T09:00']);
    await page.change('[name="start_date"]', '2026-07-02T10:30');
    expect(values()).toEqual(['2026-07-02T10:30', '2026-07-02T11:30']);
    await page.type('[name="end_date"]', '2026-07-01T10:00');
    expect(page.validity('[name="end_date"]')).toBe('The event ends before it starts.');
    await page.change('[name="start_date"]', '2026-06-30T10:30');
    await page.type('[name="end_date"]', '2026-06-30T10:30');
    expect(page.validity('[name="end_date"]')).toBe('');
    await page.click('[aria-label="Close"]');
  });

  test('a load that resets return to is undone, except for that', async () => {
    await page.choose('#load-file', [{ name: 'small.json', text: readFileSync(new URL('small.json', import.meta.url), 'utf8') }]);
    await page.click('#load-pristine');
    await page.click('#load-replace');
    await page.click('#undo');
    expect(page.text('#message [role=status]')).toBe('Undone. A reset still restores the loaded file.');
  });

  test('a spreadsheet is added or replaces the content, and clock and time zone stay', async () => {
    const text =
      'Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,Event Cost,Colour\nChoir,2026-07-01,19:00,2026-07-01,20:00,"1,234.50",red\n';
    const headers = { 'X-Understudy-Token': TOKEN };
    const facts = async () => {
      const { events, venues } = (
        (await (await fetch(`${server().url}/__qa/state`, { headers })).json()) as { counts: Record<string, number> }
      ).counts;
      const { now, frozen } = (await (await fetch(`${server().url}/__qa/clock`, { headers })).json()) as { now: string; frozen: boolean };
      const { timezone_string: zone } = (await (await fetch(`${server().url}/wp-json/`)).json()) as { timezone_string: string };
      return { events, venues, now, frozen, zone };
    };
    const before = await facts();
    await page.choose('#load-file', [{ name: 'events.csv', text }]);
    expect(page.text('#load-dialog')).toContain(`The site has ${before.events} events.`);
    await page.click('#load-add');
    expect(page.text('#message [role=status]')).toBe('Added events.csv: 1 post and 0 terms, with 2 warnings.');
    expect(page.text('.problems')).toMatch(/The column "Colour" is not read\..*The event "Choir" costs "1,234\.50"/);
    expect(await facts()).toEqual({ ...before, events: before.events + 1 });
    await page.click('#undo');
    await page.choose('#load-file', [{ name: 'events.csv', text }]);
    await page.click('#load-replace');
    expect(await facts()).toEqual({ ...before, events: 1, venues: 0 });
    await page.click('#undo');
    expect(await facts()).toEqual(before);
  });

  test('warnings about a file that is loaded are listed', async () => {
    const text = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:Gala', 'DTSTART:20260931', 'END:VEVENT', 'END:VCALENDAR'].join('\n');
    await page.choose('#load-file', [{ name: 'club.ics', text }]);
    await page.click('#load-add');
    expect(page.text('#message [role=status]')).toMatch(/^Added club\.ics: \d+ posts and \d+ terms, with 1 warning\./);
    expect(page.text('.problems')).toMatch(/1 warning in club\.ics.*club\.ics: line 2: VEVENT "Gala": left out: DTSTART: invalid date/);
    await page.click('[aria-label="Dismiss the warnings"]');
    expect(page.count('.problems')).toBe(0);
    await page.click('#undo');
  });

  test('a file is loaded, its problems are shown with their lines, and loading is undone', async () => {
    const before = page.text('#dataset');
    await page.choose('#load-file', [{ name: 'small.json', text: readFileSync(new URL('small.json', import.meta.url), 'utf8') }]);
    await page.click('#load-replace');
    expect(page.text('#message [role=status]')).toMatch(/^Loaded small\.json: \d+ posts/);
    expect(page.text('#dataset')).toMatch(/^small\.json/);
    await page.click('#undo');
    expect(page.text('#dataset')).toBe(before);
    await page.choose('#load-file', [{ name: 'wrong.json', text: '{\n "events": [\n  { "title": 5 }\n ]\n}' }]);
    await page.click('#load-add');
    expect(page.text('.problems')).toMatch(/problems? in wrong\.json.*line 3: events\[0\]/);
    expect(page.text('#message [role=status]')).toMatch(/^wrong\.json has \d+ problems?\. Nothing was changed\.$/);
    expect(page.text('#dataset')).toBe(before);
    await page.click('[aria-label="Dismiss the problems"]');
    expect(page.count('.problems')).toBe(0);
    await page.click('#export');
    expect(page.requests()).toContain('download export.ndjson');
  });

  test('faults: adds predefined and custom rules, shows them as chips, and removes them', async () => {
    for (const name of Object.keys(QUICK)) await page.click(`[data-quick="${name}"]`);
    for (const preset of Object.keys(PRESETS)) await page.send('#fault-add', { preset, path: '', times: '' });
    await page.send('#fault-add', { preset: 'Server error (500)', path: `/tribe/events/v1/tags`, times: '1' });
    const count = Object.keys(QUICK).length + Object.keys(PRESETS).length + 1;
    expect(page.requests()).toEqual(Array<string>(count).fill('POST /__qa/faults 201'));
    expect(page.count('.chip')).toBe(count);
    await page.click('#undo');
    expect(page.count('.chip')).toBe(count - 1);
    await page.type('#fault-rule textarea', '{ effect');
    await page.send('#fault-rule', {});
    expect(page.text('#message')).toMatch(/^The rule is not JSON/);
    await page.click('[aria-label="Remove fault 1"]');
    await page.click('[aria-label="Remove rule 2"]');
    expect(page.count('#faults li')).toBe(count - 3);
    await page.click('#faults-clear');
    expect([page.count('.chip'), await qa('faults')]).toEqual([0, { faults: [] }]);
    await page.type('#fault-rule textarea', '{ "sequence": [{ "status": 503 }, "ok"], "atEnd": "repeat", "every": 2 }');
    await page.send('#fault-rule', {});
    await get('/nowhere');
    await page.refresh();
    expect(page.text('#faults')).toMatch(/^status 503 → ok, then again ?all requests, every 2nd ?hit 0 of 1/);
    await page.click('.chip button');
    await page.send('#scenario-start', { scenario: 'rate-limit', path: '/tribe/**' });
    expect(page.text('#message [role=status]')).toBe('Started scenario rate-limit.');
    expect([page.text('.chip'), page.text('#faults')]).toEqual([
      expect.stringMatching(/^rate-limit/),
      expect.stringContaining('/tribe/**'),
    ]);
    await page.click('[aria-label="Stop scenario rate-limit"]');
    expect(page.count('.chip')).toBe(0);
  });

  test('"The next two lists fail" fails lists of any namespace, and nothing else', async () => {
    await page.click('[data-quick="The next two lists fail"]');
    const statuses = [];
    for (const path of ['/events/35', '/events?per_page=1', '/venues', '/venues']) statuses.push((await get(`${API}${path}`)).status);
    expect(statuses).toEqual([200, 503, 503, 200]);
    await page.refresh();
    // The fault is exhausted, but still in the list of rules.
    expect(page.count('.chip')).toBe(0);
    expect(page.text('#faults')).toContain('GET lists');
    await page.click('#reset');
    expect(page.text('#message [role=status]')).toMatch(/as at the start\. Faults stay\.$/);
    await page.click('#undo');
    await page.click('#faults button');
  });

  test('assets are listed when they are asked for, and lists that found nothing are marked', async () => {
    await page.click('#journal-clear');
    await get('/wp-content/uploads/poster.png');
    await get(`${API}/events?search=no-such-words`);
    await page.refresh();
    expect(page.text('#journal-rows')).toMatch(/events\?search=no-such-words ?found nothing/);
    expect(page.count('[role=option]')).toBe(1);
    await page.click('[data-mark=assets]');
    expect(page.text('[role=option]')).toContain('poster.png');
    await page.click('[data-mark=assets]');
    await page.click('#journal-clear');
  });

  test('the journal: lists, filters, opens, saves and clears entries', async () => {
    await page.click('#journal-clear');
    await get(`${API}/events?stat_date=2026-07-01&per_page=1`);
    await get(`${API}/venues/99999`, { authorization: signIn('editor') });
    await page.refresh();
    expect(page.text('#journal-rows')).toMatch(/^400 ?GET ?tribe\/events\/v1\/venues\/99999.*200 ?GET.*stat_date → start_date\?/);
    await page.click('[data-mark=warned]');
    expect([page.count('[role=option]'), page.text('#journal-count'), page.query()]).toEqual([1, '1 of 2 requests', '?mark=warned']);
    await page.click('[role=option]');
    expect(page.text('.drawer')).toMatch(/^GET .*"stat_date" is not a parameter here.*did you mean "start_date".*Response.*"events": \[/);
    await page.click('[data-tab=raw]');
    expect(page.text('#entry-panel')).toMatch(/^Request ?GET \/wp-json.* HTTP\/1\.1 .*Response ?HTTP\/1\.1 200 OK .*\{"events":\[/);
    await page.press('[data-tab=raw]', 'ArrowRight');
    expect(page.text('#entry-panel')).toMatch(/^Request.*user-agent ?node.*Response.*content-type ?application\/json/i);
    await page.click('[data-action=curl]');
    expect(page.text('.curl')).toBe(`curl '${server().url}${API}/events?stat_date=2026-07-01&per_page=1' --compressed ${CURL}`);
    await page.click('[data-action=case]');
    await page.click('[data-action=har]');
    await page.click('#journal-har');
    expect(page.requests()).toEqual([
      'DELETE /__qa/journal 200',
      expect.stringMatching(/^download journal-\d+\.json$/),
      expect.stringMatching(/^download entry-\d+\.har$/),
      'download journal.har',
    ]);
    await page.press('.drawer', 'Escape');
    expect(page.count('.drawer')).toBe(0);
    await page.click('#filters-clear');
    await page.change('select[name=status]', '4xx');
    await page.change('select[name=method]', 'GET');
    await page.type('input[name=q]', 'venues editor');
    expect([page.count('[role=option]'), page.query()]).toEqual([1, '?q=venues+editor&method=GET&status=4xx']);
    await page.type('input[name=q]', 'nothing has this');
    expect(page.text('#journal-empty')).toBe('No request passes the filters.');
    await page.click('#filters-clear');
    expect([page.count('[role=option]'), page.query()]).toEqual([2, '']);
    await page.click('#journal-clear');
    expect([page.count('[role=option]'), page.text('#journal-count')]).toEqual([0, '0 requests']);
  });

  test('the keys up and down move through the journal, and / searches', async () => {
    await get(`${API}/venues?page=1`);
    await get(`${API}/organizers?page=1`);
    await page.refresh();
    await page.press('#journal-rows', 'ArrowDown');
    await page.press('#journal-rows', 'ArrowDown');
    expect(page.text('.drawer h3')).toMatch(/^GET .*venues/);
    await page.press('#journal-rows', 'ArrowUp');
    expect([page.text('.drawer h3'), page.text('[aria-selected=true]')]).toEqual([
      expect.stringMatching(/^GET .*organizers/),
      expect.stringMatching(/organizers/),
    ]);
    await page.press('#journal-rows', 'Enter');
    expect(page.focused()).toBe('entry-panel');
    await page.press('.drawer', 'Escape');
    expect(page.focused()).toBe('journal-rows');
    await page.press('#journal-rows', '/');
    expect(page.focused()).toBe('q');
  });

  test('a stub is made from nothing, changed and removed, with what the API says at its fields', async () => {
    await page.click('#stub-add');
    expect(page.text('#stub-title')).toBe('Add a stub');
    const wrong = { method: 'POST', path: '/wp-json/acme/v1/*', status: '99', times: 'x', regex: '(', headers: 'A B: c', body: '{ "a": ' };
    await page.send('#stub-form', wrong);
    expect([page.text('#stub-body-problem'), page.count('#stub-form .alert[id]')]).toEqual([
      expect.stringMatching(/^This is not JSON: /),
      1,
    ]);
    await page.send('#stub-form', { body: '{ "seats": "{{request.query.n}}" }' });
    expect(page.text('#stub-status-problem')).toBe('respond[status] must be between 200 (inclusive) and 599 (inclusive)');
    expect(page.text('#stub-times-problem')).toBe('times is not of type integer.');
    await page.send('#stub-form', { status: '201', times: '', headers: 'A B: c' });
    expect(page.text('#stub-headers-problem')).toMatch(/^Invalid header "A B: c"/);
    await page.send('#stub-form', { headers: 'X-Left: 3' });
    expect(page.text('#stub-regex-problem')).toMatch(/^"regex" is not a regular expression/);
    expect(await page.violations()).toEqual([]);
    await page.send('#stub-form', {
      regex: '',
      query: 'n: 3',
      requestBody: '{ "at": "now" }',
      delay: '{ "uniform": [0, 1] }',
    });
    expect([page.count('#stub-form'), page.text('#message [role=status]')]).toEqual([
      0,
      expect.stringMatching(/^Stub \d+ responds to POST \/wp-json\/acme\/v1\/\* /),
    ]);
    const order = async (): Promise<Response> =>
      fetch(`${server().url}/wp-json/acme/v1/orders?n=3`, { method: 'POST', body: '{ "at": "now", "more": 1 }' });
    const answer = await order();
    expect([answer.status, answer.headers.get('x-left'), await answer.json()]).toEqual([201, '3', { seats: '3' }]);

    await page.click('#stubs .link');
    expect(['query', 'requestBody', 'delay', 'times'].map((name) => page.value(`#stub-form [name=${name}]`))).toEqual([
      'n: 3',
      '{\n  "at": "now"\n}',
      '{"uniform":[0,1]}',
      '',
    ]);
    await page.send('#stub-form', { status: '202', body: 'gone', headers: 'Content-Type: text/plain' });
    const changed = await order();
    expect([changed.status, await changed.text()]).toEqual([202, 'gone']);
    await page.click('#undo');
    expect((await order()).status).toBe(201);
    await page.click('#stubs .plain');
    expect(await qa('stubs')).toEqual({ stubs: [] });
  });

  test('"Respond differently" adds a stub that begins with the response of the entry', async () => {
    await page.click('#journal-clear');
    await get(`${API}/venues/99999`);
    await page.refresh();
    expect(page.text('#stubs-none')).toMatch(/^None\./);
    await page.click('[role=option]');
    await page.click('[data-action=stub]');
    expect([page.value('#stub-form [name=status]'), page.value('#stub-form [name=headers]')]).toEqual([
      '400',
      expect.stringMatching(/^content-type: application\/json/im),
    ]);
    expect(JSON.parse(page.value('#stub-form [name=body]'))).toMatchObject({ data: { status: 400 } });
    expect(await page.violations()).toEqual([]);
    const headers = 'Content-Type: application/json\nX-Why:  a: b ';
    await page.send('#stub-form', { status: '200', headers, body: '{ "id": 99999 }', times: '1' });
    expect([page.count('#stub-form'), page.text('#message [role=status]')]).toEqual([
      0,
      expect.stringMatching(/^Stub \d+ responds to GET .*venues\/99999\.$/),
    ]);
    const answer = await get(`${API}/venues/99999`);
    expect([answer.status, answer.headers.get('x-why'), await answer.json()]).toEqual([200, 'a: b', { id: 99999 }]);
    expect((await get(`${API}/venues/99999`)).status).toBe(400);
    await page.refresh();
    expect(page.text('#stubs')).toMatch(/^200 ?GET .*venues\/99999, once ?1×/);
    await page.click('[data-mark=stubbed]');
    expect([page.count('[role=option]'), page.text('[role=option]')]).toEqual([1, expect.stringMatching(/stub \d+/)]);
    await page.click('#filters-clear');
    await page.click('#stubs .plain');
    expect([page.count('#stubs'), await qa('stubs')]).toEqual([0, { stubs: [] }]);
    await page.click('#journal-clear');
    await get(`${API}/organizers?page=1`);
    await page.refresh();
  });

  test('a stub of a text, undone, and several that are removed together', async () => {
    await page.click('[role=option]');
    await page.click('[data-action=stub]');
    await page.send('#stub-form', { status: '503', headers: 'Content-Type: text/plain', body: '5' });
    expect(await (await get(`${API}/organizers?page=1`)).text()).toBe('5');
    await page.click('#undo');
    expect(page.count('#stubs li')).toBe(0);
    for (const status of ['500', '501']) {
      await page.click('[data-action=stub]');
      await page.send('#stub-form', { status, headers: '', body: '' });
    }
    expect(page.text('#stubs')).toMatch(/^501.*500/);
    await page.click('#stubs-clear');
    expect(page.text('#message [role=status]')).toBe('Removed 2 stubs.');
    await page.press('.drawer', 'Escape');
  });

  test('"Fail this next time" fails the same request once', async () => {
    await page.click('[role=option]');
    await page.click('[data-action=fail]');
    const statuses = [];
    for (const path of ['/venues', '/organizers?page=2', '/organizers?page=1', '/organizers?page=1'])
      statuses.push((await get(`${API}${path}`)).status);
    expect(statuses).toEqual([200, expect.any(Number), 500, 200]);
    expect(statuses[1]).not.toBe(500);
    await page.refresh();
    await page.click('[data-mark=faulted]');
    expect(page.text('[role=option]')).toMatch(/^500.*fault \d+/);
    await page.click('#filters-clear');
    await page.click('#faults button');
  });

  test('environments: creates, finds, opens and deletes sandboxes; the main page shows their requests', async () => {
    await page.click('#environment');
    await page.send('#sandbox-create', { name: 'mine' });
    expect(page.text('#environment-list')).toMatch(/Main site ?mine ?idle/);
    const within = await openPage(`${server().url}/__sandbox/mine/__qa/ui`, [TOKEN]);
    expect(within.text('#environment')).toMatch(/^Environment ?mine/);
    await within.click('#clock-toggle');
    expect(within.requests()).toEqual(['PUT /__sandbox/mine/__qa/clock 200']);
    within.end();
    await get(`/__sandbox/mine${API}/venues`);
    await page.refresh();
    await page.change('select[name=sandbox]', 'mine');
    expect([page.count('[role=option]'), page.query()]).toEqual([1, '?sandbox=mine']);
    await page.click('[role=option]');
    expect(page.text('.drawer')).toMatch(/"venues": \[/);
    await page.press('.drawer', 'Escape');
    await page.click('#filters-clear');
    await page.click('[aria-label="Delete sandbox mine"]');
    // A request for a journal entry of the sandbox would create it again.
    expect(page.text('#journal-rows')).not.toContain('mine');
    for (const name of ['a-1', 'a-2', 'a-3', 'a-4', 'a-5', 'b-1', '']) await page.send('#sandbox-create', { name });
    await page.type('#environment-list input[type=search]', 'b-');
    expect(page.count('#environment-list li')).toBe(1);
    await page.type('#environment-list input[type=search]', 'a-');
    for (const name of ['a-1', 'a-2']) await page.click(`[aria-label="Delete sandbox ${name}"]`);
    // Three sandboxes need no search field, but it stays visible while it filters the list.
    expect([page.count('#environment-list li'), page.value('#environment-list input[type=search]')]).toEqual([3, 'a-']);
    await page.type('#environment-list input[type=search]', '');
    expect(page.count('#environment-list input[type=search]')).toBe(0);
    await page.click('#delete-idle');
    expect(page.text('#message [role=status]')).toBe('No sandbox was idle for 5 minutes.');
    await page.press('#environment-list', 'Escape');
    expect(page.focused()).toBe('environment');
    for (const name of ['a-3', 'a-4', 'a-5', 'b-1']) await page.click(`[aria-label="Delete sandbox ${name}"]`);
  });

  test('filters in the address are in force from the start', async () => {
    await get(`${API}/venues/99999`);
    const filtered = await openPage(`${server().url}/__qa/ui?status=4xx&q=venues`, [TOKEN]);
    expect(filtered.text('[role=option]')).toMatch(/^400/);
    expect(filtered.value('input[name=q]')).toBe('venues');
    filtered.end();
  });

  test('has no accessibility violation that axe-core finds', async () => {
    await get(`${API}/events?stat_date=2026-07-01&per_page=1`);
    await page.send('#snapshot-save', { name: 'here' });
    await page.send('#fault-add', { preset: 'Server error (500)', path: '/never', times: '1' });
    await page.refresh();
    await page.click('[role=option]');
    await page.click('#environment');
    expect(await page.violations()).toEqual([]);
    await page.click('[data-tab=headers]');
    await page.click('#event-add');
    await page.choose('#load-file', [{ name: 'wrong.json', text: '{ "events": 5 }' }]);
    await page.click('#load-replace');
    expect(await page.violations()).toEqual([]);
  });
});

test('responses with the journal that come in the wrong order add each entry once', async () => {
  const entries = [1, 2, 3].map((id) => ({ id, at: `2026-06-15T12:00:0${id}Z` }));
  const responses: ((found: object[]) => void)[] = [];
  const call = (): Promise<unknown> => new Promise((resolve) => responses.push((found) => resolve({ entries: found })));
  const model = new Model({ location: { search: '' } }, { call });
  model.state = { sandbox: '' };
  const [first, second] = [model.readJournal(), model.readJournal()];
  responses[1](entries);
  await second;
  responses[0](entries.slice(0, 2));
  await first;
  expect(model.entries.map(({ id }) => id)).toEqual([3, 2, 1]);
});
