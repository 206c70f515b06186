import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DEFAULT_MEDIA_OPTIONS,
  MediaError,
  fetchImage,
  headImage,
  isPublicAddress,
  type MediaOptions,
  type Resolve,
} from '../../../src/wordpress/media/fetch.js';

test.each([
  ['8.8.8.8', true],
  ['1.1.1.1', true],
  ['9.255.255.255', true],
  ['11.0.0.0', true],
  ['100.63.255.255', true],
  ['100.128.0.0', true],
  ['169.253.255.255', true],
  ['172.15.255.255', true],
  ['172.32.0.0', true],
  ['192.167.255.255', true],
  ['223.255.255.255', true],
  ['2606:4700:4700::1111', true],
  ['2a00:1450:4001:80b::200e', true],
  // this host, unspecified
  ['0.0.0.0', false],
  ['0.1.2.3', false],
  ['::', false],
  // loopback
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['::1', false],
  // private and unique local
  ['10.0.0.1', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['fc00::1', false],
  ['fd12:3456::1', false],
  ['fec0::1', false],
  // carrier-grade NAT, and a metadata service in it
  ['100.64.0.1', false],
  ['100.100.100.200', false],
  ['100.127.255.255', false],
  // link-local and metadata services
  ['169.254.0.1', false],
  ['169.254.169.254', false],
  ['fe80::1', false],
  ['febf::1', false],
  ['fd00:ec2::254', false],
  ['192.0.0.192', false],
  ['168.63.129.16', false],
  // documentation and benchmarks
  ['192.0.2.1', false],
  ['198.51.100.1', false],
  ['203.0.113.1', false],
  ['198.18.0.1', false],
  ['198.19.255.255', false],
  ['2001:db8::1', false],
  ['3fff::1', false],
  // multicast, reserved, broadcast
  ['224.0.0.1', false],
  ['239.255.255.255', false],
  ['240.0.0.1', false],
  ['255.255.255.255', false],
  ['ff02::1', false],
  // IPv4 inside IPv6: mapped, compatible, NAT64, 6to4, Teredo
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['::ffff:8.8.8.8', false],
  ['::127.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b:1::1', false],
  ['2002:7f00:1::', false],
  ['2001::1', false],
  ['192.88.99.1', false],
  // invalid addresses
  ['localhost', false],
  ['', false],
  ['127.1', false],
  ['fe80::1%eth0', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

const IMAGE = Buffer.from('an image, for all that a download knows');
const LOCAL: MediaOptions = { allowPrivateUrls: true, maxBytes: 1000, timeoutMs: 5000 };

let server: Server;
let port: number;
let requested: string[];
let listener: RequestListener;

beforeEach(async () => {
  requested = [];
  listener = (_, response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end(IMAGE);
  server = createServer((request, response) => {
    requested.push(`${request.method} ${request.url}`);
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const at = (path: string, host = '127.0.0.1'): string => `http://${host}:${port}${path}`;

const resolveTo =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

const refusal = async (download: Promise<unknown>): Promise<string> => {
  const error: unknown = await download.catch((reason: unknown) => reason);
  if (!(error instanceof MediaError)) throw new Error(`expected a MediaError, not ${String(error)}`);
  return error.message;
};

describe('fetching from public addresses only', () => {
  const literal = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', '[::]'];

  test.each(literal)('%s in the URL is rejected without a request', async (host) => {
    expect(await refusal(fetchImage(at('/a.png', host), DEFAULT_MEDIA_OPTIONS))).toContain('is not a public address');
    expect(await refusal(headImage(at('/a.png', host), DEFAULT_MEDIA_OPTIONS))).toContain('is not a public address');
    expect(requested).toEqual([]);
  });

  test('a host name that resolves to a private address is rejected', async () => {
    expect(await refusal(fetchImage(at('/a.png', 'localhost'), DEFAULT_MEDIA_OPTIONS))).toContain('is not a public address');
    expect(requested).toEqual([]);
  });

  test.each([[['10.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['2606:4700:4700::1111', '::ffff:127.0.0.1']], [['169.254.169.254', '8.8.8.8']]])(
    'a host name that resolves to %j is rejected',
    async (addresses) => {
      const url = at('/a.png', 'images.example');
      expect(await refusal(fetchImage(url, DEFAULT_MEDIA_OPTIONS, resolveTo(...addresses)))).toContain('is not a public address');
      expect(requested).toEqual([]);
    },
  );

  test('a host name without addresses is rejected', async () => {
    expect(await refusal(fetchImage(at('/a.png', 'images.example'), DEFAULT_MEDIA_OPTIONS, resolveTo()))).toContain('has no address');
  });

  test('connects to the checked address, and resolves the host name once', async () => {
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
    const asked: string[] = [];
    const rebinding: Resolve = (hostname) => {
      asked.push(hostname);
      return resolveTo(answers.shift() ?? '')(hostname);
    };
    await expect(fetchImage(at('/a.png', 'images.example'), LOCAL, rebinding)).resolves.toEqual(IMAGE);
    expect(asked).toEqual(['images.example']);
    expect(requested).toEqual(['GET /a.png']);
  });

  test.each(['127.0.0.1', 'localhost'])('a redirect to %s is checked like the first URL', async (target) => {
    // Only private servers can be reached here, so the guard is enabled after the first request.
    const options = { ...LOCAL };
    listener = (_, response) => {
      options.allowPrivateUrls = false;
      response.writeHead(302, { Location: at('/secret.png', target) }).end();
    };
    expect(await refusal(fetchImage(at('/a.png'), options))).toContain('is not a public address');
    expect(requested).toEqual(['GET /a.png']);
  });

  test('the option allows private addresses', async () => {
    await expect(fetchImage(at('/a.png', 'localhost'), LOCAL, resolveTo('127.0.0.1'))).resolves.toEqual(IMAGE);
    await expect(headImage(at('/a.png'), LOCAL)).resolves.toEqual({ status: 200, contentType: 'image/png' });
  });
});

describe('redirects', () => {
  const countDown: RequestListener = (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left > 0) response.writeHead([301, 302, 303, 307, 308][left % 5], { Location: `/${left - 1}` }).end();
    else response.writeHead(200, { 'Content-Type': 'image/png' }).end(IMAGE);
  };

  test('follows five redirects', async () => {
    listener = countDown;
    await expect(fetchImage(at('/5'), LOCAL)).resolves.toEqual(IMAGE);
    expect(requested).toHaveLength(6);
  });

  test('rejects the sixth redirect', async () => {
    listener = countDown;
    expect(await refusal(fetchImage(at('/6'), LOCAL))).toContain('more than 5 redirects');
    expect(requested).toHaveLength(6);
  });

  test.each([
    ['file:///etc/passwd', 'unsupported protocol'],
    ['ftp://127.0.0.1/a.png', 'unsupported protocol'],
    ['data:image/png;base64,AAAA', 'unsupported protocol'],
    ['http://user:secret@127.0.0.1/a.png', 'credentials'],
    ['http://', 'Invalid URL'],
  ])('rejects a redirect to %s', async (location, reason) => {
    listener = (_, response) => response.writeHead(302, { Location: location }).end();
    expect(await refusal(fetchImage(at('/a.png'), LOCAL))).toContain(reason);
    expect(requested).toHaveLength(1);
  });

  test('treats a redirect without Location as a plain response', async () => {
    listener = (_, response) => response.writeHead(302).end();
    expect(await refusal(fetchImage(at('/a.png'), LOCAL))).toContain('status 302');
  });

  test('HEAD does not follow redirects', async () => {
    listener = countDown;
    expect((await headImage(at('/1'), LOCAL)).status).toBe(302);
    expect(requested).toEqual(['HEAD /1']);
  });
});

describe('limits', () => {
  const image = { 'Content-Type': 'image/png' };

  test('accepts a file of exactly the size limit', async () => {
    listener = (_, response) => response.writeHead(200, image).end(Buffer.alloc(1000));
    expect(await fetchImage(at('/a.png'), LOCAL)).toHaveLength(1000);
  });

  test('does not read a file whose Content-Length exceeds the limit', async () => {
    listener = (_, response) => {
      response.writeHead(200, { ...image, 'Content-Length': 1001 });
      response.write('x');
    };
    expect(await refusal(fetchImage(at('/a.png'), LOCAL))).toContain('larger than 1000 bytes');
  });

  test('stops reading a file without Content-Length at the limit', async () => {
    let isLeft: Promise<unknown> = Promise.resolve();
    listener = (request, response) => {
      isLeft = once(request.socket, 'close');
      response.writeHead(200, image);
      for (let i = 0; i < 3; i++) response.write(Buffer.alloc(500));
    };
    expect(await refusal(fetchImage(at('/a.png'), LOCAL))).toContain('larger than 1000 bytes');
    await isLeft;
  });

  test.each<[string, RequestListener]>([
    ['headers that never come', () => undefined],
    [
      'a body that never ends',
      (_, response) => {
        response.writeHead(200, image);
        const drip = setInterval(() => response.write('x'), 20);
        response.once('close', () => clearInterval(drip));
      },
    ],
    [
      'redirects that are slow together',
      (request, response) => void setTimeout(() => response.writeHead(302, { Location: `${request.url}x` }).end(), 80),
    ],
  ])('times out: %s', async (_name, slow) => {
    listener = slow;
    const start = performance.now();
    expect(await refusal(fetchImage(at('/a'), { ...LOCAL, timeoutMs: 200 }))).toContain('timed out');
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('times out: a host name that never resolves', async () => {
    const never: Resolve = () => new Promise(() => undefined);
    expect(await refusal(fetchImage(at('/a', 'images.example'), { ...LOCAL, timeoutMs: 100 }, never))).toContain('timed out');
  });

  test.each([
    [200, 'text/html', 'is not an image type'],
    [200, 'application/octet-stream', 'is not an image type'],
    [200, undefined, 'is not an image type'],
    [404, 'image/png', 'status 404'],
    [206, 'image/png', 'status 206'],
    [500, 'text/plain', 'status 500'],
  ])('a response %d of type %s is rejected', async (status, type, reason) => {
    listener = (_, response) => response.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end(IMAGE);
    expect(await refusal(fetchImage(at('/a.png'), LOCAL))).toContain(reason);
  });

  test('a compressed response is rejected because its size is unknown', async () => {
    listener = (_, response) => response.writeHead(200, { ...image, 'Content-Encoding': 'gzip' }).end(IMAGE);
    expect(await refusal(fetchImage(at('/a.png'), LOCAL))).toContain('compressed');
  });

  test('an incomplete file is rejected', async () => {
    listener = (_, response) => {
      response.writeHead(200, { ...image, 'Content-Length': 500 });
      response.write(Buffer.alloc(100), () => response.destroy());
    };
    expect(await refusal(fetchImage(at('/a.png'), LOCAL))).toContain('aborted');
  });
});

test.each(['ftp://example.org/a.png', 'file:///a.png', 'not a url', 'http://user@example.org/a.png'])(
  '%s is never requested',
  async (url) => {
    const asked: string[] = [];
    const resolve: Resolve = (hostname) => {
      asked.push(hostname);
      return resolveTo('127.0.0.1')(hostname);
    };
    await refusal(fetchImage(url, LOCAL, resolve));
    await refusal(headImage(url, LOCAL, resolve));
    expect(asked).toEqual([]);
  },
);
