import { parseLinkedSearch } from '../../../src/plugins/the-events-calendar/model/linked-queries.js';
import { parseSearch } from '../../../src/wordpress/query/search.js';

test.each<[text: string, words: string[], without: string[]]>([
  ['Early YOGA', ['early', 'yoga'], []],
  ['early,bird+x1', ['early', 'bird', 'x1'], []],
  ['"early bird" -Market', ['early bird'], ['market']],
  ['Grüße', ['gruße'], []],
  ['the market', ['market'], []],
  ['the', ['the'], []],
  ['a b', ['a b'], []],
  ['2026 0', ['2026'], []],
  ['0 0', ['0 0'], []],
  ['" yoga', ['yoga'], []],
  ["o\\'hara", ["o'hara"], []],
  ['\\', [''], []],
  ['-', [], ['']],
  ['one two three four five six seven eight nine', 'one two three four five six seven eight nine'.split(' '), []],
  ['x1 x2 x3 x4 x5 x6 x7 x8 x9 x10', ['x1 x2 x3 x4 x5 x6 x7 x8 x9 x10'], []],
])('posts: %j', (text, words, without) => {
  expect(parseSearch(text)).toEqual({ words, without, inOneField: false });
});

test.each<[text: string, words: string[] | null]>([
  ['Town-Hall', ['town-hall']],
  ["O'Hara", ['o', 'hara']],
  ['köln', ['k', 'ln']],
  ['a_b@c.d+e', ['a', 'b', 'c', 'd', 'e']],
  ['0 10', ['10']],
  ['!!!', null],
])('venues and organizers: %j', (text, words) => {
  expect(parseLinkedSearch(text)).toEqual(words && { words, without: [], inOneField: true });
});
