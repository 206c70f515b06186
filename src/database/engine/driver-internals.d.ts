/** Types of the driver's internals that `driver.ts` and `pipelined-connection.ts` use. The driver does not publish them. */
declare module 'mongodb/lib/cmap/connection.js' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';

  export class Connection extends EventEmitter {
    socket: Socket;
    error: Error | null;
    closed: boolean;
    destroy: () => void;
    onClose: (this: Connection) => void;
  }

  interface Pool {
    checkOut: (options: { timeoutContext: { connectionCheckoutTimeout: null } }) => Promise<Connection>;
    checkIn: (connection: Connection) => void;
  }

  export interface Topology {
    selectServer: (selector: 'primary', options: { operationName: string }) => Promise<{ pool: Pool }>;
  }
}
