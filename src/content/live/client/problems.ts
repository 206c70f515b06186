import { DatasetError } from '../../problems.js';

/** An answer with a body that is JSON, as far as it is. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** `undefined` when the body is no JSON. */
  json: unknown;
  /** Address that answered, after redirects. */
  url: string;
}

export const fault = (url: string, problem: string): DatasetError => new DatasetError(url, [problem]);

const CONNECTION: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host; check the spelling',
  EAI_AGAIN: 'the name of the host cannot be looked up; check the network',
  ECONNREFUSED: 'nothing answers at this address; is the site running, and is the port right?',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
};

interface Cause {
  code?: string;
  message?: string;
}

/** What went wrong below HTTP, in words. */
export function connectionProblem(error: unknown, timeoutMs: number): string {
  const { name, cause } = error as Error & { cause?: Cause };
  if (name === 'TimeoutError') return `there was no answer within ${timeoutMs / 1000} seconds; allow more with --timeout`;
  const { code = '', message = String(error) } = cause ?? {};
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `its certificate cannot be trusted (${message}); name the certificate authority in NODE_EXTRA_CA_CERTS, or use http:// for a local site`;
  return CONNECTION[code] ?? `cannot be reached: ${message}`;
}

const isHtml = (answer: Answer): boolean => /html/.test(answer.headers['content-type'] ?? '') || /^\s*</.test(answer.text);

const codeOf = ({ json }: Answer): string => {
  const code = (json as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
};

/** Why an answer is of no use, and what can be done. */
export function answerProblem(answer: Answer): string {
  const { status } = answer;
  const code = codeOf(answer);
  if (code === 'rest_disabled' || (status === 401 && /rest.*(login|cannot_access|disabled)|not_logged_in/.test(code)))
    return `its REST API is closed to visitors (${status} ${code}); sign in with --login and --password-env, or open it in the settings of its security plugin`;
  if (/^(?:incorrect_password|invalid_username|invalid_email)$/.test(code))
    return `it does not accept this login (${status} ${code}); it takes an application password, made in the profile of the user`;
  if (status === 401 || status === 403)
    return isHtml(answer)
      ? `it refuses with an HTML page (${status}): a firewall or security plugin stands before the REST API; allow this address there, or lower --rate`
      : `it refuses (${status}${code === '' ? '' : ` ${code}`}); sign in with --login and --password-env`;
  if (isHtml(answer) && status < 400)
    return 'it answers with an HTML page where JSON is due; something before the REST API, such as a maintenance or login page, catches the request';
  if (answer.json === undefined) return `it answers ${status} with something that is no JSON: ${JSON.stringify(answer.text.slice(0, 80))}`;
  return `it answers ${status}${code === '' ? '' : ` ${code}`}`;
}
