import { urlMover, type MoveText } from '../../transfer/load/links.js';

/** Placeholder for the URL of the site in cassettes. No such host exists (RFC 2606). */
const PLACEHOLDER = 'https://site.invalid';

const withoutScheme = (url: string): string => url.replace(/^https?:/, '');

const withOtherScheme = (url: string): string =>
  url.startsWith('https:') ? url.replace(/^https:/, 'http:') : url.replace(/^http:/, 'https:');

function withOtherName(url: string): string {
  const [scheme, rest] = url.split('//');
  return rest.startsWith('www.') ? `${scheme}//${rest.slice(4)}` : `${scheme}//www.${rest}`;
}

/** All forms of the URL of a site: with `http` or `https`, with `www.` or without, and without a scheme. */
function spellingsOf(url: string): string[] {
  const names = [url, withOtherName(url)];
  return [...names.flatMap((name) => [name, withOtherScheme(name)]), ...names.map(withoutScheme)];
}

const chained =
  (moves: readonly MoveText[]): MoveText =>
  (text) =>
    moves.reduce((moved, move) => move(moved), text);

/** Converts links between the site, the cassette and this server. */
export class LinkExchange {
  /** From the site to the cassette. */
  readonly store: MoveText;
  /** From the cassette to the site. */
  readonly ask: MoveText;

  /** @param site URL of the site, without trailing slash */
  constructor(site: string) {
    this.store = chained(spellingsOf(site).map((url) => urlMover(url, url.startsWith('//') ? withoutScheme(PLACEHOLDER) : PLACEHOLDER)));
    this.ask = urlMover(PLACEHOLDER, site);
  }

  /** From this server to the cassette. */
  inward(ownUrl: string): MoveText {
    return urlMover(ownUrl, PLACEHOLDER);
  }

  /** From the cassette to this server. */
  outward(ownUrl: string): MoveText {
    return chained([urlMover(PLACEHOLDER, ownUrl), urlMover(withoutScheme(PLACEHOLDER), withoutScheme(ownUrl))]);
  }
}

/** Applies a function to text in any encoding that extends ASCII, as URLs do. */
export const moveBytes = (bytes: Buffer, move: MoveText): Buffer => {
  const text = bytes.toString('latin1');
  const moved = move(text);
  return moved === text ? bytes : Buffer.from(moved, 'latin1');
};
