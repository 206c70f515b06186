import { readFileSync } from 'node:fs';
import { fieldTypes } from '../../../../scripts/field-types.mjs';
import { EVENT_FIELDS, LINKED, type Fields } from '../../../../src/plugins/the-events-calendar/model/event.js';

test('the published types of fields match the tables', () => {
  expect(readFileSync('dist/sdk/types/fields.d.ts', 'utf8')).toBe(fieldTypes(EVENT_FIELDS, LINKED));
});

test('a field is in responses if it has a definition, and in requests if it has a description', () => {
  const fields: Fields = {
    district: { kind: 'text', key: '_District', description: 'District.', definition: 'District of the venue.' },
    shade: { kind: 'flag', key: '_Shade', yes: '1', no: '', default: false, description: 'Has shade.', definition: 'Whether it has shade' },
    height: { kind: 'coordinate', key: '_Height', most: 9000, definition: 'Height, in metres.' },
    inner: { kind: 'text', key: '_Inner' },
  };
  const types = fieldTypes(
    { opens: { kind: 'date', key: '_Opens', required: true, description: 'Opens.', definition: 'Opens' } },
    { hall: { fields } },
  );
  expect(types.split('\n').filter((line) => /^(?: {4}\w|export)/.test(line))).toEqual([
    'export interface ShownEvent {',
    '    opens: string | null;',
    'export interface SentEvent {',
    '    opens: string;',
    'export interface ShownHall {',
    '    district?: string;',
    '    shade: boolean | null;',
    '    height?: number;',
    'export interface SentHall {',
    '    district?: string;',
    '    shade?: string;',
  ]);
});
