import { readdirSync } from 'node:fs';
import { documents, read } from './support/documents.js';
import { commentsOf, proseOf, stringsOf, type Sentence } from './support/prose.js';

/** Lists sentences in documentation, messages and comments that do not use the standard terms. */

interface Rule {
  /** Examples that the pattern must match. */
  not: readonly string[];
  pattern: RegExp;
  but: string;
}

/** Rules for all prose. docs/README.md defines the terms. */
const RULES: readonly Rule[] = [
  { not: ['It is made anew.', 'Begin anew.'], pattern: /\banew\b/i, but: 'rebuilt, recomputed, uncached, again from the start' },
  {
    not: ['Responses are given again.', 'It gives responses again.'],
    pattern: /\bgiv(?:en|es?|ing) (?:\w+ ){0,2}again\b/i,
    but: 'cached; caches responses',
  },
  { not: ['Somebody else was quicker.'], pattern: /\bsomebody else was\b/i, but: 'a version conflict' },
  { not: ['Files are laid ready.', 'It comes to lie there.'], pattern: /\blaid ready\b|\bcomes? to lie\b/i, but: 'staged' },
  { not: ['Unknown names are passed over in silence.'], pattern: /\bpassed over\b|\bin silence\b/i, but: 'silently ignored' },
  {
    not: ['The request is refused.', 'The server refuses it.', 'The client is told.'],
    pattern: /(?<!\bconnection )\brefus(?:e|es|ed|ing|al)\b|\b(?:is|are|was|were|be|been|gets?|when) told\b(?! apart)/i,
    but: 'rejected; reported',
  },
  {
    not: ['Unless told otherwise.', 'In so many words.'],
    pattern: /\btold otherwise\b|\bsays? otherwise\b|\bso many words\b/i,
    but: 'overridden; explicitly',
  },
  { not: ['It bears with such files.'], pattern: /\bbears? with\b/i, but: 'handles, tolerates' },
  {
    not: ['Datasets that come along.', 'The dataset brings users along.'],
    pattern: /\b(?:comes?|came|brings?|brought|moves?|moved)\b(?: \w+)? along\b/i,
    but: 'bundled, included',
  },
  { not: ['Make up a calendar.', 'It makes up events.'], pattern: /\b(?:makes?|made|making) up\b/i, but: 'generate test data' },
  { not: ['Prove that a copy answers alike.'], pattern: /\balike\b/i, but: 'compare with the live site; the same' },
  { not: ['It is there without being asked for.'], pattern: /\bbeing asked\b|\basked for\b/i, but: 'enabled by default; requested' },
  { not: ['It puts a file in place of what a site holds.'], pattern: /\bin place of\b/i, but: "replaces the site's content" },
  { not: ['The command was not understood.'], pattern: /\b(?:not|nobody) understood\b/i, but: 'usage error' },
  {
    not: ['This is no date.', 'It was no address of this machine.', 'Those are no numbers.'],
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|such)\w/i,
    but: 'invalid date; is not a …',
  },
  { not: ['Whatever hangs on it.'], pattern: /\bhangs? on\b/i, but: 'children, dependents' },
  { not: ['It looks behind.', 'Look ahead.'], pattern: /\blook(?:s|ing)? (?:behind|ahead)\b/i, but: 'lookbehind, lookahead' },
  { not: ['The front door.', 'Through another door.'], pattern: /\bdoors?\b(?! \d)/i, but: 'router, entry point' },
  { not: ['A world of its own.'], pattern: /\bworlds?\b(?! (?:wide|map))/i, but: 'sandbox' },
  { not: ['Counts that the posts do not bear out.'], pattern: /\bbears? out\b|\bborne out\b/i, but: 'stale counts' },
  {
    not: ['Whoever knows a name.', 'Whatever is wrong with a file is told at once.'],
    pattern: /\b(?:who|what)(?:so)?ever\b/i,
    but: 'leave out: name the thing or the person',
  },
  {
    not: ['Each has a clock of its own.', 'Use dates of your own.'],
    pattern: /\bof (?:its|their|his|her|one['’]s|your|our) own\b/i,
    but: 'its own …, separate',
  },
  { not: ['It is so fast as the other.'], pattern: /\bso \w+ as (?!to\b|a\b)/i, but: 'as … as' },
  {
    not: ['The answer has a list.', 'The server answers.', 'It answered 404.', 'What it was asked and answered.'],
    pattern: /\b(?:un)?answer(?:s|ed|ing)?\b/i,
    but: 'a response, to respond',
  },
  {
    not: ['What it does not know is ignored.'],
    pattern: /\bwhat (?:it|they|a \w+|the \w+) do(?:es)? not know\b/i,
    but: 'unknown parameters',
  },
  { not: ['All errors are shown at once, told with their lines.'], pattern: /\btold with\b|\btells? (?:so|the rest)\b/i, but: 'reported' },
];

/** Further rules for comments. */
const COMMENT_RULES: readonly Rule[] = [
  {
    not: ['Work that is late goes on, unheard.'],
    pattern: /\bunheard\b|\bgoes? on\b|\bgoing on\b/i,
    but: 'continues; its result is ignored',
  },
  { not: ['It is none of this server.', 'There is none any more.'], pattern: /\bis none of\b|\bany more\b/i, but: 'is not a …; no longer' },
  {
    not: ['What stands behind the point of an id.', 'It stands there.'],
    pattern: /\bstands? (?:behind|there|above|beside)\b/i,
    but: 'the fraction; is in, comes before',
  },
  {
    not: ['Nothing is asked but what names stand for.'],
    pattern: /\bwhat \w+ stands? for\b|\bbut what\b/i,
    but: 'the meaning of …; except',
  },
  { not: ['It must hold neither the client nor a reset.'], pattern: /\bhold(?:s|ing)? neither\b/i, but: 'block' },
  { not: ['The fraction is not looked at.'], pattern: /\blooked at\b/i, but: 'read, checked, ignored' },
  { not: ['It counts all the same.'], pattern: /\ball the same\b/i, but: 'anyway' },
  {
    not: ['A write of which none can be made.', 'It leaves others of which one is enough.'],
    pattern: /\bof which (?:none|one|no)\b/i,
    but: 'two sentences',
  },
  { not: ['A site knows of no failure.', 'The index knows no word.'], pattern: /\bknows? (?:of )?no\b/i, but: 'has no' },
  { not: ['That it has none is said where it listens.'], pattern: /\bis said\b|\bsays? of (?:it|the)\b/i, but: 'is reported; the … of' },
  { not: ['What may be its own master.', 'So many are listed.'], pattern: /^so many\b|\bits own master\b/i, but: 'Maximum number of …' },
  { not: ['It is for those who may edit.'], pattern: /\b(?:for|to|by) those who\b|\bthose who may\b/i, but: 'users who …' },
  { not: ['It shows what is behind a password.'], pattern: /\bbehind (?:a |the )?passwords?\b/i, but: 'password-protected' },
  { not: ['There is one that is not there.'], pattern: /\bthat (?:is|are|there is) not\b(?: there)?\.?$/i, but: 'missing, unknown' },
];

/** Describes each finding: its location, the sentence, and what to write instead. */
function findings(file: string, sentences: readonly Sentence[], rules: readonly Rule[] = RULES): string[] {
  return sentences.flatMap(({ line, text }) =>
    rules.flatMap(({ pattern, but }) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined ? [] : [`${file}:${line}: "${found}" in: ${text} Write: ${but}`];
    }),
  );
}

test.each([...RULES, ...COMMENT_RULES].flatMap(({ not, pattern }) => not.map((text) => ({ text, pattern }))))(
  '$text is found',
  ({ text, pattern }) => {
    expect(text).toMatch(pattern);
  },
);

test('finds a word across a line break, and none in code', () => {
  const page = 'It was made\nanew. See `anew`.\n\n```sh\nanew\n```\n\n| a | b |\n| - | - |\n| ok | is refused |\n';
  expect(findings('a.md', proseOf(page)).map((text) => text.split(' in: ')[0])).toEqual(['a.md:1: "anew"', 'a.md:10: "refused"']);
});

test.each(documents)('$file says things in the words of its field', ({ file, text }) => {
  expect(findings(file, proseOf(text))).toEqual([]);
});

/** TypeScript and JavaScript files in a folder of the project. */
const filesIn = (folder: string): string[] =>
  readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.m?[jt]s$/.test(name));

const sources = filesIn('src').map((name) => name.slice('src/'.length));

test('help, messages and descriptions say things in the words of their field', () => {
  const all = sources.flatMap((name) => stringsOf(read(`src/${name}`)).map((sentence) => ({ name, sentence })));
  expect(all.length).toBeGreaterThan(2000);
  expect(all.flatMap(({ name, sentence }) => findings(`src/${name}`, [sentence]))).toEqual([]);
});

test('finds a word in a string of a source, and none in comments and names', () => {
  const source = "// It is refused anew.\nconst anew = /it's/.test(a);\nthrow new Error(`The ${name} is refused here`);\n";
  expect(findings('a.ts', stringsOf(source)).map((text) => text.split(' in: ')[0])).toEqual(['a.ts:3: "refused"']);
});

/** Vendored from another project, and kept byte for byte. */
const VENDORED = 'test/conformance/replay.mjs';

/** Sources, scripts and tests. */
const COMMENTED = [
  ...sources.map((name) => `src/${name}`),
  ...['scripts', 'bench', 'test'].flatMap((folder) => filesIn(folder)).filter((file) => file !== VENDORED),
];

test('comments say things in the words of their field', () => {
  const comments = COMMENTED.map((file) => ({ file, sentences: commentsOf(read(file)) }));
  expect(comments.flatMap(({ sentences }) => sentences).length).toBeGreaterThan(5000);
  expect(comments.flatMap(({ file, sentences }) => findings(file, sentences, [...RULES, ...COMMENT_RULES]))).toEqual([]);
});

test('finds a word in a comment of a source, and none in code and strings', () => {
  const source = "const a = 'It is refused'; // Made\n// anew.\n/** See `anew`. @param anew is told */\nconst b = /\\/\\*unheard/;\n";
  expect(findings('a.ts', commentsOf(source)).map((text) => text.split(' in: ')[0])).toEqual([
    'a.ts:1: "anew"',
    'a.ts:3: "anew"',
    'a.ts:3: "is told"',
  ]);
});
