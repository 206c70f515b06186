export interface Operation {
  id: string;
  method: string;
  path: string;
  namespace: string;
  needsLogin: boolean;
  isListedOnly: boolean;
  body: { first: unknown; fields: { name: string }[] } | null;
}

export interface Namespace {
  name: string;
  operations: Operation[];
}

export interface Request {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export function operationsOf(documents: { api: 'rest' | 'qa'; document: object }[]): Operation[];
export function namespacesOf(operations: Operation[]): Namespace[];
export function search(namespaces: Namespace[], text: string): { operation: Operation; found: string[] }[];
export function factsOf(schema: object): string[];
export function requestOf(
  operation: Operation,
  form: { values: Record<string, string>; body: string; headers?: string },
  context: {
    sender: { kind: string; login: string; headers: Record<string, string> };
    api: { base: string; headers: Record<string, string> };
  },
): Request;
export function curlOf(request: Request, sender: { kind: string; login: string }): string;
