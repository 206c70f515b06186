/**
 * Types of wordpress-api-client, as far as the test uses them. The package's own types lead to source code that does not compile under
 * `verbatimModuleSyntax`, so no import may have a name that the compiler can resolve.
 */

type Found<T> = Promise<(T | null)[]>;

export interface Endpoint<T> {
  create: (body: object) => Promise<T>;
  update: (body: object, id: number) => Promise<T>;
  delete: (...ids: number[]) => Promise<unknown[]>;
  find: (...ids: (number | URLSearchParams)[]) => Found<T>;
  dangerouslyFindAll: () => Promise<T[]>;
}

interface Password {
  uuid: string;
  app_id: string;
  name: string;
  password?: string;
}

interface Options {
  auth: { type: 'basic'; username: string; password: string };
  onError: (message: string) => Promise<void>;
}

export declare class WpApiClient {
  constructor(url: string, options: Options);
  protected addPostType<T>(route: string, revisions?: boolean, query?: URLSearchParams): Endpoint<T>;
  protected createEndpointCustomGet<T>(route: string): () => Promise<T>;
  protected createEndpointCustomPost<T, R>(route: string): (body: T) => Promise<T | R>;
  protected createEndpointGet<T>(route: string): (...ids: number[]) => Found<T>;
  protected createEndpointDelete<T>(route: string): (...ids: number[]) => Found<T>;
  media(): {
    create: (name: string, file: Buffer, type: string, data: object) => Promise<{ id: number }>;
    find: (id: number) => Found<unknown>;
    delete: (id: number) => Promise<unknown>;
  };
  user(): { findMe: () => Promise<unknown> };
  applicationPassword(): {
    create: (user: number, appId: string, name: string) => Promise<Password>;
    update: (user: number, uuid: string, appId?: string, name?: string) => Promise<Password>;
    find: (user: number, uuids?: string[]) => Promise<Password[]>;
    delete: (user: number, uuid: string) => Promise<unknown>;
  };
  siteSettings(): { find: () => Promise<unknown>; update: (settings: object) => Promise<unknown> };
  postType(): Promise<object>;
  taxonomy(...slugs: string[]): Promise<unknown[]>;
  search(text: string, query: Record<string, string>): Promise<unknown[]>;
}
