import dns from 'node:dns/promises';
import os from 'node:os';
import { hostName, isAnyAddress, isLoopback } from '../../../base/text/hosts.js';

/** Stands for all addresses of this machine. */
const HERE = 'this machine';

const isOwn = (address: string): boolean =>
  isLoopback(address) ||
  isAnyAddress(address) ||
  Object.values(os.networkInterfaces()).some((each) => each?.some((own) => own.address === address));

/** The addresses of a host. One whose name is unknown is its own. */
async function addressesOf(url: URL): Promise<string[]> {
  const host = hostName(url.host) ?? url.hostname;
  if (isOwn(host)) return [HERE];
  const found = await dns.lookup(host, { all: true }).catch(() => []);
  return [host, ...found.map(({ address }) => (isOwn(address) ? HERE : address))];
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/** Whether two URLs lead to one server, however its host is spelled: names of sandboxes, of this machine, and its addresses. */
export async function isSameServer(one: string, other: string): Promise<boolean> {
  const urls = [new URL(one), new URL(other)];
  if (portOf(urls[0]) !== portOf(urls[1])) return false;
  const [mine, theirs] = await Promise.all(urls.map(addressesOf));
  return mine.some((address) => theirs.includes(address));
}
