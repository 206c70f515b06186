import path from 'node:path';

/** The folder of the cassette of a site. */
export const cassetteFolder = (url: string, cassette: string | undefined): string =>
  path.resolve(cassette ?? path.join('cassettes', new URL(url).host.replace(':', '-')));
