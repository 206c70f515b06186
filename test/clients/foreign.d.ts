/** Type declarations for untyped client packages, as far as the tests use them. */

declare module 'wpapi' {
  export interface Paging {
    total: number;
    totalPages: number;
    next?: WpRequest;
    prev?: WpRequest;
  }

  export interface WpRequest {
    get<T>(): Promise<T & { _paging?: Paging }>;
    toString(): string;
    headers(): Promise<Record<string, string>>;
    create<T>(data?: object): Promise<T>;
    update<T>(data: object): Promise<T>;
    delete<T>(data?: object): Promise<T>;
    id(id: number | 'me'): WpRequest;
    slug(slug: string): WpRequest;
    bySlug(slug: string): WpRequest;
    param(name: string, value: unknown): WpRequest;
    perPage(count: number): WpRequest;
    status(status: string | string[]): WpRequest;
    embed(): WpRequest;
    edit(): WpRequest;
    me(): WpRequest;
    file(file: Buffer, name: string): WpRequest;
  }

  export type Handlers = Record<string, () => WpRequest>;

  export interface Options {
    endpoint: string;
    username?: string;
    password?: string;
    routes?: object;
  }

  export default class WPAPI {
    constructor(options: Options);
    static discover(url: string): Promise<WPAPI>;
    namespace(name: string): Handlers;
    registerRoute(namespace: string, route: string, options?: { params?: string[] }): () => WpRequest;
    url(url: string): WpRequest;
    root(path?: string): WpRequest;
    auth(credentials: { username: string; password: string }): this;
    [handler: string]: unknown;
  }
}

declare module 'gatsby-source-tribe-events' {
  interface Api {
    actions: { createNode: (node: Record<string, unknown>) => unknown };
    createNodeId: (text: string) => string;
    createContentDigest: (content: unknown) => string;
  }

  export function sourceNodes(api: Api, options: { baseUrl: string; maxEvents?: number }): Promise<void>;
}
