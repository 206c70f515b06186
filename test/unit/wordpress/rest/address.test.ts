import type { Socket } from 'node:net';
import { siteUrls } from '../../../../src/wordpress/rest/transport/address.js';

const PEER = '10.0.0.1';

/** What a server reads from the headers of a request. */
const read = (proxies: number, headers: Record<string, string>): { client: string; url: string } => {
  const { clientOf, urlOf } = siteUrls({ url: 'http://own.example', followsRequest: true, proxies });
  const request = { headers: { host: 'upstream', ...headers }, socket: { remoteAddress: PEER } as Socket };
  return { client: clientOf(request), url: urlOf(request) };
};

describe('what proxies say of the client', () => {
  test.each<[number, string | undefined, string]>([
    [0, '192.0.2.1', PEER],
    [1, undefined, PEER],
    [1, '', PEER],
    [1, '192.0.2.1', '192.0.2.1'],
    [1, '127.0.0.1, 192.0.2.1', '192.0.2.1'],
    [1, '127.0.0.1,192.0.2.1:50123', '192.0.2.1'],
    [1, '2001:db8::1', '2001:db8::1'],
    [1, '[2001:db8::1]:50123', '2001:db8::1'],
    [1, '192.0.2.1, unknown', PEER],
    [1, '192.0.2.1, ', PEER],
    [2, '127.0.0.1, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
    [2, '192.0.2.1', '192.0.2.1'],
  ])('through %i proxies, %j is %s', (proxies, value, expected) => {
    expect(read(proxies, value === undefined ? {} : { 'x-forwarded-for': value }).client).toBe(expected);
  });

  test.each<[number, Record<string, string>, string]>([
    [0, { host: 'evil.example', proto: 'https', prefix: '/evil' }, 'http://upstream'],
    [1, { host: 'evil.example, calendar.example', proto: 'http, https', prefix: '/evil, /calendar' }, 'https://calendar.example/calendar'],
    [1, { host: 'evil.example, calendar.example', port: '1, 8443' }, 'http://calendar.example:8443'],
    [2, { host: 'evil.example, calendar.example, inner', proto: 'https' }, 'https://calendar.example'],
  ])('through %i proxies, %j is %s', (proxies, values, expected) => {
    const headers = Object.fromEntries(Object.entries(values).map(([name, value]) => [`x-forwarded-${name}`, value]));
    expect(read(proxies, headers).url).toBe(expected);
  });
});
