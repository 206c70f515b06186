import { parse } from 'yaml';
import { edited, type Edit } from '../../../src/transfer/save/edits.js';

const YAML = `# Town
site: { name: Town, timezone: Europe/Berlin } # ours

events:
  # The first one.
  - title: Jazz   # live
    start: +3d 19:30
    duration: 2h
    categories:
      - music
      - jazz
    description: |
      One.
      Two.

  - { title: Market, start: next saturday 08:00, duration: 6h }   # weekly
  # Last.
  - title: Fair
    start: '2027-07-03'
`;

const JSON_TEXT = `{
\t"events": [
\t\t{ "title": "Jazz", "start": "+3d 19:30", "categories": ["music"] },
\t\t{
\t\t\t"title": "Fair",
\t\t\t"start": "2027-07-03"
\t\t}
\t]
}
`;

/** The lines that differ. */
const diff = (before: string, after: string): string[] => {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ];
};

describe('YAML', () => {
  test.each<[string, Edit, string[]]>([
    ['a text', { at: ['events', 0, 'title'], value: 'Blues: late' }, ['-  - title: Jazz   # live', '+  - title: "Blues: late"   # live']],
    [
      'in braces',
      { at: ['events', 1, 'start'], value: '+4d 08:00' },
      [
        '-  - { title: Market, start: next saturday 08:00, duration: 6h }   # weekly',
        '+  - { title: Market, start: +4d 08:00, duration: 6h }   # weekly',
      ],
    ],
    [
      'lines beside a comment',
      { at: ['events', 0, 'title'], value: 'One\nTwo' },
      ['-  - title: Jazz   # live', '+  - title: |-   # live', '+      One', '+      Two'],
    ],
    [
      'lines in braces',
      { at: ['events', 1, 'description'], value: 'One\nTwo' },
      [
        '-  - { title: Market, start: next saturday 08:00, duration: 6h }   # weekly',
        '+  - title: Market   # weekly',
        '+    start: next saturday 08:00',
        '+    duration: 6h',
        '+    description: |-',
        '+      One',
        '+      Two',
      ],
    ],
    [
      'a comma in braces',
      { at: ['events', 1, 'title'], value: 'A, B' },
      [
        '-  - { title: Market, start: next saturday 08:00, duration: 6h }   # weekly',
        '+  - { title: "A, B", start: next saturday 08:00, duration: 6h }   # weekly',
      ],
    ],
    [
      'a list below its name',
      { at: ['events', 0, 'categories'], value: ['rock'] },
      ['-    categories:', '-      - music', '-      - jazz', '+    categories: [rock]'],
    ],
    ['a text of several lines', { at: ['events', 0, 'description'], value: 'Two.\nThree.\n' }, ['-      One.', '+      Three.']],
    ['a new member', { at: ['events', 2, 'cost'], value: '5' }, ["+    cost: '5'"]],
    [
      'a new member in braces',
      { at: ['site', 'description'], value: 'x' },
      ['-site: { name: Town, timezone: Europe/Berlin } # ours', '+site: { name: Town, timezone: Europe/Berlin, description: x } # ours'],
    ],
    ['a member that goes', { at: ['events', 0, 'duration'], removed: true }, ['-    duration: 2h']],
    [
      'the first member goes',
      { at: ['events', 2, 'title'], removed: true },
      ['-  - title: Fair', "-    start: '2027-07-03'", "+  - start: '2027-07-03'"],
    ],
    [
      'an item that goes',
      { at: ['events', 1], removed: true },
      ['-  - { title: Market, start: next saturday 08:00, duration: 6h }   # weekly'],
    ],
    [
      'a new item',
      { at: ['events'], added: { title: 'New', tags: ['a', 'b'], description: 'x\ny' } },
      ['+  - title: New', '+    tags: [a, b]', '+    description: |-', '+      x', '+      y'],
    ],
    ['a new list', { at: ['tags'], added: { slug: 'a' } }, ['+tags:', '+  - slug: a']],
  ])('%s', (_what, edit, changes) => {
    const text = edited(YAML, 'yaml', [edit]);
    expect(diff(YAML, text).sort()).toEqual(changes.toSorted());
    expect(() => parse(text) as unknown).not.toThrow();
  });

  test('line breaks of Windows and a byte order mark stay', () => {
    const dos = `\uFEFF${YAML.replaceAll('\n', '\r\n')}`;
    expect(edited(dos, 'yaml', [{ at: ['events', 2, 'cost'], value: 5 }])).toBe(
      dos.replace("'2027-07-03'\r\n", "'2027-07-03'\r\n    cost: 5\r\n"),
    );
  });
});

describe('JSON', () => {
  test.each<[string, Edit, string]>([
    ['a value', { at: ['events', 0, 'start'], value: '+4d' }, JSON_TEXT.replace('+3d 19:30', '+4d')],
    ['a list', { at: ['events', 0, 'categories'], value: ['a', 'b'] }, JSON_TEXT.replace('["music"]', '["a", "b"]')],
    ['a new member in a line', { at: ['events', 0, 'cost'], value: 5 }, JSON_TEXT.replace('["music"]', '["music"], "cost": 5')],
    [
      'a new member below others',
      { at: ['events', 1, 'cost'], value: '5' },
      JSON_TEXT.replace('"2027-07-03"', '"2027-07-03",\n\t\t\t"cost": "5"'),
    ],
    ['a member that goes', { at: ['events', 0, 'start'], removed: true }, JSON_TEXT.replace(' "start": "+3d 19:30",', '')],
    ['an item that goes', { at: ['events', 0], removed: true }, JSON_TEXT.replace(/\{ "title": "Jazz".*\n\t\t/, '')],
    [
      'a new item',
      { at: ['events'], added: { title: 'New', tags: ['a'] } },
      JSON_TEXT.replace('\t\t}\n', '\t\t},\n\t\t{\n\t\t\t"title": "New",\n\t\t\t"tags": ["a"]\n\t\t}\n'),
    ],
    ['a new list', { at: ['tags'], added: { slug: 'a' } }, JSON_TEXT.replace('\t]\n', '\t],\n\t"tags": [{ "slug": "a" }]\n')],
  ])('%s', (_what, edit, wanted) => expect(edited(JSON_TEXT, 'json', [edit])).toBe(wanted));
});
