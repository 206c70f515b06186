import type { Language } from '../../base/locales/language.js';
import type { WholeFields } from './fields.js';
import type { Json } from './json.js';
import { parseJson } from '../../base/values/json.js';

type HeaderValue = string | number;

/** A body whose JSON is known, in ASCII. Do not modify the bytes. */
export class WrittenJson {
  constructor(readonly json: Buffer) {}
}

/** The response of a handler. Numbers in headers stay numbers, for the envelope. */
export class RestResponse {
  /** WP: the links of an index of a namespace are shown independently of `_fields`. */
  keepsLinks = false;
  /** WP: fields whose parts cannot be selected by `_fields`. */
  wholeFields: WholeFields = [];
  /** Language of its descriptions; null if it has none. */
  language: Language | null = null;

  /** A text that is sent instead of the JSON body. */
  text: { type: string; body: string } | null = null;

  private known: Json | WrittenJson;

  constructor(
    body: Json | WrittenJson,
    public status = 200,
    public headers: Record<string, HeaderValue> = {},
  ) {
    this.known = body;
  }

  get body(): Json {
    if (this.known instanceof WrittenJson) this.known = parseJson(this.known.json.toString('latin1'));
    return this.known;
  }

  set body(body: Json) {
    this.known = body;
  }

  /** The body as JSON, if that is known and no fields are selected. */
  get json(): Buffer | null {
    return this.known instanceof WrittenJson ? this.known.json : null;
  }

  header(name: string, value: HeaderValue): this {
    this.headers[name] = value;
    return this;
  }
}
