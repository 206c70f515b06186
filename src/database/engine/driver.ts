import { Connection } from 'mongodb/lib/cmap/connection.js';

const { onClose } = Connection.prototype;

/**
 * Driver 7.9: a command that is written to a socket after its end and before its `close` event waits for `drain` forever, and its
 * connection never returns to the pool: after a dozen crashes of the database none was left. Here such a command fails, and so does a later
 * write.
 */
Connection.prototype.onClose = function (this: Connection): void {
  onClose.call(this);
  const error = this.error ?? new Error('The connection is closed.');
  this.socket.write = () => {
    throw error;
  };
  this.socket.emit('error', error);
};
