import { createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { Binary, type Document } from 'mongodb';
import { couple, targetOf } from './outage.js';
import { documentOf, HANDSHAKES, legacyReply, message, messagesOf, OP_QUERY } from './replica-set.js';

/*
 * An engine with a password, which the embedded one does not have: SCRAM-SHA-256 (RFC 5802, RFC 7677) in front of it, as MongoDB does it.
 */

const ROUNDS = 4096;
const hmac = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const HELLO: Document = {
  ok: 1,
  isWritablePrimary: true,
  ismaster: true,
  saslSupportedMechs: ['SCRAM-SHA-256'],
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 25,
};

const FAILED: Document = { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' };
const UNAUTHORIZED: Document = { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'Command requires authentication' };

const payloadOf = (command: Document): string => (command['payload'] as Binary).toString('utf8');
const payload = (text: string, done = false): Document => ({ ok: 1, conversationId: 1, done, payload: new Binary(Buffer.from(text)) });

/** The server's side of one sign-in. @param password as SASLprep leaves it @returns a function that replies to one command of the sign-in */
function signInWith(password: string): (command: Document) => Document {
  const salt = Buffer.from('salt of this user');
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256');
  let said = '';
  return (command) => {
    const received = payloadOf(command);
    if ('saslStart' in command) {
      const bare = received.slice('n,,'.length);
      const offered = `r=${bare.slice(bare.indexOf(',r=') + 3)}nonce,s=${salt.toString('base64')},i=${ROUNDS}`;
      said = `${bare},${offered}`;
      return payload(offered);
    }
    if (received === '') return payload('', true);
    const [unproven, proof] = received.split(',p=');
    const clientKey = hmac(salted, 'Client Key');
    const signature = hmac(createHash('sha256').update(clientKey).digest(), `${said},${unproven}`);
    const expected = clientKey.map((byte, i) => byte ^ signature[i]);
    if (!timingSafeEqual(expected, Buffer.from(proof, 'base64'))) return FAILED;
    return payload(`v=${hmac(hmac(salted, 'Server Key'), `${said},${unproven}`).toString('base64')}`);
  };
}

/** Puts a password in front of an engine. @param password as SASLprep leaves it @returns where it listens, as `host:port` */
export async function withPassword(engine: string, password: string): Promise<{ host: string; close: () => void }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(targetOf(engine));
    const reply = signInWith(password);
    let hasSignedIn = false;
    couple(near, far, sockets);
    far.pipe(near);
    near.on(
      'data',
      messagesOf((bytes) => {
        const id = bytes.readInt32LE(4);
        const command = documentOf(bytes);
        const name = Object.keys(command)[0];
        if (bytes.readInt32LE(12) === OP_QUERY) near.write(legacyReply(HELLO, id));
        else if (HANDSHAKES.has(name)) near.write(message(HELLO, 0, id));
        else if (name.startsWith('sasl')) {
          const answer = reply(command);
          hasSignedIn ||= name === 'saslContinue' && answer['ok'] === 1;
          near.write(message(answer, 0, id));
        } else if (hasSignedIn) far.write(bytes);
        else near.write(message(UNAUTHORIZED, 0, id));
      }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
