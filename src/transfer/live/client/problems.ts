import { lookup } from '../../../base/values/records.js';
import { DatasetError } from '../../source.js';

/** A response of a site, with its body parsed as JSON if possible. */
export interface SiteResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** `undefined` if the body is not JSON. */
  json: unknown;
  /** Final URL, after redirects. */
  url: string;
}

export const siteError = (url: string, problem: string): DatasetError => new DatasetError(url, [problem]);

const CONNECTION: Readonly<Record<string, string>> = lookup({
  ENOTFOUND: 'host not found. Check the spelling',
  EAI_AGAIN: 'the host name cannot be resolved. Check the network',
  ECONNREFUSED: 'connection refused. Check that the site is running, and the port',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
});

interface Cause {
  code?: string;
  message?: string;
}

export function connectionProblem(error: unknown, timeoutMs: number): string {
  const { name, cause } = error as Error & { cause?: Cause };
  if (name === 'TimeoutError') return `no response within ${timeoutMs / 1000} seconds. Allow more with --timeout`;
  const { code = '', message = String(error) } = cause ?? {};
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `the certificate is not trusted (${message}). Set the certificate authority in NODE_EXTRA_CA_CERTS, or use http:// for a local site`;
  return CONNECTION[code] ?? `cannot be reached: ${message}`;
}

const isHtml = ({ headers, text }: SiteResponse): boolean => /html/.test(headers['content-type'] ?? '') || /^\s*</.test(text);

const codeOf = ({ json }: SiteResponse): string => {
  const code = (json as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
};

/** Explains an error response, and what to do. */
export function responseProblem(response: SiteResponse): string {
  const { status } = response;
  const code = codeOf(response);
  if (code === 'rest_disabled' || (status === 401 && /rest.*(login|cannot_access|disabled)|not_logged_in/.test(code)))
    return `the REST API is not public (${status} ${code}). Sign in with --login and --password-env, or enable it in the settings of the site's security plugin`;
  if (/^(?:incorrect_password|invalid_username|invalid_email)$/.test(code))
    return `the login was rejected (${status} ${code}). Use an application password from the profile of the user`;
  if (status === 401 || status === 403)
    return isHtml(response)
      ? `access denied, with an HTML page (${status}): a firewall or security plugin blocks the REST API. Allow this address there, or lower --rate`
      : `access denied (${status}${code === '' ? '' : ` ${code}`}). Sign in with --login and --password-env`;
  if (isHtml(response) && status < 400)
    return 'the response is an HTML page instead of JSON: something in front of the REST API, such as a maintenance or login page, intercepts the request';
  if (response.text.trim() === '')
    return `the response (${status}) is empty: a plugin or the web server may have switched the REST API off`;
  if (response.json === undefined) return `the response (${status}) is not JSON: ${JSON.stringify(response.text.slice(0, 80))}`;
  return `the site responded with ${status}${code === '' ? '' : ` ${code}`}`;
}
