import { ConfigError, type ServerOptions } from '../config/index.js';
import type { Log } from '../../base/system/log.js';
import { Cassette } from './cassette.js';
import { cassetteFolder } from './folder.js';
import { LinkExchange } from './links.js';
import { maskLiterally } from '../../base/text/secrets.js';
import { SiteProxy } from './site-proxy.js';
import { Upstream } from './upstream.js';

type ProxyOptions = { proxy: string } & Pick<
  ServerOptions,
  'proxyMode' | 'cassette' | 'proxyAllowWrites' | 'proxyLogin' | 'proxyPassword' | 'proxyTimeout'
>;

/** Opens the proxy for a site. @throws ConfigError for a login without password */
export function openProxy(options: ProxyOptions, log: Log): SiteProxy {
  const { proxyMode: mode, proxyAllowWrites: allowsWrites, proxyLogin: login, proxyPassword: password } = options;
  const url = options.proxy.replace(/\/+$/, '');
  if ((login === undefined) !== (password === undefined)) throw new ConfigError('--proxy-login and --proxy-password must be used together');
  const credentials = login === undefined || password === undefined ? undefined : { login, password };
  const secrets = credentials
    ? [credentials.password, credentials.password.replaceAll(' ', ''), Buffer.from(`${login}:${password}`).toString('base64')]
    : [];
  return new SiteProxy({
    mode,
    allowsWrites,
    url,
    upstream: new Upstream({ url, timeoutMs: options.proxyTimeout * 1000, credentials }),
    cassette: new Cassette(cassetteFolder(url, options.cassette), maskLiterally(secrets)),
    links: new LinkExchange(url),
    log,
  });
}
