import type { Server } from '../../src/index.js';

export interface Visit {
  status: number;
  headers: Headers;
  text: string;
  location: string | null;
}

/** The parts of a browser that matter for signing in: cookies by path, and forms. Redirects are not followed. */
export class Browser {
  readonly jar = new Map<string, { value: string; path: string }>();

  constructor(private readonly server: () => Pick<Server, 'url'>) {}

  private cookiesFor(path: string): string {
    const sent = [...this.jar].filter(([, cookie]) => path.startsWith(cookie.path));
    return sent.map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ');
  }

  private keep(lines: string[]): void {
    for (const line of lines) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? ['', '', ''];
      const path = /; Path=([^;]*)/.exec(line)?.[1] ?? '/';
      if (/; Max-Age=0(;|$)/.test(line)) this.jar.delete(`${name} ${path}`);
      else this.jar.set(`${name} ${path}`, { value, path });
    }
  }

  async visit(path: string, init: RequestInit = {}): Promise<Visit> {
    const cookie = this.cookiesFor(path);
    const headers = { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(`${this.server().url}${path}`, { ...init, headers, redirect: 'manual' });
    this.keep(response.headers.getSetCookie());
    return { status: response.status, headers: response.headers, text: await response.text(), location: response.headers.get('location') };
  }

  send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Visit> {
    return this.visit(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  /** Opens the login form and signs in. */
  async logIn(login: string, password = login, more: Record<string, string> = {}): Promise<Visit> {
    await this.visit('/wp-login.php?reauth=1');
    return this.send('/wp-login.php', { log: login, pwd: password, testcookie: '1', ...more });
  }

  async nonce(): Promise<string> {
    return (await this.visit('/wp-admin/admin-ajax.php?action=rest-nonce')).text;
  }
}

/** The value of a hidden field of a page. */
export const hidden = (page: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
