import { Connection } from 'mongodb/lib/cmap/connection.js';

const { onClose } = Connection.prototype;

/**
 * Driver 7.9: a command that is written to a socket after its end and before its `close` event waits for `drain`, which never comes. It never
 * settles, and its connection never returns to the pool: after a dozen crashes of the database there was none left. Here whoever waits for
 * such a socket is told, and a later write throws.
 */
Connection.prototype.onClose = function (this: Connection): void {
  onClose.call(this);
  const error = this.error ?? new Error('The connection is closed.');
  this.socket.write = () => {
    throw error;
  };
  this.socket.emit('error', error);
};
