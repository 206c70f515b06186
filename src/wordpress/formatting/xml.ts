/** Characters that XML cannot hold. */
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Text within CDATA. Its end marker is split across two sections, and a carriage return, which readers would convert to a line feed, is
 * written between two sections as a reference.
 */
export const xmlCdata = (text: string): string =>
  `<![CDATA[${text.replace(NOT_XML, '').replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[')}]]>`;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for the content of elements, and for attributes in double quotes. */
export const xmlText = (text: string): string => text.replace(NOT_XML, '').replace(/[&<>"]/g, (sign) => ESCAPES[sign]);

/** `Sat, 01 Aug 2026 17:30:00 +0000` of a moment in UTC, `YYYY-MM-DD HH:MM:SS`; empty without a date. */
export function rssDate(utc: string): string {
  const time = Date.parse(`${utc.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? '' : new Date(time).toUTCString().replace('GMT', '+0000');
}
