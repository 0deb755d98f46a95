import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The minimum rate of a request body. An upload may take an hour, but a stalled one is closed. */
export interface BodyPace {
  readonly everyMs: number;
  readonly minBytes: number;
}

const defaultPace: BodyPace = { everyMs: 30_000, minBytes: 16_384 };

/** Closes connections whose body arrives too slowly. Headers have a separate timeout. */
export function requireBodyProgress(app: FastifyInstance, pace: BodyPace = defaultPace): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request)) watchBody(request, pace);
    done();
  });
}

function watchBody({ raw }: FastifyRequest, { everyMs, minBytes }: BodyPace): void {
  const { socket } = raw;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const arrived = socket.bytesRead - seen;
    seen = socket.bytesRead;
    // Buffered bytes mean that the server is slow, not the client.
    if (arrived < minBytes && raw.readableLength === 0) socket.destroy();
  }, everyMs);
  timer.unref();
  const stop = () => clearInterval(timer);
  raw.once('end', stop);
  raw.once('close', stop);
}

function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
