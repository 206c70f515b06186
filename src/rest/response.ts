import type { Language } from '../locales/language.js';
import type { WholeFields } from './fields.js';
import type { Json } from './json.js';

export type HeaderValue = string | number;

/** The response of a handler. Numbers in headers stay numbers, as the envelope shows them. */
export class RestResponse {
  /** WP: the links of an index of a namespace are shown independently of `_fields`. */
  keepsLinks = false;
  /** WP: fields of which no part can be named in `_fields`. */
  wholeFields: WholeFields = [];
  /** Language of the descriptions in it; null where it has none. */
  language: Language | null = null;

  /** Another text than JSON, sent in place of the body. */
  text: { type: string; body: string } | null = null;

  constructor(
    public body: Json,
    public status = 200,
    public headers: Record<string, HeaderValue> = {},
  ) {}

  header(name: string, value: HeaderValue): this {
    this.headers[name] = value;
    return this;
  }
}
