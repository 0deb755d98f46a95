import { advanceActivity } from './activity.ts';

interface UploadRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData;
  readonly signal: AbortSignal;
}

/** Sends files. `fetch` cannot tell how far an upload is; the older request can. */
export function upload({ method, url, headers, body, signal }: UploadRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = advanceActivity;
    request.onload = () => resolve(toResponse(request));
    request.onerror = () => reject(new TypeError('The upload failed.'));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    request.send(body);
  });
}

function toResponse(request: XMLHttpRequest): Response {
  const { status, statusText } = request;
  const type = request.getResponseHeader('content-type');
  return new Response(request.responseText === '' ? null : request.responseText, {
    status,
    statusText,
    headers: type === null ? {} : { 'content-type': type },
  });
}

export const holdsFiles = (body: unknown): body is FormData =>
  body instanceof FormData && [...body.values()].some((value) => value instanceof File);
