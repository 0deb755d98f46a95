import type { OutboundRequest, TaskContext } from '@millrace/plugin-kit';

/** The standard `fetch` for client libraries, under the server's outbound policy. */
export function fetchOf(
  context: Pick<TaskContext, 'fetch' | 'signal'>,
  options: Pick<OutboundRequest, 'certificates'> = {},
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const response = await context.fetch({
      url: request.url,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...modelTimeouts,
      followRedirects: request.redirect === 'follow',
      signal: init?.signal ? AbortSignal.any([init.signal, context.signal]) : context.signal,
      ...(body && { body }),
      ...(options.certificates && { certificates: options.certificates }),
    });
    const headers = new Headers();
    // The body is decompressed and of another length.
    for (const [name, values] of Object.entries(response.headers))
      if (!/^(content-encoding|content-length|transfer-encoding)$/.test(name))
        for (const value of values) headers.append(name, value);
    const hasBody = ![101, 204, 205, 304].includes(response.status);
    return new Response(hasBody ? ReadableStream.from(response.body) : null, {
      status: response.status,
      headers,
    });
  };
}

/**
 * A model may think for minutes before its response begins, but a response that has begun and is silent for so
 * long has stalled. The task's `timeout` sets a stricter limit.
 */
export const modelTimeouts = { readIdleTimeoutMs: 10 * 60_000, bodyIdleTimeoutMs: 5 * 60_000 };
