// Clients that write until they are stopped or the server is gone.
import { deflateSync, crc32 as crc } from 'node:zlib';
import { fieldsOf, hashOf } from './site.mjs';

/** CRC-32, which Node's zlib has since version 22.2. */
const TABLE = Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});
const crc32 =
  crc ?? ((bytes) => (bytes.reduce((value, byte) => TABLE[(value ^ byte) & 255] ^ (value >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0);

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(data.length, 0);
  bytes.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([bytes.subarray(0, 4), named, bytes.subarray(4)]);
}

/** A PNG image of noise, which does not compress. */
export function noise(random, width, height) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const rows = Array.from({ length: height }, () => Buffer.concat([Buffer.alloc(1), random.bytes(width * 3)]));
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 1 })), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

/** Records the outcome of a write: acknowledged, rejected, or unknown. */
function settle(response, entry, tally, allowed) {
  if (response && response.status < 300) {
    entry.acknowledge();
    tally.acknowledged += 1;
    return true;
  }
  if (response && response.status < 500) {
    entry.reject();
    if (!allowed.includes(response.status)) tally.fail(`a write was answered with ${response.status}: ${response.text.slice(0, 200)}`);
  }
  return false;
}

/**
 * Writes events: creates them, and updates and trashes its own ones.
 * @param {object} job
 * @param job.name prefix of the titles, which is unique per writer
 * @param job.allowed valid statuses if another client has removed an event
 * @param job.isOver returns whether to stop
 */
export async function writeEvents({ send, server, ledger, tally, random, name, allowed = [], isOver, pause = async () => {} }) {
  const own = [];
  for (let n = 0; !isOver() && !server.hasEnded; n += 1) {
    const kind = own.length > 1 ? random.pick(['create', 'create', 'update', 'update', 'trash']) : 'create';
    const event = kind === 'create' ? { title: `${name} ${n}` } : kind === 'update' ? random.pick(own) : own.shift();
    const version = 1 + n;
    const address = `${server.rest}/events${kind === 'create' ? '' : `/${event.id}`}`;
    const entry = ledger.write(event.title, kind === 'trash' ? 'trash' : `version ${version}`);
    const response = await (kind === 'trash' ? send(address, 'DELETE') : send(address, 'POST', fieldsOf(event.title, version, n)));
    if (!settle(response, entry, tally, allowed)) {
      // Its state is unknown, so it is not used again.
      if (own.includes(event)) own.splice(own.indexOf(event), 1);
    } else if (kind === 'create') own.push({ ...event, id: response.body.id });
    await pause();
  }
}

/** Uploads images, and deletes some of them. */
export async function writeImages({ send, server, ledger, tally, random, name, allowed = [], isOver }) {
  const own = [];
  for (let n = 0; !isOver() && !server.hasEnded; n += 1) {
    // After a replacement of the content, the id may belong to another image, so nothing is deleted.
    if (allowed.length === 0 && own.length > 1 && random.below(4) === 0) {
      const { id, slug } = own.shift();
      const entry = ledger.write(`image ${slug}`, 'absent');
      settle(await send(`${server.url}/wp-json/wp/v2/media/${id}?force=true`, 'DELETE'), entry, tally, allowed);
      continue;
    }
    const slug = `${name}-${n}`;
    const bytes = random.below(3) === 0 ? noise(random, 400, 320) : noise(random, 8, 8);
    const entry = ledger.write(`image ${slug}`, hashOf(bytes));
    const headers = { 'content-type': 'image/png', 'content-disposition': `attachment; filename="${slug}.png"` };
    const response = await send(`${server.url}/wp-json/wp/v2/media`, 'POST', bytes, headers);
    if (settle(response, entry, tally, allowed)) own.push({ id: response.body.id, slug });
  }
}
