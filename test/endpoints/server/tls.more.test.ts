import { execFile, execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { ownCertificate, openTls, secureServer } from '../../../src/server/app/tls.js';
import { resolveOptions, type ServerOptions } from '../../../src/server/config/index.js';
import { WORLD } from '../../support/api.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

const API = '/wp-json/tribe/events/v1';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (name: string): string => path.join(folder, name);

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface Asked {
  ca?: string | undefined;
  headers?: Record<string, string>;
  /** Server name that the client sends and verifies. */
  servername?: string;
}

/** Sends a request that trusts a certificate, which `fetch` does not support. */
const ask = (url: string, { ca, headers = {}, servername }: Asked): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = {
      headers,
      agent: false as const,
      ...(ca === undefined ? {} : { ca }),
      ...(servername === undefined ? {} : { servername }),
    };
    https
      .get(url, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
        );
      })
      .on('error', reject);
  });

describe('--tls', () => {
  const server = startTestServer({
    dataset: WORLD,
    tls: true,
    userCacheDir: folder,
    allowedHosts: ['calendar.test', '.sites.test'],
    sandboxDomain: 'sb.test',
  });
  const ca = (): string => readFileSync(server().certificate ?? '', 'utf8');
  const port = (): string => new URL(server().url).port;

  test('serves https, with the address in every link', async () => {
    expect(server().url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(server().restUrl).toBe(`${server().url}/wp-json`);
    const { status, text } = await ask(`${server().restUrl}/tribe/events/v1/events?per_page=1&starts_after=2020-01-01`, { ca: ca() });
    const list = JSON.parse(text) as { rest_url: string; next_rest_url: string; events: { url: string }[] };
    expect(status).toBe(200);
    for (const url of [list.rest_url, list.next_rest_url, list.events[0].url]) expect(url).toContain(`${server().url}/`);
  });

  test('to clients that trust the certificate only', async () => {
    await expect(ask(`${server().url}/health`, {})).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });

  test.each(['localhost', 'calendar.test', 'sites.test', 'www.sites.test', 'w1.sb.test'])('as %s', async (servername) => {
    const { status } = await ask(`https://127.0.0.1:${port()}/health`, { ca: ca(), servername, headers: { host: servername } });
    expect(status).toBe(200);
  });

  test('but not as any other name', async () => {
    const asked = ask(`https://127.0.0.1:${port()}/health`, { ca: ca(), servername: 'evil.test', headers: { host: 'evil.test' } });
    await expect(asked).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test('to curl', async () => {
    const { stdout } = await promisify(execFile)('curl', [
      '-sS',
      '--cacert',
      server().certificate ?? '',
      `https://localhost:${port()}/health`,
    ]);
    expect(JSON.parse(stdout)).toEqual({ status: 'ok' });
    const raw = `https://localhost:${port()}${API}/events?search=Köln&per_page=1`;
    const found = await promisify(execFile)('curl', ['-sS', '--cacert', server().certificate ?? '', raw]);
    expect(JSON.parse(found.stdout)).toHaveProperty('events');
  });

  test('a curl command of the journal reaches it', async () => {
    const url = `https://localhost:${port()}${API}/tags?per_page=1`;
    await ask(url, { ca: ca() });
    const { text } = await ask(`${server().url}/__qa/journal/curl?limit=1`, { ca: ca() });
    expect(text).toMatch(`curl --insecure '${url}'`);
    const { stdout } = await promisify(execFile)('sh', ['-c', text]);
    expect(JSON.parse(stdout)).toHaveProperty('tags');
  });

  test('with cookies for https', async () => {
    const { headers } = await ask(`${server().url}/wp-login.php`, { ca: ca() });
    expect([headers['set-cookie']].flat()[0]).toContain('; Secure');
  });

  test('and plain http to programs of the same machine, with the same links', async () => {
    expect(server().localUrl).toBe(`http://127.0.0.1:${port()}`);
    const { status, text } = await http('GET', `${server().localUrl}${API}/events?per_page=1`);
    expect(status).toBe(200);
    expect((JSON.parse(text) as { rest_url: string }).rest_url).toContain(`${server().url}/`);
    expect((await http('GET', `${server().localUrl}/__qa/health`)).status).toBe(200);
  });

  test('but not to other machines', async () => {
    const file = server().certificate ?? '';
    const key = readFileSync(path.join(path.dirname(file), 'key.pem'), 'utf8');
    const handled: string[] = [];
    const secure = secureServer({ cert: ca(), key, file })(({ url = '' }) => handled.push(url));
    const answers: string[] = [];
    const socket = new Duplex({ read: () => undefined, write: (chunk, _, done) => (answers.push(String(chunk)), done()) });
    Object.assign(socket, { remoteAddress: '198.51.100.7', localAddress: '192.0.2.2', setTimeout: () => socket });
    secure.emit('connection', socket);
    socket.push('POST /wp-login.php HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
    await once(socket, 'finish');
    expect(answers.join('')).toMatch(/^HTTP\/1\.1 400 .*Use https:/s);
    expect(handled).toEqual([]);
    socket.destroy();
  });

  test('sandboxes too', async () => {
    const { text } = await ask(`${server().url}/__sandbox/w1${API}/events?per_page=1`, { ca: ca() });
    expect((JSON.parse(text) as { rest_url: string }).rest_url).toContain(`${server().url}/__sandbox/w1${API}`);
  });

  test('a connection that stays silent does not keep the server from closing', async () => {
    const socket = net.connect(Number(port()), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.on('error', () => undefined);
    // Closed with the server, after the last test.
    socket.unref();
  });
});

describe('--tls --url request', () => {
  const server = startTestServer({ dataset: WORLD, tls: true, userCacheDir: folder, url: 'request' });

  test('links follow the request, by https', async () => {
    const ca = readFileSync(server().certificate ?? '', 'utf8');
    const headers = { host: 'localhost:8443' };
    const { text } = await ask(`${server().url}${API}/events?per_page=1`, { ca, headers, servername: 'localhost' });
    expect((JSON.parse(text) as { rest_url: string }).rest_url).toContain(`https://localhost:8443${API}`);
  });
});

describe('--tls --host 0.0.0.0', () => {
  const server = startTestServer({ dataset: WORLD, tls: true, userCacheDir: inFolder('team'), host: '0.0.0.0', qa: false });

  test('the certificate is for each address of the network, and links follow the one in use', async () => {
    const ca = readFileSync(server().certificate ?? '', 'utf8');
    const { addresses, localUrl } = server();
    expect(addresses[0]).toBe(localUrl.replace('http:', 'https:'));
    for (const url of addresses) {
      const { text } = await ask(`${url}${API}/events?per_page=1`, { ca });
      expect((JSON.parse(text) as { rest_url: string }).rest_url).toContain(`${url}${API}`);
    }
  });
});

describe('--tls-cert and --tls-key', () => {
  const files = { tlsCert: inFolder('given.pem'), tlsKey: inFolder('given.key') };
  const selfSigned = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=given.test', '-addext', 'subjectAltName=DNS:given.test', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...selfSigned, '-keyout', files.tlsKey, '-out', files.tlsCert], { stdio: 'ignore' });
  const server = startTestServer({ dataset: WORLD, url: 'https://given.test', ...files });

  test('serve that certificate', async () => {
    expect([server().url, server().certificate]).toEqual(['https://given.test', files.tlsCert]);
    const ca = readFileSync(files.tlsCert, 'utf8');
    const { port } = new URL(server().localUrl);
    const { text } = await ask(`https://127.0.0.1:${port}${API}/events?per_page=1`, { ca, servername: 'given.test' });
    expect((JSON.parse(text) as { rest_url: string }).rest_url).toContain(`https://given.test${API}`);
  });

  const fails = (options: Partial<ServerOptions>): Promise<unknown> => openTls(resolveOptions({ ...files, ...options }));

  test('are checked', async () => {
    await expect(fails({ tlsCert: inFolder('none.pem') })).rejects.toThrow(`--tls-cert: cannot read ${inFolder('none.pem')} (ENOENT)`);
    await expect(openTls(resolveOptions({ tlsCert: files.tlsCert }))).rejects.toThrow('--tls-cert and --tls-key must be used together');
    await expect(fails({ tlsCert: files.tlsKey })).rejects.toThrow(`--tls-cert: ${files.tlsKey} contains no certificate`);
    await expect(fails({ tlsKey: files.tlsCert })).rejects.toThrow(`--tls-key: ${files.tlsCert} contains no private key`);
    const other = await ownCertificate(inFolder('other'), []);
    await expect(fails({ tlsKey: other.key })).rejects.toThrow(`${other.key} is not the key of the certificate in ${files.tlsCert}`);
    writeFileSync(inFolder('locked.key'), execFileSync('openssl', ['pkey', '-in', files.tlsKey, '-aes256', '-passout', 'pass:word']));
    await expect(fails({ tlsKey: inFolder('locked.key') })).rejects.toThrow('locked.key is encrypted. Decrypt it with: openssl pkey');
  });
});

describe('the certificate of a user', () => {
  const at = inFolder('kept');

  test('is made once', async () => {
    const made = await Promise.all([ownCertificate(at, []), ownCertificate(at, [])]);
    const first = readFileSync(made[0].cert, 'utf8');
    expect(new X509Certificate(first).checkPrivateKey((await import('node:crypto')).createPrivateKey(readFileSync(made[1].key)))).toBe(
      true,
    );
    expect(statSync(made[0].key).mode & 0o777).toBe(0o600);
    await ownCertificate(at, ['127.0.0.1', '::1']);
    expect(readFileSync(made[0].cert, 'utf8')).toBe(first);
  });

  test('gets further names, and keeps those it has', async () => {
    const key = readFileSync(path.join(at, 'key.pem'), 'utf8');
    await ownCertificate(at, ['one.test', '192.0.2.7']);
    const { cert } = await ownCertificate(at, ['two.test', '2001:db8::7']);
    const text = readFileSync(cert, 'utf8');
    const certificate = new X509Certificate(text);
    for (const name of ['localhost', 'one.test', 'two.test']) expect(certificate.checkHost(name)).toBe(name);
    for (const address of ['127.0.0.1', '::1', '192.0.2.7', '2001:db8::7']) expect(certificate.checkIP(address)).toBe(address);
    expect(certificate.ca).toBe(false);
    expect(readFileSync(path.join(at, 'key.pem'), 'utf8')).toBe(key);
    await ownCertificate(at, ['one.test', '2001:db8::7']);
    expect(readFileSync(cert, 'utf8')).toBe(text);
  });

  test('is replaced when it is about to end', async () => {
    const [cert, key] = [path.join(at, 'cert.pem'), path.join(at, 'key.pem')];
    const alt = 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1';
    execFileSync('openssl', ['req', '-x509', '-key', key, '-subj', '/CN=localhost', '-addext', alt, '-days', '20', '-out', cert]);
    await ownCertificate(at, []);
    const left = new Date(new X509Certificate(readFileSync(cert)).validTo).getTime() - Date.now();
    expect(left / 86_400_000).toBeGreaterThan(800);
    expect(left / 86_400_000).toBeLessThan(825);
  });

  test('cannot be kept where a file is in the way', async () => {
    writeFileSync(inFolder('file'), '');
    await expect(openTls(resolveOptions({ tls: true, userCacheDir: inFolder('file') }))).rejects.toThrow(
      /--tls: cannot keep a certificate in .*file\/wp-understudy\/tls \(ENOTDIR\)\. Set another folder with --user-cache-dir/,
    );
  });
});
