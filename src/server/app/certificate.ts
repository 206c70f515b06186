import { createPublicKey, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { realTime } from '../../wordpress/clock.js';
import { codeOf } from '../../base/values/errors.js';

/** A certificate and its key, as files. */
export interface CertificateFiles {
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
