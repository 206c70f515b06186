import os from 'node:os';

/** Valid on one link only: in a URL, browsers do not accept them. */
const LINK_LOCAL = /^(?:169\.254\.|fe[89ab])/i;

function interfacesHere(): ReturnType<typeof os.networkInterfaces> {
  try {
    return os.networkInterfaces();
  } catch {
    // Some systems do not tell, such as Android.
    return {};
  }
}

/**
 * The addresses of this machine at which others reach a server, first IPv4.
 * @param host what the server listens on: `0.0.0.0`, or `::` for IPv6 too
 */
export function networkAddresses(host: string, interfaces = interfacesHere()): string[] {
  const found = Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter(({ address, internal }) => !internal && !LINK_LOCAL.test(address));
  const families = host.includes(':') ? ['IPv4', 'IPv6'] : ['IPv4'];
  return families.flatMap((wanted) => found.filter(({ family }) => family === wanted).map(({ address }) => address));
}
