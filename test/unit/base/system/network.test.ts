import type { NetworkInterfaceInfo } from 'node:os';
import { networkAddresses } from '../../../../src/base/system/network.js';
import { isAnyAddress } from '../../../../src/base/text/hosts.js';

const at = (address: string, internal = false): NetworkInterfaceInfo => {
  const common = { address, netmask: '', mac: '', cidr: null, internal };
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' };
};

const INTERFACES = {
  lo: [at('127.0.0.1', true), at('::1', true)],
  wifi: [at('fd00::7'), at('192.168.1.7'), at('fe80::1')],
  cable: [at('10.0.0.7'), at('169.254.3.4')],
  none: undefined,
};

test.each([
  ['0.0.0.0', ['192.168.1.7', '10.0.0.7']],
  ['::', ['192.168.1.7', '10.0.0.7', 'fd00::7']],
])('on %s, a server is reached at %j', (host, addresses) => expect(networkAddresses(host, INTERFACES)).toEqual(addresses));

test.each([
  ['0.0.0.0', true],
  ['0', true],
  ['::', true],
  ['0:0:0:0:0:0:0:0', true],
  ['127.0.0.1', false],
  ['::1', false],
  ['192.168.1.7', false],
  ['localhost', false],
  ['fe80::1%eth0', false],
])('%s is all addresses: %j', (host, expected) => expect(isAnyAddress(host)).toBe(expected));
