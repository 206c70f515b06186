import { parse } from 'parse5';

interface Node {
  tagName?: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Node[];
  value?: string;
}

/** All elements of a document. */
export function elementsOf(page: string): Node[] {
  const walk = (node: Node): Node[] => [...(node.tagName === undefined ? [] : [node]), ...(node.childNodes ?? []).flatMap(walk)];
  return walk(parse(page) as Node);
}

const attribute = (node: Node, wanted: string): string | undefined => node.attrs?.find(({ name }) => name === wanted)?.value;

const LEADING = new Set(['href', 'src', 'action', 'formaction', 'poster', 'cite', 'data', 'srcset']);

const JSON_LD = 'application/ld+json';

/** Types of scripts that are data, which browsers do not run. */
const DATA: (string | undefined)[] = [JSON_LD, 'application/json'];

/** Elements that a browser would run, or that an attacker could use for styles or frames. The list should be empty. */
export function runningIn(page: string): string[] {
  return elementsOf(page).flatMap((node) => {
    const name = node.tagName ?? '';
    const isData = name === 'script' && DATA.includes(attribute(node, 'type'));
    const elements = ['script', 'style', 'iframe', 'object', 'embed', 'base'].includes(name) && !isData ? [`<${name}>`] : [];
    const handlers = (node.attrs ?? [])
      .filter(({ name: each }) => each.startsWith('on') || each === 'srcdoc')
      .map(({ name: each }) => each);
    const addresses = (node.attrs ?? [])
      .filter(({ name: each, value }) => LEADING.has(each) && /^[\s\0-\x20]*(?:javascript|vbscript|data):/i.test(value))
      .map(({ name: each, value }) => `${each}=${value}`);
    return [...elements, ...handlers, ...addresses];
  });
}

/** The JSON-LD data of a page. */
export const jsonLdIn = (page: string): unknown[] =>
  elementsOf(page)
    .filter((node) => node.tagName === 'script' && attribute(node, 'type') === JSON_LD)
    .map((node) => JSON.parse(node.childNodes?.[0]?.value ?? '') as unknown);

/** HTML parse errors of a page. */
export function mistakesIn(page: string): string[] {
  const errors: string[] = [];
  parse(page, { onParseError: ({ code }) => errors.push(code) });
  return errors;
}
