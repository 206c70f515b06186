import { CANNED_HTML, JSON_TYPE, typed, type Canned } from '../faults/canned.js';
import { sendableValue } from '../../../base/text/headers.js';
import type { TemplateView } from '../../../base/text/template.js';
import type { Json, StubResponse } from '../../../sdk/types/qa.js';
import { urldecode } from '../../../base/php/query-string.js';
import { readRequestUrl, type MatchedRequest } from '../match.js';
import type { TakenStub } from './stubs.js';

/** Makes the values that templates can name. @param now ms since 1970 UTC @param site its address */
export function templateView({ method, url, body }: MatchedRequest, headers: object, now: number, site = ''): TemplateView {
  const { pathname, query } = readRequestUrl(url);
  const pathSegments = pathname.split('/').flatMap((segment) => (segment === '' ? [] : [urldecode(segment.replaceAll('+', '%2B'))]));
  const value = body.value ?? body.text;
  const request = { method, url, path: pathname, pathSegments, query, headers, body: value };
  return { request, site: { url: site }, now: new Date(now).toISOString() };
}

function bodyOf({ body, bodyBase64 }: StubResponse): { body: string | Buffer; type: string | null } {
  if (bodyBase64 !== undefined) return { body: Buffer.from(bodyBase64, 'base64'), type: 'application/octet-stream' };
  if (body === undefined) return { body: '', type: null };
  return typeof body === 'string' ? { body, type: CANNED_HTML } : { body: JSON.stringify(body), type: JSON_TYPE };
}

/** The response of a stub. @param view called if its templates need it */
export async function stubResponse({ stub: { respond }, fill }: TakenStub, view: () => Promise<TemplateView>): Promise<Canned> {
  const { status = 200, headers = {}, body } = respond;
  const template: Json = { headers, ...(body === undefined ? {} : { body }) };
  const hasTemplates = fill !== null && JSON.stringify(template).includes('{{');
  const filled = { ...respond, ...(hasTemplates ? (fill(template, await view()) as Pick<StubResponse, 'headers' | 'body'>) : {}) };
  const sendable = Object.fromEntries(Object.entries(filled.headers ?? {}).map(([name, value]) => [name, sendableValue(value)]));
  const content = bodyOf(filled);
  return { status, headers: content.type === null ? sendable : typed(content.type, sendable), body: content.body };
}
