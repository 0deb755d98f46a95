import type { OutboundResponse } from '@millrace/plugin-kit';
import { findElement, readXml, textAt } from '@millrace/plugin-kit';
import { z } from 'zod';

/** Why a service rejected a call. */
export interface AwsFailure {
  readonly status: number;
  /** Such as `AccessDenied`; empty when the service gave none. */
  readonly code: string;
  /** Code and text. */
  readonly message: string;
  /** True when the same call may succeed a moment later. */
  readonly isTransient: boolean;
  /** The region of a bucket that is elsewhere. */
  readonly region?: string;
}

const transient =
  /^(Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded|LimitExceededException$|SlowDown|RequestTimeout|InternalError|InternalFailure|ServiceUnavailable|TransactionInProgress|BandwidthLimitExceeded)/;

const JsonFailure = z.looseObject({
  __type: z.string().optional(),
  code: z.string().optional(),
  message: z.string().nullish(),
  Message: z.string().nullish(),
});

/** Reads the body, which is JSON or XML as the service likes it; a HEAD request has none. */
export async function readFailure(response: OutboundResponse): Promise<AwsFailure> {
  const { status, headers } = response;
  const text = await readStart(response);
  const { code, message } = await parse(text);
  const named = (headers['x-amzn-errortype']?.[0] ?? code ?? headers['x-amz-error-code']?.[0] ?? '')
    .split(':')[0]
    ?.split('#')
    .at(-1);
  const shown = message ?? (text.trim().slice(0, 500) || undefined);
  const region = headers['x-amz-bucket-region']?.[0];
  return {
    status,
    code: named ?? '',
    message: [named, shown].filter(Boolean).join(': ') || `status ${status}`,
    isTransient: status === 429 || status >= 500 || transient.test(named ?? ''),
    ...(region !== undefined && { region }),
  };
}

async function parse(text: string): Promise<{ code?: string | undefined; message?: string | undefined }> {
  try {
    if (/^\s*</.test(text)) {
      const xml = await readXml(text);
      const error =
        xml.name === 'Error' ? xml : (findElement(xml, 'Error') ?? findElement(xml, 'Errors', 'Error'));
      return { code: textAt(error, 'Code'), message: textAt(error, 'Message') };
    }
    const read = JsonFailure.parse(JSON.parse(text));
    return { code: read.__type ?? read.code, message: read.message ?? read.Message ?? undefined };
  } catch {
    return {};
  }
}

/** Failures are short; more of one is not worth reading. */
async function readStart({ body }: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > 65_536) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
