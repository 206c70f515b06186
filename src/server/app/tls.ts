import { createPrivateKey, X509Certificate, createPublicKey, generateKeyPair, randomBytes, type KeyObject } from 'node:crypto';
import { readFileSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { ConfigError, fixedUrl, type ServerOptions } from '../config/index.js';
import { networkAddresses } from '../../base/system/network.js';
import { isAnyAddress, isLoopback } from '../../base/text/hosts.js';
import { endWith } from './linger.js';
import { codeOf, messageOf } from '../../base/values/errors.js';
import { promisify } from 'node:util';
import { realTime } from '../../wordpress/clock.js';

interface CertificateFiles {
  cert: string;
  key: string;
}

const DAY_MS = 24 * 3600 * 1000;
/** The longest that Apple's systems accept is 825 days. */
const LIFETIME_MS = 820 * DAY_MS;
/** A certificate that ends sooner is replaced. */
const LEFT_MS = 30 * DAY_MS;

/** Names and addresses that every certificate has. */
const ALWAYS = ['localhost', '127.0.0.1', '::1'];

function readIfAny(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The names and addresses in a certificate. OpenSSL writes IPv6 addresses in full. */
const namesIn = (certificate: X509Certificate): string[] =>
  (certificate.subjectAltName ?? '').split(', ').map((entry) => {
    const [, kind, name] = /^(DNS|IP Address):(.*)$/.exec(entry) ?? [];
    return kind === 'IP Address' && isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : (name ?? '');
  });

/** Writes a file atomically, since another process may be reading it. */
function replaceFile(file: string, content: string, mode: number): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, content, { mode });
  renameSync(draft, file);
}

/** Writes a file unless it exists. @returns its content, which the first of several concurrent processes has written */
function writeOnce(file: string, content: string, mode: number): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, content, { mode });
  try {
    linkSync(draft, file);
    return content;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return readFileSync(file, 'utf8');
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

async function newKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return privateKey;
}

/** Makes a self-signed certificate. It is not a certificate authority: trusting it trusts only these names. */
async function newCertificate(key: string, names: readonly string[]): Promise<string> {
  const { default: forge } = await import('node-forge');
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString());
  // A positive number.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  const now = realTime();
  // Clocks differ.
  certificate.validity.notBefore = new Date(now - DAY_MS);
  certificate.validity.notAfter = new Date(now + LIFETIME_MS);
  const subject = [
    { name: 'commonName', value: 'localhost' },
    { name: 'organizationName', value: 'Understudy, on this machine only' },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name })) },
    { name: 'subjectKeyIdentifier' },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate).replaceAll('\r', '');
}

/** The names for a new certificate, if this one lacks names or is about to expire; null if it is valid. */
function missingNames(known: string | null, key: string, wanted: readonly string[]): string[] | null {
  if (known === null) return [...wanted];
  const certificate = new X509Certificate(known);
  const names = namesIn(certificate);
  const ends = new Date(certificate.validTo).getTime();
  const isOurs = certificate.publicKey.equals(createPublicKey(key));
  if (isOurs && ends - realTime() > LEFT_MS && wanted.every((name) => names.includes(name))) return null;
  // Keeps the names of other projects, which would otherwise replace the certificate in turn.
  return [...new Set([...wanted, ...names])];
}

/**
 * The certificate of this user for servers on this machine: created on first use, and renewed when it lacks a name or is about to expire.
 * The key stays the same.
 * @param folder where it is kept
 * @param hosts names and addresses, besides the loopback interface's
 */
export async function ownCertificate(folder: string, hosts: readonly string[]): Promise<CertificateFiles> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };
  const key = readIfAny(files.key) ?? writeOnce(files.key, await newKey(), 0o600);
  const names = missingNames(readIfAny(files.cert), key, [...new Set([...ALWAYS, ...hosts])]);
  if (names) replaceFile(files.cert, await newCertificate(key, names), 0o644);
  return files;
}

/** The certificate and key of an HTTPS server. */
interface Tls {
  cert: string;
  key: string;
  /** File of the certificate, for clients that have to trust it. */
  file: string;
}

type TlsOptions = Pick<ServerOptions, 'tls' | 'tlsCert' | 'tlsKey' | 'host' | 'url' | 'allowedHosts' | 'sandboxDomain' | 'userCacheDir'>;

/** The host names under which clients may request a server. */
function hostsOf({ host, allowedHosts, sandboxDomain, ...rest }: TlsOptions): string[] {
  const url = fixedUrl(rest);
  const named = url === undefined ? [] : [new URL(url).hostname.replace(/^\[|\]$/g, '')];
  const allowed = allowedHosts.flatMap((name) => (name.startsWith('.') ? [name.slice(1), `*${name}`] : [name]));
  const sandboxes = sandboxDomain === undefined ? [] : [sandboxDomain, `*.${sandboxDomain}`];
  const bound = isAnyAddress(host) ? networkAddresses(host) : [host];
  return [...bound, ...named, ...allowed, ...sandboxes];
}

function read(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${option}: cannot read ${file} (${codeOf(error) ?? String(error)})`);
  }
}

function parseCertificate(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new ConfigError(`--tls-cert: ${file} contains no certificate. Use a PEM file, which has a line BEGIN CERTIFICATE`);
  }
}

function parseKey(pem: string, file: string): KeyObject {
  if (pem.includes('ENCRYPTED'))
    throw new ConfigError(`--tls-key: ${file} is encrypted. Decrypt it with: openssl pkey -in ${file} -out decrypted.pem`);
  try {
    return createPrivateKey(pem);
  } catch {
    throw new ConfigError(`--tls-key: ${file} contains no private key. Use a PEM file, which has a line BEGIN PRIVATE KEY`);
  }
}

/** The certificate that options name. @throws ConfigError for a missing file, a file of another kind, or a key of another certificate */
function givenCertificate({ tlsCert, tlsKey }: TlsOptions): Tls | null {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) throw new ConfigError('--tls-cert and --tls-key must be used together');
  const [cert, key] = [read(tlsCert, '--tls-cert'), read(tlsKey, '--tls-key')];
  if (!parseCertificate(cert, tlsCert).checkPrivateKey(parseKey(key, tlsKey)))
    throw new ConfigError(`--tls-key: ${tlsKey} is not the key of the certificate in ${tlsCert}. Use the key that it was made with`);
  return { cert, key, file: path.resolve(tlsCert) };
}

/** When the certificate that options name is valid, ms since 1970 UTC; null if they name none. @throws ConfigError as `openTls` does */
export function validityOf(options: TlsOptions): { from: number; to: number } | null {
  const given = givenCertificate(options);
  if (!given) return null;
  const { validFrom, validTo } = new X509Certificate(given.cert);
  return { from: Date.parse(validFrom), to: Date.parse(validTo) };
}

/** The folder of the certificate of a user. */
const folderOf = ({ userCacheDir }: TlsOptions): string =>
  path.resolve(userCacheDir ?? path.join(os.homedir(), '.cache'), 'wp-understudy', 'tls');

async function madeCertificate(options: TlsOptions): Promise<CertificateFiles> {
  const folder = folderOf(options);
  try {
    return await ownCertificate(folder, hostsOf(options));
  } catch (error) {
    throw new ConfigError(
      `--tls: cannot keep a certificate in ${folder} (${codeOf(error) ?? messageOf(error)}). Set another folder with --user-cache-dir`,
    );
  }
}

/** The certificate of a server. @throws ConfigError */
export async function openTls(options: TlsOptions): Promise<Tls> {
  const given = givenCertificate(options);
  if (given) return given;
  const { cert, key } = await madeCertificate(options);
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8'), file: cert };
}

/** The first byte of a TLS connection. */
const HANDSHAKE = 0x16;

/** How long a connection may stay silent, in ms. */
const SILENCE_MS = 60_000;

const isFromHere = ({ remoteAddress, localAddress }: Socket): boolean =>
  remoteAddress !== undefined && (isLoopback(remoteAddress) || remoteAddress === localAddress);

const PLAIN = 'This port speaks HTTPS. Use https:// in the URL.\n';
const REJECTION = `HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: ${PLAIN.length}\r\nConnection: close\r\n\r\n${PLAIN}`;

/**
 * An HTTPS server that also accepts plain HTTP from the same machine on the same port, so that commands, test helpers and health checks
 * need no certificate.
 */
export const secureServer =
  ({ cert, key }: Tls) =>
  (handle: RequestListener): Server => {
    const server = https.createServer({ cert, key }, handle);
    const startTls = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    const silent = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      silent.add(socket);
      socket.setTimeout(SILENCE_MS, () => socket.destroy());
      socket.on('error', () => socket.destroy());
      socket.once('close', () => silent.delete(socket));
      socket.once('data', (first: Buffer) => {
        silent.delete(socket);
        socket.setTimeout(0).removeAllListeners('timeout');
        socket.pause();
        socket.unshift(first);
        if (first[0] === HANDSHAKE) for (const start of startTls) start.call(server, socket);
        // The parser of HTTP takes any socket.
        else if (isFromHere(socket)) {
          server.emit('secureConnection', socket);
          socket.resume();
        } else endWith(socket, REJECTION);
      });
    });
    const closeAll = server.closeAllConnections.bind(server);
    server.closeAllConnections = () => {
      for (const socket of silent) socket.destroy();
      closeAll();
    };
    return server;
  };
