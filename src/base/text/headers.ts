import { validateHeaderName, validateHeaderValue } from 'node:http';

/** Problem with headers that HTTP cannot send. */
export function headerProblem(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      return `invalid header ${JSON.stringify(`${name}: ${value}`)}. A name consists of letters, digits and hyphens, and a value has no line breaks`;
    }
  }
  return undefined;
}

/** Percent-encodes what headers cannot have, or clients read differently. */
export const sendableValue = (value: string): string =>
  value.replace(/[^\t\x20-\x7e]/gu, (character) => encodeURIComponent(Buffer.from(character).toString()));
