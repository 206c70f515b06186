/** What `driver.ts` uses of the driver's internals, which it publishes no types for. */
declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  export class Connection {
    socket: Socket;
    error: Error | null;
    onClose: (this: Connection) => void;
  }
}
