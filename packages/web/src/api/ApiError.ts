import { JsonError } from '@millrace/contract';

/** A call that did not end well. `status` is 0 when no answer came at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly method: string;
  readonly url: string;
  /** The body as the server sent it: parsed when it was JSON, text otherwise, undefined when it was empty. */
  readonly body: unknown;

  constructor(request: { method: string; url: string }, status: number, body: unknown, cause?: unknown) {
    super(messageOf(status, body), cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.status = status;
    this.method = request.method;
    this.url = request.url;
    this.body = body;
  }

  /** What exactly was wrong, item by item, when the server said so. */
  get details(): readonly { message: string; path?: string | undefined }[] {
    return JsonError.safeParse(this.body).data?._embedded?.errors ?? [];
  }
}

function messageOf(status: number, body: unknown): string {
  if (typeof body === 'string' && body.trim()) return body;
  const known = JsonError.safeParse(body);
  if (known.success) return known.data.message;
  return status === 0 ? 'The server did not answer.' : `The server answered with status ${status}.`;
}

type Listener = (failure: ApiError) => void;

const listeners = new Set<Listener>();

/** The shell listens here: it decides which failures become a toast and which replace the page. */
export function onFailure(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function reportFailure(failure: ApiError): void {
  for (const listener of listeners) listener(failure);
}
