import mustache from 'mustache';
import { isTooDeep } from '../values/nesting.js';
import type { Json } from '../values/records.js';

/** Values that templates can name. */
export interface TemplateView {
  request: {
    method: string;
    url: string;
    path: string;
    pathSegments: readonly string[];
    query: object;
    headers: object;
    body: Json | undefined;
  };
  /** The address of the site, without trailing slash. */
  site: { url: string };
  /** ISO 8601. */
  now: string;
}

const KNOWN = /^(?:now|site\.url|request\.(?:(?:method|url|path)|(?:pathSegments|query|headers|body)(?:\..+)?))$/;

const NAMES =
  'now, site.url, request.method, request.url, request.path, request.pathSegments.0, request.query.NAME, request.headers.NAME and request.body.NAME';

const isTemplate = (text: string): boolean => text.includes('{{');

/** Changes all texts of a value, but not the names of members. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}

/** Names of values: those in sections are relative. */
const namesIn = (tokens: readonly [type: string, name: string][]): string[] =>
  tokens.flatMap(([type, name]) => (/^[{&#^]$|^name$/.test(type) ? [name] : []));

function problemIn(text: string): string | undefined {
  try {
    const tokens = new mustache.Writer().parse(text) as [string, string][];
    // Within sections, a name is looked up in each of them.
    if (isTooDeep(tokens)) return 'invalid template: its sections are nested too deeply';
    const unknown = namesIn(tokens).find((name) => !KNOWN.test(name));
    return unknown === undefined ? undefined : `"${unknown}" is not a value of a template. These are ${NAMES}`;
  } catch (error) {
    return `invalid template: ${(error as Error).message.toLowerCase()}`;
  }
}

export function templateProblem(value: Json): string | undefined {
  const problems: string[] = [];
  mapTexts(value, (text) => {
    const problem = isTemplate(text) ? problemIn(text) : undefined;
    if (problem !== undefined) problems.push(`${problem}. Set "template": false to send {{…}} as it is`);
    return text;
  });
  return problems[0];
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A function that fills the templates in a value. It keeps what it has compiled. */
export function templateFiller(): (value: Json, view: TemplateView) => Json {
  const writer = new mustache.Writer();
  return (value, view) => mapTexts(value, (text) => (isTemplate(text) ? writer.render(text, view, undefined, { escape: shown }) : text));
}
