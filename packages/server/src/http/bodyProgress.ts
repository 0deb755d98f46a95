import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A body may take an hour, but it has to come: less than this in half a minute is not somebody's slow line. */
export interface BodyPace {
  readonly everyMs: number;
  readonly minBytes: number;
}

const defaultPace: BodyPace = { everyMs: 30_000, minBytes: 16_384 };

/** Ends connections that hold a place with a body that trickles in. Headers have a time limit of their own. */
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
    // What waits to be read is our slowness, not theirs.
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
