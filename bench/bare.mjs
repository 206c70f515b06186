/**
 * A bare server in a separate process. It sends the same bytes to every request, which is the minimum cost of a response. Message in: `{
 * headers, body }` to send from now on, body in base64. Messages out: `{ port }`, then `{}` after each change.
 */
import { createServer } from 'node:http';

let answer = { headers: {}, body: Buffer.alloc(0) };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { ...answer.headers, 'Content-Length': answer.body.length }).end(answer.body));
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', ({ headers, body }) => {
  answer = { headers, body: Buffer.from(body, 'base64') };
  process.send({});
});
process.on('disconnect', () => process.exit());
