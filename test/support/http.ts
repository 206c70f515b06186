import { Agent, request } from 'node:http';

export interface HttpResponse {
  status: number;
  headers: Headers;
  text: string;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request over a kept-alive connection: about a quarter of the CPU time of `fetch`. Redirects are not followed. */
export function http(method: string, url: string, headers: Record<string, string> = {}, body?: string | Buffer): Promise<HttpResponse> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const received = new Headers();
        for (let i = 0; i < response.rawHeaders.length; i += 2) received.append(response.rawHeaders[i], response.rawHeaders[i + 1]);
        resolve({ status: response.statusCode ?? 0, headers: received, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
